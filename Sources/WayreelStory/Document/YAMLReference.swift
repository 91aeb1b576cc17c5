internal import WayreelCore

/// A reference of story documents in YAML, in Markdown, generated from the vocabulary.
enum YAMLReference {
    static var text: String {
        let sections = ElementType.allCases.filter(hasSection).map(section)
        return sections.joined(separator: "\n") + "\n"
    }

    /// Elements that are only a text need no section, and lists of conditions have that of a condition.
    private static func hasSection(_ type: ElementType) -> Bool {
        switch type.rule.content {
        case .text, .rich: return !type.rule.attributes.isEmpty
        default: return type != .conditions
        }
    }

    private static func section(_ type: ElementType) -> String {
        let rule = type.rule
        var lines = ["## \(title(type))", "", introduction(rule), "", "| Key | Value | Meaning |", "|---|---|---|"]
        func add(_ key: String, isNeeded: Bool, _ value: String) {
            let meaning = Vocabulary.summary(of: key, in: rule) ?? ""
            lines.append("| `\(key)`\(isNeeded ? " *" : "") | \(value) | \(meaning) |")
        }
        if case .text = rule.content { add(YAMLReader.textKey, isNeeded: true, "a text") }
        if case .rich = rule.content { add(YAMLReader.textKey, isNeeded: true, richText) }
        if case .richOrList = rule.content { add(YAMLReader.textKey, isNeeded: true, "a text, or a list of texts") }
        for attribute in rule.attributes {
            let value = attribute.type.facets("enumeration").map { "`\($0)`" }
            let usual = attribute.defaultValue.map { ", default `\($0)`" } ?? ""
            add(
                attribute.name, isNeeded: attribute.isRequired,
                (value.isEmpty ? attribute.type.expectation : value.alternatives) + usual)
        }
        for child in rule.children where !rule.content.isText {
            let key = child.plural ?? child.name
            add(key, isNeeded: child.isNeeded && child.choice == nil && !rule.isList, value(child))
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func introduction(_ rule: ElementRule) -> String {
        switch rule.content {
        case .list(_, let count) where count.upperBound == 1: return "One of these keys."
        case .list: return "A list. Each item has one of these keys."
        case .text, .rich: return "A text, or a mapping."
        case .empty, .sequence, .richOrList:
            let choice = rule.children.filter { $0.choice != nil }
            guard let first = choice.first else { return "A mapping. Keys with * are needed." }
            let names = choice.map { "`\($0.name)`" }.alternatives
            return "A mapping. Keys with * are needed, and \(first.isNeeded ? "one" : "at most one") of \(names)."
        }
    }

    private static func value(_ child: ChildRule) -> String {
        let one: String
        switch child.type {
        case .conditions: one = "list of [conditions](#condition)"
        case .rich: one = richText
        case let type where !hasSection(type):
            guard case .text(let rule) = type.rule.content else { return "" }
            if child.plural != nil {
                return rule.name == TextRule.text.name ? "list of texts" : "list of lines of text"
            }
            one = rule.expectation
        case let type: one = "[\(title(type))](#\(title(type).replacing(" ", with: "-")))"
        }
        return child.plural == nil ? one : "list of \(one)"
    }

    private static let richText = "a text in [CommonMark](https://commonmark.org/help/)"

    /// The heading: the type's name in words.
    private static func title(_ type: ElementType) -> String {
        switch type {
        case .overlaidText: "overlaid text"
        case .translatedText: "translated text"
        case .asset: "file"
        default: type.rawValue
        }
    }
}

extension ElementRule {
    fileprivate var isList: Bool { if case .list = content { true } else { false } }
}
