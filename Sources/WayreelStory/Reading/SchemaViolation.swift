internal import WayreelCore

/// A schema violation, parsed from a message of libxml2.
///
/// libxml2 2.9 writes `Element '{namespace}event', attribute 'radius': [facet 'minExclusive'] The value '0' must be …`.
struct SchemaViolation {
    /// The name of the element, without its namespace.
    let element: String
    private let code: Int
    private let plain: String
    /// The parts of the message in quotation marks.
    private let quoted: [String]

    /// libxml2's codes of violations (xmlerror.h).
    private enum Code {
        static let value = 1824
        static let facets = 1829...1840
        static let attributeNotAllowed = 1866
        static let attributeMissing = 1868
        static let content = 1871
    }

    init(code: Int, _ text: String) {
        self.code = code
        plain = text.replacing("{\(XMLSchema.namespace)}", with: "")
        quoted = plain.split(separator: "'", omittingEmptySubsequences: false).enumerated()
            .filter { $0.offset % 2 == 1 }.map { String($0.element) }
        element = quoted.first ?? "?"
    }

    /// The attribute that is missing; nil for other violations.
    var missingAttribute: String? { code == Code.attributeMissing ? quoted.dropFirst().first : nil }

    /// The problem and the expected content, in the words of the document's format. `found`: the element in the
    /// document, and the one that it is in.
    func message(_ found: Element?, in parent: Element?, _ words: DocumentWords) -> String {
        switch code {
        case Code.value, Code.facets: value(found, words)
        case Code.attributeMissing:
            "\(words.element(element)) has no '\(quoted.dropFirst().first ?? "?")', which it needs"
        case Code.attributeNotAllowed: unknownAttribute(quoted.dropFirst().first ?? "?", words)
        case Code.content:
            plain.contains("Missing child")
                ? Self.missing(element, in: found, words) ?? plain.trimmedSpace : unexpected(in: parent, words)
        default: plain.trimmedSpace
        }
    }

    /// Whether the violation is that the element's parent lacks something that belongs before the element.
    func isOfParent(_ parent: Element?) -> Bool {
        guard code == Code.content, !plain.contains("Missing child"), let parent else { return false }
        return Vocabulary.rules(of: parent.name).contains { rule in
            guard case .sequence(let children) = rule.content,
                let place = children.firstIndex(where: { $0.name == element })
            else { return false }
            return children[..<place].contains { child in
                child.isNeeded && child.choice == nil && parent.child(child.name) == nil
            }
        }
    }

    /// What the parent of the element lacks.
    func messageOfParent(_ parent: Element, _ words: DocumentWords) -> String {
        Self.missing(parent.name, in: parent, words) ?? plain.trimmedSpace
    }

    // MARK: Values

    private func value(_ element: Element?, _ words: DocumentWords) -> String {
        let attribute = plain.contains("', attribute '") ? quoted.dropFirst().first : nil
        let values = quoted.dropFirst(attribute == nil ? 1 : 2)
        // A facet's message has the name of the facet before the value, if it quotes the value at all.
        let quotedValue = Code.facets.contains(code) ? values.dropFirst().first : values.first
        // A message about a length ends with it and the allowed one.
        let length = plain.contains("has a length of") ? values.dropLast().last : nil
        var value = length.map { $0 == "0" ? "" : "\($0) characters" } ?? quotedValue ?? ""
        // A message that quotes a value with an apostrophe ends there, as in 38°43'20".
        let whole = attribute.flatMap { element?[attribute: $0]?.trimmedSpace }
        if length == nil, let whole, whole.contains("'") { value = whole }
        let type = Vocabulary.rules(of: self.element).lazy.compactMap { rule in
            if let attribute { return rule.attributes.first { $0.name == attribute }?.type }
            guard case .text(let type) = rule.content else { return nil }
            return type
        }.first
        let subject = attribute.map { "'\($0)' of \(words.element(self.element))" } ?? words.element(self.element)
        let found = value.isEmpty ? "nothing" : "'\(value.prefix(60))'"
        let advice = type.flatMap { Self.advice(on: value, $0, element) }.map { "; \($0)" } ?? ""
        return "\(subject) takes \(type?.expectation ?? "something else"), not \(found)\(advice)"
    }

    private static func advice(on value: String, _ type: TextRule, _ element: Element?) -> String? {
        if [TextRule.latitude.name, TextRule.longitude.name].contains(type.name), element?.seemsSwapped == true {
            return "are latitude and longitude swapped?"
        }
        return ValueAdvice.advice(on: value, type)
    }

    private func unknownAttribute(_ attribute: String, _ words: DocumentWords) -> String {
        let known = Set(Vocabulary.rules(of: element).flatMap { $0.attributes.map(\.name) }).sorted()
        let advice =
            nearestName(to: attribute, in: known).map { "did you mean '\($0)'?" }
            ?? (known.isEmpty ? "it has none" : "it takes \(known.joined(separator: ", "))")
        return "\(words.element(element)) has no attribute '\(attribute)'; \(advice)"
    }

    // MARK: Content

    /// What an element lacks.
    private static func missing(_ element: String, in found: Element?, _ words: DocumentWords) -> String? {
        let present = Set((found?.children ?? []).map(\.name))
        let subject = words.element(element)
        var parts: [String] = []
        for rule in Vocabulary.rules(of: element) where parts.isEmpty {
            switch rule.content {
            case .sequence(let children):
                let needed = children.filter { $0.isNeeded && $0.choice == nil && !present.contains($0.name) }
                if !needed.isEmpty {
                    parts.append(
                        "\(subject) has no \(needed.map(words.child).joined(separator: " and no ")), which it needs")
                }
                let choice = children.filter { $0.isNeeded && $0.choice != nil }
                if !choice.isEmpty, !choice.contains(where: { present.contains($0.name) }) {
                    parts.append("\(subject) has no kind, one of \(choice.map(words.child).joined(separator: ", "))")
                }
            case .list(let children, _):
                parts.append("\(subject) is empty; it takes \(children.map(words.child).alternatives)")
            case .empty, .text: continue
            }
        }
        return parts.isEmpty ? nil : parts.joined(separator: "; ")
    }

    /// Parses `This element is not expected. Expected is one of ( a, b ).`
    private func unexpected(in parent: Element?, _ words: DocumentWords) -> String {
        if let parent, let kinds = kinds(in: parent) {
            let names = kinds.map(words.element).joined(separator: " and ")
            return
                "\(words.element(parent.name)) has \(names), but takes one of them; \(parent.name == "event" ? "make an event of each" : "leave one out")"
        }
        let list = plain.split(separator: "(").last.map { $0.prefix { $0 != ")" } } ?? ""
        let expected = list.split(separator: ",").map { String($0).trimmedSpace }.filter { !$0.hasPrefix("##") }
        let subject = words.element(element)
        if let near = nearestName(to: element, in: expected), near != element {
            return "there is no \(subject) here; did you mean \(words.element(near))?"
        }
        return "\(subject) is not expected here"
            + (expected.isEmpty ? "" : ", but \(expected.map(words.element).alternatives)")
    }

    /// The elements of a choice of which a parent has more than one, including this one.
    private func kinds(in parent: Element) -> [String]? {
        for case .sequence(let children) in Vocabulary.rules(of: parent.name).map(\.content) {
            guard let group = children.first(where: { $0.name == element })?.choice else { continue }
            let choice = Set(children.filter { $0.choice == group }.map(\.name))
            let present = parent.children.map(\.name).filter(choice.contains)
            if Set(present).count > 1 { return Array(Set(present)).sorted() }
        }
        return nil
    }
}

/// How messages name the parts of a document.
enum DocumentWords {
    case xml, yaml

    func element(_ name: String) -> String { self == .xml ? "<\(name)>" : "'\(name)'" }

    func child(_ rule: ChildRule) -> String { self == .xml ? "<\(rule.name)>" : "'\(rule.plural ?? rule.name)'" }
}

extension Element {
    /// Whether the latitude is none, but would be as a longitude, and the longitude as a latitude.
    fileprivate var seemsSwapped: Bool {
        guard let latitude = self[attribute: "latitude"].flatMap({ Double($0.trimmedSpace) }),
            let longitude = self[attribute: "longitude"].flatMap({ Double($0.trimmedSpace) })
        else { return false }
        return (90.0...180).contains(abs(latitude)) && abs(longitude) <= 90
    }
}

extension Vocabulary {
    /// Returns the rules of all elements of a name.
    fileprivate static func rules(of element: String) -> [ElementRule] {
        ([root] + ElementType.allCases.flatMap { $0.rule.children })
            .filter { $0.name == element }.map(\.type.rule)
    }
}
