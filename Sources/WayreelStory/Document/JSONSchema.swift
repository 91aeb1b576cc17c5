internal import WayreelCore
internal import WayreelDocument

/// The JSON Schema of story documents in YAML, generated from the vocabulary.
enum JSONSchema {
    /// The text of the schema.
    static var text: String {
        let types = ElementType.allCases.filter { $0.rule.name != "Paragraphs" }
        let root: OrderedJSON = [
            "$schema": "http://json-schema.org/draft-07/schema#", "title": "A story of Wayreel in YAML",
            "description": "Made by `wayreel story schema`.", "type": "object",
            "properties": .object([(Vocabulary.root.name, reference(Vocabulary.root.type))]),
            "required": [.text(Vocabulary.root.name)], "additionalProperties": false,
            "definitions": .object(types.map { ($0.rule.name, definition($0.rule)) }),
        ]
        return root.lines() + "\n"
    }

    // MARK: Elements

    private static func definition(_ rule: ElementRule) -> OrderedJSON {
        switch rule.content {
        case .text(let type):
            guard !rule.attributes.isEmpty else { return value(type) }
            let whole = mapping(rule, [(YAMLReader.textKey, value(type))], required: [YAMLReader.textKey])
            return ["anyOf": [value(type), whole]]
        case .rich:
            guard !rule.attributes.isEmpty else { return value(.commonMark) }
            return mapping(rule, [(YAMLReader.textKey, value(.commonMark))], required: [YAMLReader.textKey])
        case .richOrList(let child):
            let list: OrderedJSON = ["type": "array", "items": reference(child.type), "minItems": 1]
            let text: OrderedJSON = ["anyOf": [value(.commonMark), list]]
            return mapping(
                rule, [(YAMLReader.textKey, described(text, rule, YAMLReader.textKey))],
                required: [YAMLReader.textKey])
        case .empty: return mapping(rule, [], required: [])
        case .sequence(let children):
            let members = children.map { child -> OrderedJSON.Member in
                (child.plural ?? child.name, member(child, of: rule))
            }
            let needed = children.filter { $0.isNeeded && $0.choice == nil }.map { $0.plural ?? $0.name }
            return mapping(rule, members, required: needed, choice: children.filter { $0.choice != nil })
        case .list(let children, let count):
            let item: OrderedJSON = [
                "type": "object",
                "properties": .object(children.map { ($0.name, described(reference($0.type), rule, $0.name)) }),
                "additionalProperties": false, "minProperties": 1, "maxProperties": 1,
            ]
            guard count.upperBound > 1 else { return item }
            return [
                "type": "array", "items": item, "minItems": .literal("\(count.lowerBound)"),
                "maxItems": .literal("\(count.upperBound)"),
            ]
        }
    }

    private static func mapping(
        _ rule: ElementRule, _ members: [OrderedJSON.Member], required: [String], choice: [ChildRule] = []
    ) -> OrderedJSON {
        let attributes = rule.attributes.map { attribute -> OrderedJSON.Member in
            var node = value(attribute.type)
            if let value = attribute.defaultValue {
                node["default"] = attribute.type.isNumberOrFlag ? .literal(value) : .text(value)
            }
            return (attribute.name, described(node, rule, attribute.name))
        }
        let needed = rule.attributes.filter(\.isRequired).map(\.name) + required
        var node: OrderedJSON = ["type": "object", "properties": .object(attributes + members)]
        if !needed.isEmpty { node["required"] = .array(needed.map { .text($0) }) }
        node["additionalProperties"] = false
        if !choice.isEmpty {
            let kinds = choice.map { OrderedJSON.object([("required", [.text($0.name)])]) }
            let none: OrderedJSON = ["not": ["anyOf": .array(kinds)]]
            node["oneOf"] = .array(choice.contains { !$0.isNeeded } ? kinds + [none] : kinds)
        }
        return node
    }

    /// The value of a child's key. A list of texts with one item may be that text.
    private static func member(_ child: ChildRule, of rule: ElementRule) -> OrderedJSON {
        guard let plural = child.plural else { return described(reference(child.type), rule, child.name) }
        let list: OrderedJSON = [
            "type": "array", "items": reference(child.type), "minItems": child.isNeeded ? 1 : nil,
        ]
        guard case .text = child.type.rule.content else { return described(list, rule, plural) }
        return described(["anyOf": [list, reference(child.type)]], rule, plural)
    }

    private static func reference(_ type: ElementType) -> OrderedJSON {
        if type.rule.name == "Paragraphs" { return value(.text) }
        return ["$ref": .text("#/definitions/\(type.rule.name)")]
    }

    /// Adds the summary of a key. Beside a `$ref` drafts before 2019 ignore it, so that this is in a list of one.
    private static func described(_ node: OrderedJSON, _ rule: ElementRule, _ key: String) -> OrderedJSON {
        guard let summary = Vocabulary.summary(of: key, in: rule) else { return node }
        let isReference = node.members.first?.key == "$ref"
        let members: [OrderedJSON.Member] = isReference ? [("allOf", [node])] : node.members
        return .object([("description", .text(summary))] + members.filter { $0.key != "description" })
    }

    // MARK: Values

    private static func value(_ type: TextRule) -> OrderedJSON {
        var node: OrderedJSON = ["description": .text(type.expectation)]
        switch type.base {
        case "xs:boolean": node["type"] = "boolean"
        case "xs:decimal", "xs:integer", "xs:positiveInteger":
            node["type"] = .text(type.base == "xs:decimal" ? "number" : "integer")
            if type.base == "xs:positiveInteger" { node["minimum"] = 1 }
            for (facet, keyword) in [
                ("minInclusive", "minimum"), ("minExclusive", "exclusiveMinimum"), ("maxInclusive", "maximum"),
            ] {
                if let bound = type.facet(facet).flatMap({ Double($0) }) {
                    node[keyword] = .literal(DecimalNumber.text(bound))
                }
            }
        default: addText(type, to: &node)
        }
        return node
    }

    /// A text. Where YAML reads it as a number or a truth value, it may stand without quotes, unless its form matters.
    private static func addText(_ type: TextRule, to node: inout OrderedJSON) {
        let words = type.facets("enumeration")
        if !words.isEmpty {
            node["enum"] = .array(words.map { .text($0) })
        } else if type.name == TextRule.days.name {
            let days = TimeWindow.Day.allCases.map { OrderedJSON.text($0.rawValue) }
            node["anyOf"] = [
                ["type": "array", "items": ["enum": .array(days)], "minItems": 1],
                ["type": "string", "pattern": .text(anchored(type.facet("pattern") ?? ""))],
            ]
        } else {
            let isFree = [TextRule.text, .commonMark, .line, .id, .path, .hash].contains { $0.name == type.name }
            node["type"] = isFree ? ["string", "number", "boolean"] : "string"
            if let pattern = type.facet("pattern") { node["pattern"] = .text(anchored(pattern)) }
            for facet in ["minLength", "maxLength"] {
                if let length = type.facet(facet) { node[facet] = .literal(length) }
            }
        }
    }

    /// A pattern of XML Schema holds for the whole text.
    private static func anchored(_ pattern: String) -> String { "^(?:\(pattern))$" }
}
