/// An element of a story document, from XML or YAML, with its location.
struct Element: Hashable, Sendable {
    struct Attribute: Hashable, Sendable {
        var name: String
        var value: String
        var location: SourceLocation
    }

    var name: String
    var attributes: [Attribute] = []
    var children: [Element] = []
    /// The element's own text, without that of its children.
    var text = ""
    var location: SourceLocation = .none

    subscript(attribute name: String) -> String? { attributes.first { $0.name == name }?.value }

    func child(_ name: String) -> Element? { children.first { $0.name == name } }

    func children(_ name: String) -> [Element] { children.filter { $0.name == name } }
}

/// A line and a column of a document, counted from 1.
struct SourceLocation: Hashable, Sendable, Comparable {
    static let none = SourceLocation(line: 0, column: 0)

    var line: Int
    var column: Int

    static func < (a: SourceLocation, b: SourceLocation) -> Bool { (a.line, a.column) < (b.line, b.column) }
}
