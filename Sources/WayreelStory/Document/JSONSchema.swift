internal import WayreelCore

/// The JSON Schema of story documents in YAML, generated from the vocabulary.
enum JSONSchema {
    /// A value of JSON that keeps the order of its members.
    private indirect enum Node {
        case text(String)
        /// A number, or true or false, as it is written.
        case literal(String)
        case list([Node])
        case object([(String, Node)])
    }

    /// The text of the schema.
    static var text: String {
        let types = ElementType.allCases.filter { $0.rule.name != "Paragraphs" }
        let root: [(String, Node)] = [
            ("$schema", .text("http://json-schema.org/draft-07/schema#")),
            ("title", .text("A story of Wayreel in YAML")),
            ("description", .text("Made by `wayreel story schema`.")), ("type", .text("object")),
            ("properties", .object([(Vocabulary.root.name, reference(Vocabulary.root.type))])),
            ("required", .list([.text(Vocabulary.root.name)])), ("additionalProperties", .literal("false")),
            ("definitions", .object(types.map { ($0.rule.name, definition($0.rule)) })),
        ]
        return written(.object(root), indent: "") + "\n"
    }

    // MARK: Elements

    private static func definition(_ rule: ElementRule) -> Node {
        switch rule.content {
        case .text(let type):
            guard !rule.attributes.isEmpty else { return value(type) }
            return .object([
                (
                    "anyOf",
                    .list([
                        value(type),
                        mapping(rule, [(YAMLReader.textKey, value(type))], required: [YAMLReader.textKey]),
                    ])
                )
            ])
        case .rich:
            guard !rule.attributes.isEmpty else { return value(.commonMark) }
            return mapping(rule, [(YAMLReader.textKey, value(.commonMark))], required: [YAMLReader.textKey])
        case .richOrList(let child):
            let list = Node.object([
                ("type", .text("array")), ("items", reference(child.type)), ("minItems", .literal("1")),
            ])
            let text = Node.object([("anyOf", .list([value(.commonMark), list]))])
            return mapping(
                rule, [(YAMLReader.textKey, described(text, rule, YAMLReader.textKey))],
                required: [YAMLReader.textKey])
        case .empty: return mapping(rule, [], required: [])
        case .sequence(let children):
            let members = children.map { child in (child.plural ?? child.name, member(child, of: rule)) }
            let needed = children.filter { $0.isNeeded && $0.choice == nil }.map { $0.plural ?? $0.name }
            return mapping(rule, members, required: needed, choice: children.filter { $0.choice != nil })
        case .list(let children, let count):
            let item = Node.object([
                ("type", .text("object")),
                ("properties", .object(children.map { ($0.name, described(reference($0.type), rule, $0.name)) })),
                ("additionalProperties", .literal("false")), ("minProperties", .literal("1")),
                ("maxProperties", .literal("1")),
            ])
            guard count.upperBound > 1 else { return item }
            return .object([
                ("type", .text("array")), ("items", item), ("minItems", .literal("\(count.lowerBound)")),
                ("maxItems", .literal("\(count.upperBound)")),
            ])
        }
    }

    private static func mapping(
        _ rule: ElementRule, _ members: [(String, Node)], required: [String], choice: [ChildRule] = []
    ) -> Node {
        let attributes = rule.attributes.map { attribute in
            var node = value(attribute.type)
            if case .object(var fields) = node, let value = attribute.defaultValue {
                fields.append(("default", attribute.type.isNumberOrFlag ? .literal(value) : .text(value)))
                node = .object(fields)
            }
            return (attribute.name, described(node, rule, attribute.name))
        }
        let needed = rule.attributes.filter(\.isRequired).map(\.name) + required
        var fields: [(String, Node)] = [("type", .text("object")), ("properties", .object(attributes + members))]
        if !needed.isEmpty { fields.append(("required", .list(needed.map { .text($0) }))) }
        fields.append(("additionalProperties", .literal("false")))
        if !choice.isEmpty {
            let kinds = choice.map { Node.object([("required", .list([.text($0.name)]))]) }
            let none = Node.object([("not", .object([("anyOf", .list(kinds))]))])
            fields.append(("oneOf", .list(choice.contains { !$0.isNeeded } ? kinds + [none] : kinds)))
        }
        return .object(fields)
    }

    /// The value of a child's key. A list of texts with one item may be that text.
    private static func member(_ child: ChildRule, of rule: ElementRule) -> Node {
        guard child.plural != nil else { return described(reference(child.type), rule, child.name) }
        var list: [(String, Node)] = [("type", .text("array")), ("items", reference(child.type))]
        if child.isNeeded { list.append(("minItems", .literal("1"))) }
        guard case .text = child.type.rule.content else { return described(.object(list), rule, child.plural ?? "") }
        return described(.object([("anyOf", .list([.object(list), reference(child.type)]))]), rule, child.plural ?? "")
    }

    private static func reference(_ type: ElementType) -> Node {
        if type.rule.name == "Paragraphs" { return value(.text) }
        return .object([("$ref", .text("#/definitions/\(type.rule.name)"))])
    }

    /// Adds the summary of a key. Beside a `$ref` drafts before 2019 ignore it, so that this is in a list of one.
    private static func described(_ node: Node, _ rule: ElementRule, _ key: String) -> Node {
        guard case .object(var fields) = node, let summary = Vocabulary.summary(of: key, in: rule) else { return node }
        if fields.first?.0 == "$ref" { fields = [("allOf", .list([node]))] }
        return .object([("description", .text(summary))] + fields.filter { $0.0 != "description" })
    }

    // MARK: Values

    private static func value(_ type: TextRule) -> Node {
        var fields: [(String, Node)] = [("description", .text(type.expectation))]
        switch type.base {
        case "xs:boolean": fields.append(("type", .text("boolean")))
        case "xs:decimal", "xs:integer", "xs:positiveInteger":
            fields.append(("type", .text(type.base == "xs:decimal" ? "number" : "integer")))
            if type.base == "xs:positiveInteger" { fields.append(("minimum", .literal("1"))) }
            for (facet, keyword) in [
                ("minInclusive", "minimum"), ("minExclusive", "exclusiveMinimum"), ("maxInclusive", "maximum"),
            ] {
                if let bound = type.facet(facet).flatMap({ Double($0) }) {
                    fields.append((keyword, .literal(DecimalNumber.text(bound))))
                }
            }
        default: return text(type, fields)
        }
        return .object(fields)
    }

    /// A text. Where YAML reads it as a number or a truth value, it may stand without quotes, unless its form matters.
    private static func text(_ type: TextRule, _ described: [(String, Node)]) -> Node {
        var fields = described
        let words = type.facets("enumeration")
        guard words.isEmpty else { return .object(fields + [("enum", .list(words.map { .text($0) }))]) }
        if type.name == TextRule.days.name {
            let days = TimeWindow.Day.allCases.map { Node.text($0.rawValue) }
            let list = Node.object([
                ("type", .text("array")), ("items", .object([("enum", .list(days))])), ("minItems", .literal("1")),
            ])
            let line = Node.object([
                ("type", .text("string")), ("pattern", .text(anchored(type.facet("pattern") ?? ""))),
            ])
            return .object(fields + [("anyOf", .list([list, line]))])
        }
        let isFree = [TextRule.text, .commonMark, .line, .id, .path, .hash].contains { $0.name == type.name }
        fields.append(
            ("type", isFree ? .list([.text("string"), .text("number"), .text("boolean")]) : .text("string")))
        if let pattern = type.facet("pattern") {
            fields.append(("pattern", .text(anchored(pattern))))
        }
        for facet in ["minLength", "maxLength"] {
            if let length = type.facet(facet) { fields.append((facet, .literal(length))) }
        }
        return .object(fields)
    }

    /// A pattern of XML Schema holds for the whole text.
    private static func anchored(_ pattern: String) -> String { "^(?:\(pattern))$" }

    // MARK: Writing

    private static func written(_ node: Node, indent: String) -> String {
        let inner = indent + "  "
        switch node {
        case .text(let text): return text.jsonQuoted
        case .literal(let text): return text
        case .list(let items):
            let isShort = items.allSatisfy { if case .text = $0 { true } else { false } }
            if isShort { return "[\(items.map { written($0, indent: "") }.joined(separator: ", "))]" }
            return "[\n" + items.map { inner + written($0, indent: inner) }.joined(separator: ",\n") + "\n\(indent)]"
        case .object(let members):
            if members.isEmpty { return "{}" }
            return "{\n"
                + members.map { "\(inner)\($0.0.jsonQuoted): \(written($0.1, indent: inner))" }.joined(separator: ",\n")
                + "\n\(indent)}"
        }
    }
}
