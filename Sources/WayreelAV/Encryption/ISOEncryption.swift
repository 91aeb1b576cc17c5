internal import WayreelCore

/// What the sample entries of an MP4 or QuickTime file say of its encryption (ISO/IEC 14496-12, section 8.12; ISO/IEC 23001-7).
struct ISOEncryption {
    private let file: InputFile
    private let size: Int

    /// A box of the file, of which only the header was read.
    private struct Box {
        let type: String
        let body: Range<Int>
    }

    /// Sample entries whose samples are encrypted: of Common Encryption, of iTunes and of Audible.
    private static let encrypted: Set<String> = ["encv", "enca", "enct", "encs", "encm", "drms", "drmi", "aavd"]
    /// Boxes side by side that are looked at.
    private static let mostBoxes = 4096
    /// Bytes of sample entries that are looked at.
    private static let mostBytes = 1 << 16

    init(_ file: InputFile) {
        self.file = file
        size = file.size ?? 0
    }

    /// The schemes of the encrypted tracks, as `cenc`, by their track ID; the sample entry's type where it names none.
    func schemes() throws(MediaError) -> [Int: String] {
        guard let movie = try boxes(0..<size, until: "moov").last, movie.type == "moov" else { return [:] }
        var schemes: [Int: String] = [:]
        for track in try boxes(movie.body) where track.type == "trak" {
            guard let description = try first(["mdia", "minf", "stbl", "stsd"], in: track),
                let header = try first(["tkhd"], in: track), let scheme = try scheme(description)
            else { continue }
            schemes[try trackID(header)] = scheme
        }
        return schemes
    }

    private func boxes(_ range: Range<Int>, until last: String? = nil) throws(MediaError) -> [Box] {
        var boxes: [Box] = []
        var offset = range.lowerBound
        while boxes.count < Self.mostBoxes, offset < range.upperBound {
            let room = range.upperBound - offset
            let bytes = try file.bytes(at: offset, count: min(ISOBoxHeader.maxCount, room))
            guard let header = bytes.withUnsafeBytes({ ISOBoxHeader($0, room: room) }) else { break }
            boxes.append(Box(type: header.type, body: offset + header.count..<offset + header.boxCount))
            if header.type == last { break }
            offset += header.boxCount
        }
        return boxes
    }

    private func first(_ path: [String], in box: Box) throws(MediaError) -> Box? {
        var box = box
        for type in path {
            guard let child = try boxes(box.body, until: type).last, child.type == type else { return nil }
            box = child
        }
        return box
    }

    private func content(_ box: Box) throws(MediaError) -> [UInt8] {
        try file.bytes(at: box.body.lowerBound, count: min(box.body.count, Self.mostBytes))
    }

    private func trackID(_ header: Box) throws(MediaError) -> Int {
        try content(header).withUnsafeBytes { bytes in
            var cursor = ByteCursor(bytes)
            let isLong = cursor.read(4) >> 24 == 1
            // Behind the times of creation and modification.
            cursor.skip(isLong ? 16 : 8)
            return cursor.read(4)
        }
    }

    /// Of the first sample entry that is encrypted; nil where none is.
    private func scheme(_ description: Box) throws(MediaError) -> String? {
        try content(description).withUnsafeBytes { bytes in
            guard bytes.count >= 8 else { return nil }
            let entry = ISOBoxes(UnsafeRawBufferPointer(rebasing: bytes[8...])).first {
                Self.encrypted.contains($0.type)
            }
            return entry.map { Self.scheme(of: $0.body) ?? $0.type }
        }
    }

    /// What the protection scheme information of a sample entry names. Where in it that stands depends on the kind of entry.
    private static func scheme(of entry: UnsafeRawBufferPointer) -> String? {
        guard let type = (4..<max(4, entry.count)).first(where: { entry.matches("sinf".utf8, at: $0) }) else {
            return nil
        }
        let information = ISOBox.first("sinf", in: UnsafeRawBufferPointer(rebasing: entry[(type - 4)...]))
        let scheme = ISOBox.first("schm", in: information).dropFirst(4).prefix(4)
        guard scheme.count == 4, scheme.allSatisfy({ (0x21..<0x7f).contains($0) }) else { return nil }
        return String(decoding: scheme, as: UTF8.self)
    }
}
