internal import WayreelCore

/// Markup that is well-formed as HTML and XML. Literals are markup; interpolated text is escaped, in elements and
/// attributes.
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

        mutating func appendInterpolation(_ text: String) { self.text += Markup.escaped(text) }

        mutating func appendInterpolation(_ number: Int) { text += String(number) }

        mutating func appendInterpolation(_ markup: Markup) { text += markup.text }

        mutating func appendInterpolation(_ parts: [Markup]) { for part in parts { text += part.text } }
    }

    static func + (first: Markup, second: Markup) -> Markup { Markup(first.text + second.text) }

    /// Escapes control characters and code points that XML does not allow (XML 1.0, section 2.2).
    private static func escaped(_ text: String) -> String {
        let entities: [Unicode.Scalar: String] = [
            "&": "&amp;", "<": "&lt;", ">": "&gt;", "\"": "&quot;", "'": "&#39;", "\u{FFFE}": "\u{FFFD}",
            "\u{FFFF}": "\u{FFFD}",
        ]
        return text.onOneLine.unicodeScalars.reduce(into: "") { result, scalar in
            if let entity = entities[scalar] { result += entity } else { result.unicodeScalars.append(scalar) }
        }
    }
}

extension [Markup] {
    func joined(separator: Markup) -> Markup { Markup(map(\.text).joined(separator: separator.text)) }
}
