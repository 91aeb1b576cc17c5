/// Converts wrapped text: a single line break is a space, an empty line begins a paragraph.
enum Paragraphs {
    /// Returns the paragraphs without indentation and wrapping, separated by line breaks.
    static func normalized(_ text: String) -> String {
        if text.isSpacedSingly { return text }
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
    var trimmedSpace: String {
        isSpacedSingly ? self : split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    /// Whether the bytes prove that all white space is single inner spaces, as in most texts.
    fileprivate var isSpacedSingly: Bool {
        var last = UInt8(ascii: " ")
        for byte in utf8 {
            switch byte {
            case UInt8(ascii: " ") where last == UInt8(ascii: " "): return false
            // Control characters, and the lead bytes of all other white space.
            case 0..<0x20, 0x7F, 0xC2, 0xE1, 0xE2, 0xE3: return false
            default: last = byte
            }
        }
        return isEmpty || last != UInt8(ascii: " ")
    }
}
