/// Reads consecutive big-endian numbers. Reads past the end return zeros and set ``isPastEnd``.
package struct ByteCursor {
    private let bytes: UnsafeRawBufferPointer
    private var offset = 0
    package private(set) var isPastEnd = false

    package init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    /// Reads an unsigned number of `count` bytes (0 to 8), clamped to `Int.max`.
    package mutating func read(_ count: Int) -> Int {
        take(count).map { Int(clamping: $0.bigEndian(at: 0, count: count)) } ?? 0
    }

    package mutating func skip(_ count: Int) { _ = take(count) }

    /// The next `count` bytes, or nil if fewer are left.
    package mutating func take(_ count: Int) -> UnsafeRawBufferPointer? {
        guard count >= 0, count <= bytes.count - offset else {
            isPastEnd = true
            return nil
        }
        defer { offset += count }
        return UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + count])
    }

    /// Returns the remaining bytes.
    package mutating func rest() -> UnsafeRawBufferPointer { take(bytes.count - offset)! }

    /// Reads a NUL-terminated string.
    package mutating func readText() -> String {
        let rest = bytes[offset...]
        let end = rest.firstIndex(of: 0) ?? rest.endIndex
        defer { offset = min(end + 1, bytes.count) }
        return String(decoding: rest[..<end], as: UTF8.self)
    }

    package mutating func readType() -> String { take(4).map { String(decoding: $0, as: UTF8.self) } ?? "" }
}
