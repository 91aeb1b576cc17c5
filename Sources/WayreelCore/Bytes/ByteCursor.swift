/// Reads big-endian numbers one after the other. Past the end it yields zeros and says so.
package struct ByteCursor {
    private let bytes: UnsafeRawBufferPointer
    private var offset = 0
    package private(set) var isPastEnd = false

    package init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    /// A number of `count` bytes, 0 to 8, clamped to what an Int holds.
    package mutating func read(_ count: Int) -> Int {
        take(count).map { Int(clamping: $0.bigEndian(at: 0, count: count)) } ?? 0
    }

    package mutating func skip(_ count: Int) { _ = take(count) }

    /// The next `count` bytes; nil where there are not that many.
    package mutating func take(_ count: Int) -> UnsafeRawBufferPointer? {
        guard count >= 0, count <= bytes.count - offset else {
            isPastEnd = true
            return nil
        }
        defer { offset += count }
        return UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + count])
    }

    /// What is left.
    package mutating func rest() -> UnsafeRawBufferPointer { take(bytes.count - offset)! }

    /// A text that a zero ends.
    package mutating func readText() -> String {
        let rest = bytes[offset...]
        let end = rest.firstIndex(of: 0) ?? rest.endIndex
        defer { offset = min(end + 1, bytes.count) }
        return String(decoding: rest[..<end], as: UTF8.self)
    }

    package mutating func readType() -> String { take(4).map { String(decoding: $0, as: UTF8.self) } ?? "" }
}
