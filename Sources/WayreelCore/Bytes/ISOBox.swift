/// A box of the ISO base media format (ISO/IEC 14496-12, section 4.2).
package struct ISOBox {
    /// Four characters.
    package let type: String
    /// The payload after the header.
    package let body: UnsafeRawBufferPointer
    /// Whether the box is longer than the bytes.
    package let isTruncated: Bool

    /// Returns the payload of the first box of `type` in `bytes`; empty if there is none.
    package static func first(_ type: String, in bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        ISOBoxes(bytes).first { $0.type == type }?.body ?? UnsafeRawBufferPointer(start: nil, count: 0)
    }
}

/// Type and size of a box.
package struct ISOBoxHeader {
    /// Max size of a header in bytes.
    package static let maxCount = 16

    package let type: String
    /// Size of the header in bytes.
    package let count: Int
    /// Size of the box in bytes with its header, clamped to the available room.
    package let boxCount: Int
    /// Whether the header declares more bytes than there is room for.
    package let isTruncated: Bool

    /// Parses the header at the start of `bytes`. `room` is the size of the enclosing box or file. Returns nil for an
    /// invalid size.
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

/// Iterates over sibling boxes up to the first invalid one. A truncated box ends with the bytes.
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
