internal import WayreelCore

/// The container of a segment, detected by its first bytes.
enum SegmentFormat: String {
    case mp4
    case transportStream = "mpegts"
    case aac, mp3

    /// Returns nil for containers that segments cannot have.
    init?(_ bytes: [UInt8]) {
        if bytes.count > 188, bytes[0] == 0x47, bytes[188] == 0x47 {
            self = .transportStream
        } else if let first = bytes.withUnsafeBytes({ $0.wholeBoxes.first?.type }), Self.boxes.contains(first) {
            self = .mp4
        } else if bytes.starts(with: "ID3".utf8) || bytes.count > 2 && bytes[0] == 0xFF && bytes[1] & 0xE0 == 0xE0 {
            // The layer field distinguishes AAC in ADTS from MPEG audio; an ID3 tag does not identify the format.
            let start = bytes.starts(with: "ID3".utf8) ? Self.tagEnd(bytes) : 0
            guard bytes.count > start + 2 else { return nil }
            self = bytes[start + 1] & 6 == 0 ? .aac : .mp3
        } else {
            return nil
        }
    }

    private static let boxes: Set<String> = ["styp", "ftyp", "moof", "sidx", "emsg", "prft", "moov", "free"]

    /// Returns the end of an ID3v2 tag.
    private static func tagEnd(_ bytes: [UInt8]) -> Int {
        guard bytes.count >= 10 else { return bytes.count }
        return 10 + bytes[6..<10].reduce(0) { $0 << 7 | Int($1 & 0x7F) }
    }

    /// FFmpeg's name of the demuxer.
    var demuxer: String { self == .mp4 ? "mov" : rawValue }

    /// Whether the last box, or the last packet of a transport stream, is complete.
    func isWhole(_ bytes: [UInt8]) -> Bool {
        switch self {
        case .mp4:
            bytes.withUnsafeBytes { bytes in
                let boxes = Array(ISOBoxes(bytes))
                guard let last = boxes.last, let start = last.body.baseAddress, let base = bytes.baseAddress else {
                    return false
                }
                return !last.isTruncated && start + last.body.count == base + bytes.count
            }
        case .transportStream: bytes.count.isMultiple(of: 188)
        case .aac, .mp3: true
        }
    }

    /// Whether the bytes are MP4 fragments without their init segment.
    static func needsInitSegment(_ bytes: [UInt8]) -> Bool {
        SegmentFormat(bytes) == .mp4 && SampleEntry.list(bytes).isEmpty
    }

    /// Returns the default duration of the samples in the first fragment (`tfhd`), in units of its track's clock, or
    /// nil if durations are specified per sample.
    static func sampleLength(_ bytes: [UInt8]) -> Int? {
        bytes.withUnsafeBytes { bytes in
            guard let header = bytes.wholeBox("moof")?.wholeBox("traf")?.wholeBox("tfhd"), header.count >= 4 else {
                return nil
            }
            let flags = header.bigEndian32(at: 0)
            guard flags & 0x8 != 0 else { return nil }
            // Skip the track, and the optional offsets of its data and its descriptions.
            let offset = 8 + (flags & 0x1 != 0 ? 8 : 0) + (flags & 0x2 != 0 ? 4 : 0)
            return header.count >= offset + 4 ? Int(header.bigEndian32(at: offset)) : nil
        }
    }
}
