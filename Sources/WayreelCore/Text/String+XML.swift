extension String {
    /// The text between two tags of XML or HTML. Code points that XML does not allow become U+FFFD (XML 1.0, section
    /// 2.2).
    package var xmlText: String { escaped(XMLEscapes.text) }

    /// The text in a quoted attribute of XML or HTML. Line breaks and tabs, which parsers would normalise, are kept.
    package var xmlAttribute: String { escaped(XMLEscapes.attribute) }

    private func escaped(_ escapes: [Unicode.Scalar: String]) -> String {
        unicodeScalars.reduce(into: "") { text, scalar in
            if let escape = escapes[scalar] { text += escape } else { text.unicodeScalars.append(scalar) }
        }
    }
}

private enum XMLEscapes {
    static let text: [Unicode.Scalar: String] = [
        "&": "&amp;", "<": "&lt;", ">": "&gt;", "\r": "&#13;", "\u{FFFE}": "\u{FFFD}", "\u{FFFF}": "\u{FFFD}",
    ]
    static let attribute = text.merging(["\"": "&quot;", "\n": "&#10;", "\t": "&#9;"]) { $1 }
}
