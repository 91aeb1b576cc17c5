internal import WayreelCore

/// Goes from box to box of an MP4 or QuickTime file (ISO/IEC 14496-12), without reading what is in them.
enum ISOBoxFile {
    /// Boxes after which the walk is given up.
    private static let mostBoxes = 1 << 20

    /// Whether the last box ends where the file does. FFmpeg goes on reading where it was.
    static func isWhole(_ file: InputFile) throws(MediaError) -> Bool {
        guard let size = file.size else { return false }
        let position = file.position
        defer { file.seek(to: position) }
        var place = 0
        for _ in 0..<mostBoxes {
            guard place < size else { return place == size }
            let header = try file.bytes(at: place, count: 16)
            guard header.count >= 8 else { return false }
            let short = number(header[0..<4])
            // 0: to the end of the file; 1: a number of 64 bits follows.
            if short == 0 { return true }
            let length = short == 1 ? (header.count == 16 ? number(header[8..<16]) : nil) : short
            guard let length, length >= 8 else { return false }
            let (next, isOver) = place.addingReportingOverflow(length)
            guard !isOver else { return false }
            place = next
        }
        return false
    }

    /// A big-endian number.
    private static func number(_ bytes: ArraySlice<UInt8>) -> Int? {
        Int(exactly: bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
    }
}
