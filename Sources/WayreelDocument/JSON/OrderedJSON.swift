internal import WayreelCore

/// A JSON value whose objects keep the order of their members, for documents that people read.
///
/// Objects are written without the members that are nil: `["a": nil]` is `{}`.
package enum OrderedJSON: Equatable {
    package typealias Member = (key: String, value: OrderedJSON)

    case object([Member])
    case array([OrderedJSON])
    case text(String)
    /// A number, a boolean, or null, as JSON writes it.
    case literal(String)

    /// Takes a value of YAML or JSON.
    package init(_ node: YAMLNode) {
        switch node.content {
        case .mapping(let fields): self = .object(fields.map { ($0.key, OrderedJSON($0.value)) })
        case .sequence(let items): self = .array(items.map { OrderedJSON($0) })
        case .scalar(let text, let isPlain):
            let isLiteral = isPlain && (["true", "false", "null"].contains(text) || Self.isNumber(text))
            self = isLiteral ? .literal(text) : .text(text)
        }
    }

    private static func isNumber(_ text: String) -> Bool {
        Double(text) != nil && text.allSatisfy { $0.isNumber || "+-.e".contains($0) }
    }

    package static func == (one: OrderedJSON, other: OrderedJSON) -> Bool { one.json == other.json }

    package var members: [Member] { if case .object(let members) = self { members } else { [] } }
    package var items: [OrderedJSON] { if case .array(let items) = self { items } else { [] } }
    package var text: String? { if case .text(let text) = self { text } else { nil } }

    /// A new member follows the others, also in place of one with its key.
    package subscript(key: String) -> OrderedJSON? {
        get { members.first { $0.key == key }?.value }
        set {
            var members = members.filter { $0.key != key }
            if let newValue { members.append((key, newValue)) }
            self = .object(members)
        }
    }

    /// The value without white space.
    package var json: String {
        switch self {
        case .object(let members):
            "{\(members.map { "\($0.key.jsonQuoted):\($0.value.json)" }.joined(separator: ","))}"
        case .array(let items): "[\(items.map(\.json).joined(separator: ","))]"
        case .text(let text): text.jsonQuoted
        case .literal(let text): text
        }
    }

    /// The value in lines for people: each member and each item has its own, but for items that are all texts.
    package func lines(indent: String = "") -> String {
        let inner = indent + "  "
        switch self {
        case .text, .literal: return json
        case .array(let items):
            if items.allSatisfy({ $0.text != nil }) { return "[\(items.map(\.json).joined(separator: ", "))]" }
            return "[\n\(items.map { inner + $0.lines(indent: inner) }.joined(separator: ",\n"))\n\(indent)]"
        case .object(let members):
            if members.isEmpty { return "{}" }
            let lines = members.map { "\(inner)\($0.key.jsonQuoted): \($0.value.lines(indent: inner))" }
            return "{\n\(lines.joined(separator: ",\n"))\n\(indent)}"
        }
    }
}

extension OrderedJSON: ExpressibleByDictionaryLiteral, ExpressibleByArrayLiteral, ExpressibleByStringLiteral,
    ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral
{
    package init(dictionaryLiteral elements: (String, OrderedJSON?)...) {
        self = .object(elements.compactMap { key, value in value.map { (key, $0) } })
    }

    package init(arrayLiteral elements: OrderedJSON...) { self = .array(elements) }
    package init(stringLiteral value: String) { self = .text(value) }
    package init(booleanLiteral value: Bool) { self = .literal("\(value)") }
    package init(integerLiteral value: Int) { self = .literal("\(value)") }
}

/// Values that may be missing, as members of others are.
extension OrderedJSON? {
    package var members: [OrderedJSON.Member] { self?.members ?? [] }
    package var items: [OrderedJSON] { self?.items ?? [] }
    package var text: String? { self?.text }

    package subscript(key: String) -> OrderedJSON? { self?[key] }
}
