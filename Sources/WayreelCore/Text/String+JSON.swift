extension String {
    /// The text as a quoted string of JSON (RFC 8259, section 7).
    package var jsonQuoted: String {
        unicodeScalars.reduce(into: "\"") { text, scalar in
            switch scalar {
            case "\"", "\\": text += "\\\(scalar)"
            case "\n": text += "\\n"
            case "\t": text += "\\t"
            case "\0"..<" ":
                text += "\\u" + String(scalar.value, paddedTo: 4, radix: 16)
            default: text.unicodeScalars.append(scalar)
            }
        } + "\""
    }
}
