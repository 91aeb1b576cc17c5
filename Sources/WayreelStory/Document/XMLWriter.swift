internal import WayreelCore

/// Writes a tree of elements as XML, indented by two spaces.
struct XMLWriter {
    private(set) var text = #"<?xml version="1.0" encoding="UTF-8"?>"# + "\n"
    /// An element's position in the text, and its original location.
    struct Position {
        /// The offset of its `<` in bytes.
        var offset: Int
        var name: String
        var source: SourceLocation
    }

    /// The positions in the order of the text.
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
            text += #" \#(attribute.name)="\#(attribute.value.xmlAttribute)""#
        }
        guard !element.children.isEmpty || !element.text.isEmpty else {
            text += "/>\n"
            return
        }
        text += ">"
        if element.children.isEmpty {
            text += element.text.xmlText
        } else {
            text += "\n"
            for child in element.children { write(child, depth: depth + 1) }
            text += String(repeating: "  ", count: depth)
        }
        text += "</\(element.name)>\n"
    }
}
