internal import WayreelCore

/// Reads the boxes of an MP4 or QuickTime file (ISO/IEC 14496-12) one by one and skips their content.
struct ISOBoxReader {
    /// A box in the file.
    struct Box {
        let type: String
        /// The offsets of its content.
        let body: Range<Int>
        /// Whether the box declares more content than the file has.
        let isTruncated: Bool
    }

    private let file: InputFile
    private let size: Int

    /// Max number of boxes that are read on one level.
    private static let maxBoxes = 1 << 20

    init(_ file: InputFile) {
        self.file = file
        size = file.size ?? 0
    }

    /// Returns whether the last box ends at the end of the file.
    func isWhole() throws(MediaError) -> Bool {
        guard file.size != nil else { return false }
        var offset = 0
        for _ in 0..<Self.maxBoxes where offset < size {
            guard let box = try box(at: offset, end: size), !box.isTruncated else { return false }
            offset = box.body.upperBound
        }
        return offset == size
    }

    /// Returns the first box at `path`, type by type, from the top level.
    func first(_ path: [String]) throws(MediaError) -> Box? { try first(path, in: 0..<size) }

    /// Returns the first box at `path`, type by type, inside `range`.
    func first(_ path: [String], in range: Range<Int>) throws(MediaError) -> Box? {
        var (range, found): (Range<Int>, Box?) = (range, nil)
        for type in path {
            guard let child = try boxes(in: range, until: type).last, child.type == type else { return nil }
            (range, found) = (child.body, child)
        }
        return found
    }

    /// Returns the boxes inside `range`, up to the first broken one or the first of type `last`.
    func boxes(in range: Range<Int>, until last: String? = nil, max: Int = 4096) throws(MediaError) -> [Box] {
        var boxes: [Box] = []
        var offset = range.lowerBound
        while boxes.count < max, offset < range.upperBound, let box = try box(at: offset, end: range.upperBound) {
            boxes.append(box)
            if box.type == last { break }
            offset = box.body.upperBound
        }
        return boxes
    }

    /// Returns the content of a box, up to `max` bytes.
    func content(_ box: Box, max: Int) throws(MediaError) -> [UInt8] {
        try file.bytes(at: box.body.lowerBound, count: min(box.body.count, max))
    }

    private func box(at offset: Int, end: Int) throws(MediaError) -> Box? {
        let room = end - offset
        let bytes = try file.bytes(at: offset, count: min(ISOBoxHeader.maxCount, room))
        guard let header = bytes.withUnsafeBytes({ ISOBoxHeader($0, room: room) }) else { return nil }
        return Box(
            type: header.type, body: offset + header.count..<offset + header.boxCount,
            isTruncated: header.isTruncated)
    }
}
