internal import WayreelCore

/// Markup that is well-formed as HTML and XML. Literals are markup; interpolated text is escaped, in elements and
/// quoted attributes.
struct Markup: ExpressibleByStringInterpolation {
    private(set) var text: String

    /// Adopts existing markup.
    init(_ text: String) { self.text = text }

    init(stringLiteral text: String) { self.text = text }

    init(stringInterpolation: StringInterpolation) { text = stringInterpolation.text }

    struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var text = ""

        init(literalCapacity: Int, interpolationCount: Int) {}

        mutating func appendLiteral(_ literal: String) { text += literal }

        mutating func appendInterpolation(_ text: String) { self.text += text.onOneLine.xmlAttribute }

        mutating func appendInterpolation(_ number: Int) { text += String(number) }

        mutating func appendInterpolation(_ markup: Markup) { text += markup.text }

        mutating func appendInterpolation(_ parts: [Markup]) { for part in parts { text += part.text } }
    }

    static func + (first: Markup, second: Markup) -> Markup { Markup(first.text + second.text) }
}

extension [Markup] {
    func joined(separator: Markup) -> Markup { Markup(map(\.text).joined(separator: separator.text)) }
}
