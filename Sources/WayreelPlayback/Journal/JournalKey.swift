internal import Glibc

/// The id of an event, a lockbox or a capture in a journal. It is compared by its bytes, as in SQLite and in browsers.
/// `String` also equates different spellings of the same characters, such as "é" as one code point and as two.
public struct JournalKey: Hashable, Comparable, Sendable, ExpressibleByStringInterpolation, CustomStringConvertible {
    public let text: String

    public init(_ text: String) { self.text = text }

    public init(stringLiteral text: String) { self.text = text }

    public var description: String { text }

    public static func == (a: Self, b: Self) -> Bool {
        a.text.withBytes { a in
            b.text.withBytes { b in
                a.count == b.count && (a.isEmpty || memcmp(a.baseAddress!, b.baseAddress!, a.count) == 0)
            }
        }
    }

    public static func < (a: Self, b: Self) -> Bool { a.text.utf8.lexicographicallyPrecedes(b.text.utf8) }

    public func hash(into hasher: inout Hasher) {
        text.withBytes { hasher.combine(bytes: $0) }
        hasher.combine(text.utf8.count)
    }
}

extension String {
    /// Calls `body` with the text in UTF-8 without copying it: thousands of ids are compared before a player's first
    /// step.
    func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        utf8.withContiguousStorageIfAvailable { body(UnsafeRawBufferPointer($0)) } ?? Array(utf8).withUnsafeBytes(body)
    }
}

extension Dictionary where Key == JournalKey {
    public subscript(id: String) -> Value? {
        get { self[JournalKey(id)] }
        set { self[JournalKey(id)] = newValue }
    }
}
