/// A box of a file in ISO base media format (ISO/IEC 14496-12, section 4.2).
struct ISOBox {
    /// Four characters.
    let type: String
    /// What follows the box's header.
    let body: UnsafeRawBufferPointer

    /// The body of the first box of `type` in `bytes`; empty where there is none.
    static func first(_ type: String, in bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        ISOBoxes(bytes).first { $0.type == type }?.body ?? UnsafeRawBufferPointer(start: nil, count: 0)
    }
}

/// The boxes side by side in some bytes, up to the first that is broken. One that is cut short reaches as far as the bytes do.
struct ISOBoxes: Sequence, IteratorProtocol {
    private let bytes: UnsafeRawBufferPointer
    private var offset = 0

    init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    mutating func next() -> ISOBox? {
        guard offset + 8 <= bytes.count else { return nil }
        var (size, header) = (Int(bytes.bigEndian32(at: offset)), 8)
        if size == 1, offset + 16 <= bytes.count {
            (size, header) = (Int(clamping: bytes.bigEndian(at: offset + 8, count: 8)), 16)
        }
        if size == 0 { size = bytes.count - offset }
        guard size >= header else { return nil }
        let end = offset + Swift.min(size, bytes.count - offset)
        let type = String(decoding: bytes[offset + 4..<offset + 8], as: UTF8.self)
        defer { offset = end }
        return ISOBox(type: type, body: UnsafeRawBufferPointer(rebasing: bytes[offset + header..<end]))
    }
}

/// Reads big-endian numbers one after the other. Past the end it yields zeros and says so.
struct ByteCursor {
    private let bytes: UnsafeRawBufferPointer
    private var offset = 0
    private(set) var isPastEnd = false

    init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    /// A number of `count` bytes, 0 to 8, clamped to what an Int holds.
    mutating func read(_ count: Int) -> Int {
        take(count).map { Int(clamping: $0.bigEndian(at: 0, count: count)) } ?? 0
    }

    mutating func skip(_ count: Int) { _ = take(count) }

    /// The next `count` bytes; nil where there are not that many.
    mutating func take(_ count: Int) -> UnsafeRawBufferPointer? {
        guard count >= 0, count <= bytes.count - offset else {
            isPastEnd = true
            return nil
        }
        defer { offset += count }
        return UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + count])
    }

    /// What is left.
    mutating func rest() -> UnsafeRawBufferPointer { take(bytes.count - offset)! }

    /// A text that a zero ends.
    mutating func readText() -> String {
        let rest = bytes[offset...]
        let end = rest.firstIndex(of: 0) ?? rest.endIndex
        defer { offset = min(end + 1, bytes.count) }
        return String(decoding: rest[..<end], as: UTF8.self)
    }

    mutating func readType() -> String { take(4).map { String(decoding: $0, as: UTF8.self) } ?? "" }
}
