internal import WayreelCore
internal import WayreelImage

/// A schema violation, parsed from a message of libxml2.
///
/// libxml2 2.9 writes `Element '{namespace}event', attribute 'radius': [facet 'minExclusive'] The value '0' must be …`.
struct SchemaViolation {
    /// The element's name, without its namespace.
    let element: String
    /// The problem and the expected content.
    let message: String

    /// libxml2's codes of violations (xmlerror.h).
    private enum Code {
        static let value = 1824
        static let facets = 1829...1840
        static let attributeNotAllowed = 1866
        static let attributeMissing = 1868
        static let content = 1871
    }

    init(code: Int, _ text: String) {
        let plain = text.replacing("{\(XMLSchema.namespace)}", with: "")
        let quoted = plain.split(separator: "'", omittingEmptySubsequences: false).enumerated()
            .filter { $0.offset % 2 == 1 }.map { String($0.element) }
        let name = quoted.first ?? "?"
        element = name
        switch code {
        case Code.value, Code.facets:
            let attribute = plain.contains("', attribute '") ? quoted.dropFirst().first : nil
            let values = quoted.dropFirst(attribute == nil ? 1 : 2)
            // A facet's message has the name of the facet before the value, if it quotes the value at all.
            let value = Code.facets.contains(code) ? values.dropFirst().first : values.first
            // A message about a length ends with it and the allowed one.
            let length = plain.contains("has a length of") ? values.dropLast().last : nil
            message = Self.value(
                length.map { $0 == "0" ? "" : "\($0) characters" } ?? value, of: name, attribute)
        case Code.attributeMissing:
            message = "<\(name)> has no '\(quoted.dropFirst().first ?? "?")', which it needs"
        case Code.attributeNotAllowed:
            message = Self.unknownAttribute(quoted.dropFirst().first ?? "?", of: name)
        case Code.content:
            message = Self.content(of: name, plain)
        default:
            message = plain.trimmedSpace
        }
    }

    private static func value(_ value: String?, of element: String, _ attribute: String?) -> String {
        let types = Vocabulary.rules(of: element).compactMap { rule in
            if let attribute { return rule.attributes.first { $0.name == attribute }?.type }
            guard case .text(let type) = rule.content else { return nil }
            return type
        }
        let subject = attribute.map { "'\($0)' of <\(element)>" } ?? "<\(element)>"
        let found = value.map { $0.isEmpty ? "nothing" : "'\($0.prefix(60))'" } ?? "nothing"
        return "\(subject) takes \(types.first?.expectation ?? "something else"), not \(found)"
    }

    private static func unknownAttribute(_ attribute: String, of element: String) -> String {
        let known = Set(Vocabulary.rules(of: element).flatMap { $0.attributes.map(\.name) }).sorted()
        let advice =
            nearestName(to: attribute, in: known).map { "did you mean '\($0)'?" }
            ?? (known.isEmpty ? "it has none" : "it takes \(known.joined(separator: ", "))")
        return "<\(element)> has no attribute '\(attribute)'; \(advice)"
    }

    /// Parses `This element is not expected. Expected is one of ( a, b ).` or `Missing child element(s). Expected is
    /// ( a ).`
    private static func content(of element: String, _ text: String) -> String {
        let list = text.split(separator: "(").last.map { $0.prefix { $0 != ")" } } ?? ""
        let expected = list.split(separator: ",").map { String($0).trimmedSpace }.filter { !$0.hasPrefix("##") }
        let names = expected.map { "<\($0)>" }.alternatives
        if text.contains("Missing child") { return "<\(element)> ends too early; \(names) is expected in it" }
        if let near = nearestName(to: element, in: expected), near != element {
            return "there is no <\(element)> here; did you mean <\(near)>?"
        }
        return "<\(element)> is not expected here" + (expected.isEmpty ? "" : ", but \(names)")
    }
}

extension Vocabulary {
    /// Returns the rules of all elements of a name.
    fileprivate static func rules(of element: String) -> [ElementRule] {
        ([root] + ElementType.allCases.flatMap { $0.rule.children })
            .filter { $0.name == element }.map(\.type.rule)
    }
}

extension ElementRule {
    fileprivate var children: [ChildRule] {
        switch content {
        case .sequence(let children), .list(let children, _): children
        case .empty, .text: []
        }
    }
}
