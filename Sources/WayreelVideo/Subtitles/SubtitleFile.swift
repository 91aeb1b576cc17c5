package import WayreelCore

/// Reads a subtitle file: SubRip (`.srt`) or WebVTT, determined by its content.
package struct SubtitleFile {
    let path: String
    package private(set) var cues: [SubtitleCue] = []
    /// Warnings about cues that were skipped, with their lines.
    package private(set) var warnings: [String] = []

    /// The maximum size of a file; ``maxCues`` is the maximum number of cues. Real files have a few thousand.
    static let maxBytes = 16 << 20
    static let maxCues = 100_000
    /// The maximum size of a cue's text in bytes.
    static let maxTextBytes = 8192
    /// The maximum number of listed warnings; further ones are only counted.
    private static let maxWarnings = 10
    private var unlistedWarnings = 0

    /// Throws an `io` error if it cannot be read, a `limit` error if it is too long, and an `unsupported` or
    /// `decoding` error if it is neither SubRip nor WebVTT.
    package init(_ path: String) throws(MediaError) {
        self.path = path
        let (text, note) = try Self.decoded(MediaBytes.read(path: path, limit: Self.maxBytes).array, path)
        if let note { warnings.append(note) }
        try read(WebVTT.lines(of: text))
        cues.sort { ($0.start, $0.end) < ($1.start, $1.end) }
        if unlistedWarnings > 0 { warnings.append("\(path): more cues that were left out: \(unlistedWarnings)") }
        guard !cues.isEmpty else {
            throw MediaError(
                .decoding, step: .subtitles, subject: path, reason: "there are no cues of SubRip or WebVTT in it",
                advice: "give an .srt or .vtt file")
        }
    }

    private mutating func warn(_ line: Int, _ reason: String) {
        guard warnings.count < Self.maxWarnings else {
            unlistedWarnings += 1
            return
        }
        warnings.append("\(path), line \(line + 1): \(reason); it is left out")
    }

    // MARK: Cues

    private static let skippedBlocks = ["WEBVTT", "NOTE", "STYLE", "REGION"]

    private mutating func read(_ lines: [Substring]) throws(MediaError) {
        let isWebVTT = lines.first?.hasPrefix("WEBVTT") ?? false
        var index = 0
        while index < lines.count {
            guard !lines[index].allSatisfy(\.isWhitespace) else {
                index += 1
                continue
            }
            let end = lines[index...].firstIndex { $0.allSatisfy(\.isWhitespace) } ?? lines.count
            if isWebVTT, Self.skippedBlocks.contains(where: { lines[index].hasPrefix($0) }),
                !lines[index].contains("-->")
            {
                index = end
                continue
            }
            try read(block: index..<end, of: lines, isWebVTT)
            index = end
        }
    }

    /// Reads lines without empty lines between them: one cue or, if empty lines are missing, several.
    private mutating func read(
        block: Range<Int>, of lines: [Substring], _ isWebVTT: Bool
    ) throws(MediaError) {
        let written = WebVTT.cues(in: lines[block])
        guard let first = written.first else {
            // A number alone is an empty cue.
            if block.count > 1 || Int(lines[block.lowerBound].trimmed()) == nil {
                warn(block.lowerBound, "a text without a time")
            }
            return
        }
        if first.line > block.lowerBound + 1 { warn(block.lowerBound, "a text without a time") }
        for cue in written {
            guard let times = cue.times else {
                warn(cue.line, "its time '\(lines[cue.line].prefix(60))' is invalid")
                continue
            }
            guard times.end > times.start else {
                warn(cue.line, "the cue ends before it begins")
                continue
            }
            guard cue.text.reduce(0, { $0 + $1.utf8.count }) <= Self.maxTextBytes else {
                warn(cue.line, "the cue has more than \(Self.maxTextBytes) bytes")
                continue
            }
            let text = SubtitleText(tagged: cue.text.joined(separator: "\n"), hasEntities: isWebVTT)
            guard !text.isEmpty else { continue }
            guard cues.count < Self.maxCues else {
                throw MediaError(
                    .limit, step: .subtitles, subject: path, reason: "has more than \(Self.maxCues) cues",
                    advice: "give a file of one video's subtitles")
            }
            cues.append(SubtitleCue(start: times.start, end: times.end, text: text))
        }
    }

    // MARK: Encodings

    /// Returns the text of the file and, if its encoding had to be guessed, a note.
    private static func decoded(_ bytes: [UInt8], _ path: String) throws(MediaError) -> (String, note: String?) {
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]), let text = String(validating: bytes.dropFirst(3), as: UTF8.self) {
            return (text, nil)
        }
        if bytes.starts(with: [0xFF, 0xFE]) { return (try utf16(bytes.dropFirst(2), isBig: false, path), nil) }
        if bytes.starts(with: [0xFE, 0xFF]) { return (try utf16(bytes.dropFirst(2), isBig: true, path), nil) }
        // In UTF-16 without a byte order mark, every other byte is mostly zero in the languages in which such files
        // occur.
        let zeros = [0, 1].map { phase in stride(from: phase, to: bytes.count, by: 2).count { bytes[$0] == 0 } }
        if zeros.max() ?? 0 > bytes.count / 8 {
            return (try utf16(bytes[...], isBig: zeros[0] > zeros[1], path), nil)
        }
        guard zeros == [0, 0] else {
            throw MediaError(
                .unsupported, step: .subtitles, subject: path, reason: "is not text: it contains zero bytes",
                advice: "give an .srt or .vtt file in UTF-8")
        }
        if let text = String(validating: bytes, as: UTF8.self) { return (text, nil) }
        return (
            String(windows1252: bytes), "\(path): it is not in UTF-8; it is read as Windows-1252 (Latin-1)"
        )
    }

    private static func utf16(_ bytes: ArraySlice<UInt8>, isBig: Bool, _ path: String) throws(MediaError) -> String {
        let units = stride(from: bytes.startIndex, to: bytes.endIndex - 1, by: 2).map { index in
            let (first, second) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
            return isBig ? first << 8 | second : second << 8 | first
        }
        if let text = String(validating: units, as: UTF16.self) { return text }
        throw MediaError(
            .decoding, step: .subtitles, subject: path, reason: "its UTF-16 is damaged",
            advice: "give an .srt or .vtt file in UTF-8")
    }
}
