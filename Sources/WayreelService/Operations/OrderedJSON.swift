internal import WayreelCore
internal import WayreelDocument
internal import WayreelPages

/// A JSON value whose objects keep the order of their members, for documents that people read.
///
/// Objects are written without the members that are nil: `["a": nil]` is `{}`.
enum OrderedJSON: Equatable {
    typealias Member = (key: String, value: OrderedJSON)

    case object([Member])
    case array([OrderedJSON])
    case text(String)
    /// A number, a boolean, or null, as JSON writes it.
    case literal(String)

    /// Reads a file of `Documentation/` that is embedded in the program, in YAML or JSON.
    static func document(_ name: String) throws(MediaError) -> OrderedJSON {
        let location = DocumentLocation(.settings, file: name)
        guard let node = try YAMLDocument.parse(PageFile.documents[name] ?? [], at: location) else {
            throw location.fault("it is missing")
        }
        return OrderedJSON(node)
    }

    private init(_ node: YAMLNode) {
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

    static func == (one: OrderedJSON, other: OrderedJSON) -> Bool { one.json == other.json }

    var members: [Member] { if case .object(let members) = self { members } else { [] } }
    var items: [OrderedJSON] { if case .array(let items) = self { items } else { [] } }
    var text: String? { if case .text(let text) = self { text } else { nil } }

    /// The items, with those of lists in their places.
    var joinedItems: [OrderedJSON] {
        items.flatMap { item in if case .array = item { item.joinedItems } else { [item] } }
    }

    subscript(key: String) -> OrderedJSON? {
        get { members.first { $0.key == key }?.value }
        set {
            var members = members.filter { $0.key != key }
            if let newValue { members.append((key, newValue)) }
            self = .object(members)
        }
    }

    /// Returns the value with other references in its schemas.
    func replacingReferences(_ replace: (String) -> String) -> OrderedJSON {
        switch self {
        case .object(let members):
            .object(
                members.map { key, value in
                    guard key == "$ref", let reference = value.text else {
                        return (key, value.replacingReferences(replace))
                    }
                    return (key, .text(replace(reference)))
                })
        case .array(let items): .array(items.map { $0.replacingReferences(replace) })
        case .text, .literal: self
        }
    }

    var json: String {
        switch self {
        case .object(let members):
            "{\(members.map { "\($0.key.jsonQuoted):\($0.value.json)" }.joined(separator: ","))}"
        case .array(let items): "[\(items.map(\.json).joined(separator: ","))]"
        case .text(let text): text.jsonQuoted
        case .literal(let text): text
        }
    }
}

extension OrderedJSON: ExpressibleByDictionaryLiteral, ExpressibleByArrayLiteral, ExpressibleByStringLiteral,
    ExpressibleByBooleanLiteral
{
    init(dictionaryLiteral elements: (String, OrderedJSON?)...) {
        self = .object(elements.compactMap { key, value in value.map { (key, $0) } })
    }

    init(arrayLiteral elements: OrderedJSON...) { self = .array(elements) }
    init(stringLiteral value: String) { self = .text(value) }
    init(booleanLiteral value: Bool) { self = .literal("\(value)") }
}

/// Values that may be missing, as members of others are.
extension OrderedJSON? {
    var members: [OrderedJSON.Member] { self?.members ?? [] }
    var items: [OrderedJSON] { self?.items ?? [] }
    var joinedItems: [OrderedJSON] { self?.joinedItems ?? [] }
    var text: String? { self?.text }

    subscript(key: String) -> OrderedJSON? { self?[key] }
}
