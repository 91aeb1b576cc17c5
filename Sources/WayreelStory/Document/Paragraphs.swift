/// Converts wrapped text: a single line break is a space, an empty line begins a paragraph.
enum Paragraphs {
    /// Returns the paragraphs without indentation and wrapping, separated by line breaks.
    static func normalized(_ text: String) -> String {
        var paragraphs: [[Substring]] = [[]]
        for line in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
            let words = line.split(whereSeparator: \.isWhitespace)
            if words.isEmpty, !paragraphs[paragraphs.count - 1].isEmpty { paragraphs.append([]) }
            paragraphs[paragraphs.count - 1] += words
        }
        return paragraphs.filter { !$0.isEmpty }.map { $0.joined(separator: " ") }.joined(separator: "\n")
    }

    /// Returns the wrapped form of `text`, which ``normalized(_:)`` converts back.
    static func written(_ text: String) -> String {
        text.split(whereSeparator: \.isNewline).joined(separator: "\n\n")
    }
}

extension String {
    /// The text without leading and trailing white space, with inner white space collapsed to single spaces, as in
    /// xs:token.
    var trimmedSpace: String { split(whereSeparator: \.isWhitespace).joined(separator: " ") }
}
