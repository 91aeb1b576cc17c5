/// Writes a tree of elements as XML, indented by two spaces.
struct XMLWriter {
    private(set) var text = #"<?xml version="1.0" encoding="UTF-8"?>"# + "\n"
    /// An element of the text, and where it was written at first.
    struct Position {
        /// Of its `<`, in bytes.
        var offset: Int
        var name: String
        var source: SourceLocation
    }

    /// In the order of the text.
    private(set) var positions: [Position] = []

    mutating func write(_ root: Element, namespace: String) {
        write(root, depth: 0, namespace: namespace)
    }

    private mutating func write(_ element: Element, depth: Int, namespace: String? = nil) {
        text += String(repeating: "  ", count: depth)
        positions.append(Position(offset: text.utf8.count, name: element.name, source: element.location))
        text += "<\(element.name)"
        if let namespace { text += #" xmlns="\#(namespace)""# }
        for attribute in element.attributes {
            text += #" \#(attribute.name)="\#(Self.escape(attribute.value, isAttribute: true))""#
        }
        guard !element.children.isEmpty || !element.text.isEmpty else {
            text += "/>\n"
            return
        }
        text += ">"
        if element.children.isEmpty {
            text += Self.escape(element.text, isAttribute: false)
        } else {
            text += "\n"
            for child in element.children { write(child, depth: depth + 1) }
            text += String(repeating: "  ", count: depth)
        }
        text += "</\(element.name)>\n"
    }

    private static func escape(_ text: String, isAttribute: Bool) -> String {
        text.unicodeScalars.reduce(into: "") { escaped, scalar in
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"" where isAttribute: escaped += "&quot;"
            case "\n" where isAttribute, "\t" where isAttribute, "\r": escaped += "&#\(scalar.value);"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
    }
}
