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

/// The tracks of an MP4 or QuickTime file.
struct ISOTracks {
    private let reader: ISOBoxReader

    /// Max bytes read of a description or header.
    private static let maxBytes = 1 << 16

    init(_ file: InputFile) { reader = ISOBoxReader(file) }

    /// Returns the contents of the sample descriptions (`stsd`), by track ID.
    func descriptions() throws(MediaError) -> [Int: [UInt8]] {
        guard let movie = try reader.first(["moov"]) else { return [:] }
        var found: [Int: [UInt8]] = [:]
        for track in try reader.boxes(in: movie.body) where track.type == "trak" {
            guard let description = try reader.first(["mdia", "minf", "stbl", "stsd"], in: track.body),
                let header = try reader.first(["tkhd"], in: track.body)
            else { continue }
            found[try trackID(header)] = try reader.content(description, max: Self.maxBytes)
        }
        return found
    }

    private func trackID(_ header: ISOBoxReader.Box) throws(MediaError) -> Int {
        try reader.content(header, max: Self.maxBytes).withUnsafeBytes { bytes in
            var cursor = ByteCursor(bytes)
            let isLong = cursor.read(4) >> 24 == 1
            // Skips the times of creation and modification.
            cursor.skip(isLong ? 16 : 8)
            return cursor.read(4)
        }
    }
}
