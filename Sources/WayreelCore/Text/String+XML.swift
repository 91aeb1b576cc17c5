extension String {
    /// The text between two tags of XML or HTML. Code points that XML does not allow, also not as references, become
    /// U+FFFD: control characters other than tabs and line ends, U+FFFE and U+FFFF (XML 1.0, section 2.2).
    package var xmlText: String { XMLEscapes.text.escaped(self) }

    /// The text in a quoted attribute of XML or HTML, without such code points. Line breaks and tabs, which parsers would normalise, are kept.
    package var xmlAttribute: String { XMLEscapes.attribute.escaped(self) }
}

private struct XMLEscapes {
    private let escapes: [Unicode.Scalar: String]
    /// Whether an escaped code point begins with the byte in UTF-8: most texts have none of these.
    private let isFirstByte: [Bool]

    private init(_ escapes: [Unicode.Scalar: String]) {
        self.escapes = escapes
        let firstBytes = Set(escapes.keys.compactMap { String($0).utf8.first })
        isFirstByte = (0...UInt8.max).map { firstBytes.contains($0) }
    }

    func escaped(_ text: String) -> String {
        guard text.utf8.contains(where: { isFirstByte[Int($0)] }) else { return text }
        return text.unicodeScalars.reduce(into: "") { text, scalar in
            if let escape = escapes[scalar] { text += escape } else { text.unicodeScalars.append(scalar) }
        }
    }

    static let text = XMLEscapes(textEscapes)
    static let attribute = XMLEscapes(textEscapes.merging(["\"": "&quot;", "\n": "&#10;", "\t": "&#9;"]) { $1 })

    private static let textEscapes: [Unicode.Scalar: String] = {
        let controls = (0..<0x20).map { Unicode.Scalar(UInt8($0)) }.filter { $0 != "\t" && $0 != "\n" }
        let forbidden: [Unicode.Scalar] = controls + ["\u{FFFE}", "\u{FFFF}"]
        let replacements = Dictionary(uniqueKeysWithValues: forbidden.map { ($0, "\u{FFFD}") })
        return replacements.merging(["&": "&amp;", "<": "&lt;", ">": "&gt;", "\r": "&#13;"]) { $1 }
    }()
}
