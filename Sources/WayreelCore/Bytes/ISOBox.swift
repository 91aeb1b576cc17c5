/// A box of a file in ISO base media format (ISO/IEC 14496-12, section 4.2).
package struct ISOBox {
    /// Four characters.
    package let type: String
    /// What follows the box's header.
    package let body: UnsafeRawBufferPointer
    /// Whether the box is longer than the bytes.
    package let isTruncated: Bool

    /// The body of the first box of `type` in `bytes`; empty where there is none.
    package static func first(_ type: String, in bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        ISOBoxes(bytes).first { $0.type == type }?.body ?? UnsafeRawBufferPointer(start: nil, count: 0)
    }
}

/// The header of a box: its type and its size.
package struct ISOBoxHeader {
    /// The most bytes that a header takes.
    package static let maxCount = 16

    package let type: String
    /// Bytes of the header itself.
    package let count: Int
    /// Bytes of the box with its header, no more than there is room for.
    package let boxCount: Int
    /// Whether the header declares more bytes than there is room for.
    package let isTruncated: Bool

    /// From the first bytes of a box that has `room` bytes in what holds it; nil where it is broken.
    package init?(_ bytes: UnsafeRawBufferPointer, room: Int) {
        guard bytes.count >= 8, room >= 8 else { return nil }
        var (size, header) = (Int(bytes.bigEndian32(at: 0)), 8)
        if size == 1, bytes.count >= 16 {
            (size, header) = (Int(clamping: bytes.bigEndian(at: 8, count: 8)), 16)
        }
        if size == 0 { size = room }
        guard size >= header else { return nil }
        type = String(decoding: bytes[4..<8], as: UTF8.self)
        count = header
        boxCount = max(header, min(size, room))
        isTruncated = size > room
    }
}

/// The boxes side by side in some bytes, up to the first that is broken. One that is cut short reaches as far as the bytes do.
package struct ISOBoxes: Sequence, IteratorProtocol {
    private let bytes: UnsafeRawBufferPointer
    private var offset = 0

    package init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    package mutating func next() -> ISOBox? {
        let rest = UnsafeRawBufferPointer(rebasing: bytes[offset...])
        guard let header = ISOBoxHeader(rest, room: rest.count) else { return nil }
        offset += header.boxCount
        return ISOBox(
            type: header.type, body: UnsafeRawBufferPointer(rebasing: rest[header.count..<header.boxCount]),
            isTruncated: header.isTruncated)
    }
}
