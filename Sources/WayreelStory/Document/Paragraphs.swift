/// Text as documents wrap it: a single line break is a space, an empty line begins a paragraph.
enum Paragraphs {
    /// Paragraphs without indentation and wrapping, with a line break between each and the next.
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

    /// The text of which ``normalized(_:)`` makes `text` again.
    static func written(_ text: String) -> String {
        text.split(whereSeparator: \.isNewline).joined(separator: "\n\n")
    }
}

extension String {
    /// Without white space at its ends, and with a single space for each inside, as xs:token has it.
    var trimmedSpace: String {
        isSpacedSingly ? self : split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    /// Whether it is known by its bytes to hold no other white space than single spaces inside; most texts are so.
    fileprivate var isSpacedSingly: Bool {
        var last = UInt8(ascii: " ")
        for byte in utf8 {
            switch byte {
            case UInt8(ascii: " ") where last == UInt8(ascii: " "): return false
            // Control characters, and the first bytes of all white space beyond ASCII.
            case 0..<0x20, 0x7F, 0xC2, 0xE1, 0xE2, 0xE3: return false
            default: last = byte
            }
        }
        return isEmpty || last != UInt8(ascii: " ")
    }
}
