internal import WayreelCore
internal import WayreelVideo

/// A segment of WebVTT as read (RFC 8216, section 3.5).
struct WebVTTSegment {
    /// The cues with their times in seconds on the clock of the media.
    private(set) var cues: [(start: Double, end: Double)] = []

    /// Why a segment cannot be used.
    struct Fault: Error {
        var reason: String
    }

    /// Throws the reason why the bytes are not a segment of WebVTT.
    init(_ bytes: [UInt8]) throws(Fault) {
        guard let text = String(validating: bytes, as: UTF8.self) else { throw Fault(reason: "is not UTF-8 text") }
        let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        guard var first = lines.first else { throw Fault(reason: "is empty") }
        if first.first == "\u{FEFF}" { first = first.dropFirst() }
        guard first == "WEBVTT" || first.hasPrefix("WEBVTT ") || first.hasPrefix("WEBVTT\t") else {
            throw Fault(reason: "is not WebVTT: it does not begin with WEBVTT")
        }
        var offset = 0.0
        for line in lines.dropFirst().prefix(while: { !$0.isEmpty }) where line.hasPrefix(Self.mapTag) {
            guard let value = Self.offset(line.dropFirst(Self.mapTag.count)) else {
                throw Fault(reason: "has the invalid header '\(line.prefix(80))'")
            }
            offset = value
        }
        for (index, line) in lines.enumerated() where line.contains("-->") {
            guard let times = SubtitleFile.times(line) else {
                throw Fault(reason: "has the invalid time '\(line.prefix(60))' in line \(index + 1)")
            }
            cues.append((Double(times.start) / 1000 + offset, Double(times.end) / 1000 + offset))
        }
    }

    private static let mapTag = "X-TIMESTAMP-MAP="

    /// Parses `MPEGTS:900000,LOCAL:00:00:00.000`, in any order, into the seconds between cue times and media times.
    private static func offset(_ value: Substring) -> Double? {
        var (media, local): (Int?, Int?)
        for part in value.split(separator: ",") {
            let pair = part.split(separator: ":", maxSplits: 1)
            switch pair.first?.trimmed() {
            case "MPEGTS" where pair.count == 2: media = ByteRange.number(pair[1].trimmed())
            case "LOCAL" where pair.count == 2: local = WebVTT.milliseconds(pair[1].trimmed())
            default: return nil
            }
        }
        guard let media, let local else { return nil }
        return Double(media) / 90_000 - Double(local) / 1000
    }
}
