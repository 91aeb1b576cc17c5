internal import WayreelCore

/// Formats and reads cues of WebVTT: of a file, or of a segment of HLS (RFC 8216, section 3.5).
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
        cues.map { cue(from: $0.start, to: $0.end, $0.text.markup) }.joined()
    }

    /// Returns a cue between two times in milliseconds, after an empty line.
    static func cue(from start: Int, to end: Int, _ text: String) -> String {
        "\n\(clock(start)) --> \(clock(end))\n\(text)\n"
    }

    /// Formats a time: `00:01:05.000`.
    package static func clock(_ milliseconds: Int) -> String {
        let seconds = milliseconds / 1000
        return [seconds / 3600, seconds / 60 % 60, seconds % 60].map { String($0, paddedTo: 2) }.joined(separator: ":")
            + "." + String(milliseconds % 1000, paddedTo: 3)
    }

    /// Parses `[HH:]MM:SS[.mmm]` into milliseconds; further digits are ignored. Returns nil for anything else.
    package static func milliseconds(_ text: some StringProtocol, points: [Character] = ["."]) -> Int? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard (2...3).contains(parts.count), let last = parts.last else { return nil }
        let seconds = last.split(maxSplits: 1, omittingEmptySubsequences: false) { points.contains($0) }
        let whole = parts.dropLast() + [seconds[0]]
        let numbers = whole.compactMap { number($0) }
        guard numbers.count == whole.count, numbers.dropFirst().allSatisfy({ $0 < 60 }) else { return nil }
        var milliseconds = 0
        if seconds.count == 2 {
            guard (1...9).contains(seconds[1].count), number(seconds[1]) != nil,
                let digits = Int(seconds[1].prefix(3))
            else { return nil }
            milliseconds = digits * [100, 10, 1][min(seconds[1].count, 3) - 1]
        }
        return numbers.reduce(0) { $0 * 60 + $1 } * 1000 + milliseconds
    }

    private static func number(_ text: some StringProtocol) -> Int? {
        guard (1...9).contains(text.utf8.count), text.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
        return Int(text)
    }

    // MARK: Reading

    /// A cue as it is written.
    struct WrittenCue {
        /// The index of the line with its times.
        var line: Int
        /// The times in milliseconds; nil if they are invalid.
        var times: (start: Int, end: Int)?
        var text: ArraySlice<Substring>
    }

    static func lines(of text: String) -> [Substring] {
        text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    }

    /// Returns the cues among `lines`: those with an arrow, and their texts up to an empty line, or to the next cue and
    /// its number. SubRip has the same, with a comma among the `points` before the milliseconds.
    static func cues(in lines: ArraySlice<Substring>, points: [Character] = [",", "."]) -> [WrittenCue] {
        let arrows = lines.indices.filter { lines[$0].contains("-->") }
        return zip(arrows, arrows.dropFirst() + [lines.endIndex]).map { line, next in
            let text = lines[line + 1..<next].prefix { !$0.allSatisfy(\.isWhitespace) }
            let isBeforeCue = text.endIndex == next && next < lines.endIndex
            let hasNumber = isBeforeCue && text.last.flatMap { Int($0.trimmed()) } != nil
            return WrittenCue(
                line: line, times: times(lines[line], points), text: hasNumber ? text.dropLast() : text)
        }
    }

    /// Parses `00:00:01.000 --> 00:00:04.000`, with or without settings behind it.
    private static func times(_ line: Substring, _ points: [Character]) -> (start: Int, end: Int)? {
        guard let arrow = line.firstRange(of: "-->") else { return nil }
        let behind = line[arrow.upperBound...].drop(while: \.isWhitespace).prefix { !$0.isWhitespace }
        guard let start = milliseconds(line[..<arrow.lowerBound].trimmed(), points: points),
            let end = milliseconds(behind, points: points)
        else { return nil }
        return (start, end)
    }
}
