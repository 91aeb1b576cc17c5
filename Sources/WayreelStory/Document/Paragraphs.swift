/// Converts wrapped text: a single line break is a space, an empty line begins a paragraph.
///
/// White space is that of XML: space, tab and line breaks. No-break spaces and their like are characters of the text.
enum Paragraphs {
    /// Returns the paragraphs without indentation and wrapping, separated by line breaks.
    static func normalized(_ text: String) -> String {
        if text.isSpacedSingly { return text }
        var paragraphs: [[Substring]] = [[]]
        for line in text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            let words = line.split(whereSeparator: isSpace).map { Substring($0) }
            if words.isEmpty, !paragraphs[paragraphs.count - 1].isEmpty { paragraphs.append([]) }
            paragraphs[paragraphs.count - 1] += words
        }
        return paragraphs.filter { !$0.isEmpty }.map { $0.joined(separator: " ") }.joined(separator: "\n")
    }

    /// Returns the wrapped form of `text`, which ``normalized(_:)`` converts back.
    static func written(_ text: String) -> String {
        text.utf8.split(separator: UInt8(ascii: "\n")).map { Substring($0) }.joined(separator: "\n\n")
    }

    fileprivate static func isSpace(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0A, 0x0D].contains(byte) }
}

extension String {
    /// The text without leading and trailing white space, with inner white space collapsed to single spaces, as in
    /// xs:token.
    var trimmedSpace: String {
        isSpacedSingly
            ? self : utf8.split(whereSeparator: Paragraphs.isSpace).map { Substring($0) }.joined(separator: " ")
    }

    /// The text with a line feed for each CR LF and each CR.
    var withLineFeeds: String {
        guard utf8.contains(UInt8(ascii: "\r")) else { return self }
        return replacing("\r\n", with: "\n").replacing("\r", with: "\n")
    }

    /// The beginning of the text in one line, for messages.
    var shown: String {
        let line = split(whereSeparator: \.isNewline).joined(separator: " ")
        return line.count > 60 ? "\(line.prefix(60))…" : line
    }

    /// Whether all white space is single inner spaces, as in most texts.
    fileprivate var isSpacedSingly: Bool {
        var last = UInt8(ascii: " ")
        for byte in utf8 {
            switch byte {
            case UInt8(ascii: " ") where last == UInt8(ascii: " "), 0x09, 0x0A, 0x0D: return false
            default: last = byte
            }
        }
        return isEmpty || last != UInt8(ascii: " ")
    }
}
