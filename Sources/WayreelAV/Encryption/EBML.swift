internal import WayreelCore

/// The header of an element of Matroska and WebM (RFC 8794, sections 5 and 6).
struct EBMLHeader {
    /// The length of the longest header.
    static let maxCount = 12

    /// The ID including the length marker bits, as written in the specifications.
    let id: Int
    /// Bytes of the header itself.
    let count: Int
    /// Bytes of the content, limited to the room.
    let bodyCount: Int
    /// Whether the size was not known when the header was written: all its bits are set.
    let hasUnknownSize: Bool

    /// Parses the first bytes of an element that has `room` bytes in its parent. Returns nil for a broken one.
    init?(_ bytes: UnsafeRawBufferPointer, room: Int) {
        guard let first = bytes.first, first >= 0x10 else { return nil }
        let idCount = first.leadingZeroBitCount + 1
        guard bytes.count > idCount, bytes[idCount] > 0 else { return nil }
        let sizeCount = bytes[idCount].leadingZeroBitCount + 1
        guard bytes.count >= idCount + sizeCount, room >= idCount + sizeCount else { return nil }
        id = Int(bytes.bigEndian(at: 0, count: idCount))
        count = idCount + sizeCount
        // An unknown size is limited to the room, like any size that is too large.
        let mask = UInt64(1) << UInt64(7 * sizeCount) - 1
        let size = bytes.bigEndian(at: idCount, count: sizeCount) & mask
        hasUnknownSize = size == mask
        bodyCount = Int(clamping: min(size, UInt64(room - count)))
    }
}

/// The sibling elements in a buffer, up to the first broken one.
struct EBMLElements: Sequence, IteratorProtocol {
    private let bytes: UnsafeRawBufferPointer
    private var offset = 0

    init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    mutating func next() -> (id: Int, body: UnsafeRawBufferPointer)? {
        let rest = UnsafeRawBufferPointer(rebasing: bytes[offset...])
        guard let header = EBMLHeader(rest, room: rest.count) else { return nil }
        let end = header.count + header.bodyCount
        offset += end
        return (header.id, UnsafeRawBufferPointer(rebasing: rest[header.count..<end]))
    }

    /// Returns the bodies of the elements of `id`.
    static func all(_ id: Int, in bytes: UnsafeRawBufferPointer) -> [UnsafeRawBufferPointer] {
        EBMLElements(bytes).filter { $0.id == id }.map(\.body)
    }

    /// Returns the unsigned number in the first element of `id`; nil if there is none.
    static func number(_ id: Int, in bytes: UnsafeRawBufferPointer) -> Int? {
        all(id, in: bytes).first.flatMap { $0.count <= 8 ? Int(clamping: $0.bigEndian(at: 0, count: $0.count)) : nil }
    }
}
