/// Formats cues as WebVTT, as a file or as segments of HLS (RFC 8216, section 3.5).
package enum WebVTT {
    /// Returns a complete file.
    package static func text(_ cues: [SubtitleCue]) -> String { "WEBVTT\n" + body(cues) }

    /// Returns the segment from `start` to `end` milliseconds: all cues that are shown in it, with their full times,
    /// so that players join those that continue in the next segment. Media times are those of the cues.
    package static func segment(_ cues: [SubtitleCue], from start: Int, to end: Int) -> String {
        let own = cues.filter { $0.start < end && $0.end > start }
        return "WEBVTT\nX-TIMESTAMP-MAP=MPEGTS:0,LOCAL:00:00:00.000\n" + body(own)
    }

    private static func body(_ cues: [SubtitleCue]) -> String {
        cues.map { "\n\(clock($0.start)) --> \(clock($0.end))\n\($0.text.markup)\n" }.joined()
    }

    /// Formats a time: `00:01:05.000`.
    private static func clock(_ milliseconds: Int) -> String {
        let padded = { (value: Int, count: Int) in
            String(repeating: "0", count: max(0, count - String(value).count)) + String(value)
        }
        return "\(padded(milliseconds / 3_600_000, 2)):\(padded(milliseconds / 60_000 % 60, 2)):"
            + "\(padded(milliseconds / 1000 % 60, 2)).\(padded(milliseconds % 1000, 3))"
    }
}
