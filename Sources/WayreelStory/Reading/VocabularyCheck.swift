internal import WayreelCore

/// Checks a tree of elements against the vocabulary, as a validator of XML Schema does: the order and the number of
/// children, choices, attributes and texts.
///
/// After a child that is not expected nothing is known about what may follow: it and its later siblings are not
/// checked.
struct VocabularyCheck {
    private let words: DocumentWords
    private var issues: IssueLog

    static func check(_ root: Element, _ words: DocumentWords, issues: inout IssueLog) {
        var check = VocabularyCheck(words: words, issues: issues)
        if root.name == Vocabulary.root.name {
            check.check(root, Vocabulary.root.type.rule)
        } else {
            check.issues.error(root.location, check.unexpected(root.name, [Vocabulary.root.name]))
        }
        issues = check.issues
    }

    private mutating func check(_ element: Element, _ rule: ElementRule) {
        guard !issues.isFull else { return }
        // What could not be read was reported as it was read.
        if !issues.isUnread(element.name, at: element.location, nil) {
            checkAttributes(of: element, rule)
            checkText(of: element, rule)
        }
        var place = ChildPlace(rule.content)
        for child in element.children {
            let before = place
            guard let next = place.next(child.name) else {
                return checkUnexpected(child, in: element, rule, expected: before.expected)
            }
            check(child, next.type.rule)
        }
        if !place.isComplete, !issues.isUnread(element.name, at: element.location, nil) {
            issues.error(element.location, missing(in: element, rule))
        }
    }

    // MARK: Attributes and texts

    private mutating func checkAttributes(of element: Element, _ rule: ElementRule) {
        var unknown: [String] = []
        for attribute in element.attributes {
            guard let type = rule.attributes.first(where: { $0.name == attribute.name })?.type else {
                unknown.append(attribute.name)
                continue
            }
            let value = attribute.value.trimmedSpace
            guard !type.allows(value) else { continue }
            issues.error(
                element.location,
                mistake("'\(attribute.name)' of \(words.element(element.name))", value, type, element))
        }
        for name in unknown { issues.error(element.location, unknownAttribute(name, of: element, rule)) }
        for attribute in rule.attributes where attribute.isRequired && element[attribute: attribute.name] == nil {
            guard !issues.isUnread(element.name, at: element.location, attribute.name) else { continue }
            issues.error(
                element.location, "\(words.element(element.name)) has no '\(attribute.name)', which it needs")
        }
    }

    private func unknownAttribute(_ name: String, of element: Element, _ rule: ElementRule) -> String {
        let known = rule.attributes.map(\.name).sorted()
        let advice =
            nearestName(to: name, in: known).map { "did you mean '\($0)'?" }
            ?? (known.isEmpty ? "it has none" : "it takes \(known.joined(separator: ", "))")
        return "\(words.element(element.name)) has no attribute '\(name)'; \(advice)"
    }

    private mutating func checkText(of element: Element, _ rule: ElementRule) {
        let subject = words.element(element.name)
        if case .rich = rule.content {
            if element.rich?.blocks.isEmpty ?? element.text.trimmedSpace.isEmpty {
                issues.error(element.location, "\(subject) has no words")
            }
            return
        }
        if case .richOrList(let child) = rule.content {
            let type: TextRule = words == .xml ? .text : .commonMark
            // A long one was reported as it was read from XML.
            let isReported = words == .xml && element.rich != nil && !element.text.trimmedSpace.isEmpty
            guard element.children.isEmpty, !isReported, !type.allows(element.text) else { return }
            let list = words == .xml ? "\(words.child(child)) for each text of a list" : "a list of texts"
            issues.error(
                element.location,
                element.text.trimmedSpace.isEmpty
                    ? "\(subject) is empty; it takes a text, or \(list)"
                    : mistake(subject, element.text, type, element))
            return
        }
        if case .text(let type) = rule.content {
            if let child = element.children.first {
                issues.error(
                    child.location,
                    "\(words.element(child.name)) is in the text of \(subject); texts have no markup: remove it, or write &lt; for <"
                )
                return
            }
            let value = type.base == "xs:string" ? element.text : element.text.trimmedSpace
            if !type.allows(value) { issues.error(element.location, mistake(subject, value, type, element)) }
            return
        }
        let text = element.text.trimmedSpace
        if case .empty = rule.content {
            if let child = element.children.first {
                issues.error(element.location, "\(subject) holds attributes only, not \(words.element(child.name))")
            } else if !element.text.isEmpty {
                let found = text.isEmpty ? "white space" : "the text '\(text.prefix(30))'"
                issues.error(element.location, "\(subject) holds attributes only, not \(found)")
            }
        } else if !text.isEmpty {
            issues.error(element.location, "\(subject) holds elements only, not the text '\(text.prefix(30))'")
        }
    }

    private func mistake(_ subject: String, _ value: String, _ type: TextRule, _ element: Element) -> String {
        let count = value.unicodeScalars.count
        let shown = count > type.maxLength ? "\(count) characters" : String(value.prefix(60))
        let found = value.isEmpty ? "nothing" : "'\(shown)'"
        let isSwapped = [TextRule.latitude.name, TextRule.longitude.name].contains(type.name) && element.seemsSwapped
        let advice = isSwapped ? "are latitude and longitude swapped?" : ValueAdvice.advice(on: value, type)
        return "\(subject) takes \(type.expectation), not \(found)\(advice.map { "; \($0)" } ?? "")"
    }

    // MARK: Children

    private mutating func checkUnexpected(
        _ child: Element, in element: Element, _ rule: ElementRule, expected: [String]
    ) {
        // An element without children was reported with its text.
        guard !rule.children.isEmpty, !issues.isUnread(child.name, at: child.location, nil) else { return }
        if let place = rule.children.firstIndex(where: { $0.name == child.name }), rule.isSequence,
            rule.children[..<place].contains(where: { $0.isNeededAlone && element.child($0.name) == nil })
        {
            issues.error(element.location, missing(in: element, rule))
        } else if let kinds = kinds(of: child, in: element, rule) {
            let names = kinds.map(words.element).joined(separator: " and ")
            let advice = element.name == "event" ? "make an event of each" : "leave one out"
            issues.error(
                child.location, "\(words.element(element.name)) has \(names), but takes one of them; \(advice)")
        } else {
            issues.error(child.location, unexpected(child.name, expected))
        }
    }

    /// What an element lacks.
    private func missing(in element: Element, _ rule: ElementRule) -> String {
        let present = Set(element.children.map(\.name))
        let subject = words.element(element.name)
        guard rule.isSequence else {
            return "\(subject) is empty; it takes \(rule.children.map(words.child).alternatives)"
        }
        var parts: [String] = []
        let needed = rule.children.filter { $0.isNeededAlone && !present.contains($0.name) }
        if !needed.isEmpty {
            parts.append("\(subject) has no \(needed.map(words.child).joined(separator: " and no ")), which it needs")
        }
        let choice = rule.children.filter { $0.isNeeded && $0.choice != nil }
        if !choice.isEmpty, !choice.contains(where: { present.contains($0.name) }) {
            parts.append("\(subject) has no kind, one of \(choice.map(words.child).joined(separator: ", "))")
        }
        return parts.joined(separator: "; ")
    }

    private func unexpected(_ name: String, _ expected: [String]) -> String {
        let subject = words.element(name)
        if let near = nearestName(to: name, in: expected), near != name {
            return "there is no \(subject) here; did you mean \(words.element(near))?"
        }
        return "\(subject) is not expected here"
            + (expected.isEmpty ? "" : ", but \(expected.map(words.element).alternatives)")
    }

    /// The elements of the child's choice, if there is more than one of them.
    private func kinds(of child: Element, in element: Element, _ rule: ElementRule) -> [String]? {
        guard let group = rule.children.first(where: { $0.name == child.name })?.choice else { return nil }
        let choice = Set(rule.children.filter { $0.choice == group }.map(\.name))
        let present = Set(element.children.map(\.name)).intersection(choice)
        return present.count > 1 ? present.sorted() : nil
    }
}

/// A place in the content of an element: what has been read, and what may follow.
private struct ChildPlace {
    private let content: ElementRule.Content
    /// The rule that comes next, or that is repeated; the first one of a choice.
    private var index = 0
    /// How many elements have been read by that rule; of a list, by all rules.
    private var count = 0

    init(_ content: ElementRule.Content) { self.content = content }

    /// Goes on to an element of a name; returns its rule, or nil if it is not expected.
    mutating func next(_ name: String) -> ChildRule? {
        if case .richOrList(let rule) = content { return rule.name == name ? rule : nil }
        guard case .sequence(let rules) = content else {
            guard case .list(let rules, let range) = content, count < range.upperBound,
                let rule = rules.first(where: { $0.name == name })
            else { return nil }
            count += 1
            return rule
        }
        while index < rules.count {
            if let rule = particle(rules).first(where: { $0.name == name }), takesMore(rules) {
                count += 1
                return rule
            }
            guard isSatisfied(rules) else { return nil }
            skip(rules)
        }
        return nil
    }

    /// The names of the elements that may come next.
    var expected: [String] {
        switch content {
        case .empty, .text, .rich: return []
        case .richOrList(let rule): return [rule.name]
        case .list(let rules, let range): return count < range.upperBound ? rules.map(\.name) : []
        case .sequence(let rules):
            var (place, names): (ChildPlace, [String]) = (self, [])
            while place.index < rules.count {
                if place.takesMore(rules) { names += place.particle(rules).map(\.name) }
                guard place.isSatisfied(rules) else { break }
                place.skip(rules)
            }
            return names
        }
    }

    /// Whether the element may end here.
    var isComplete: Bool {
        switch content {
        case .empty, .text, .rich, .richOrList: return true
        case .list(_, let range): return count >= range.lowerBound
        case .sequence(let rules):
            var place = self
            while place.index < rules.count, place.isSatisfied(rules) { place.skip(rules) }
            return place.index == rules.count
        }
    }

    /// The rules of a choice, or a single rule.
    private func particle(_ rules: [ChildRule]) -> ArraySlice<ChildRule> {
        guard let choice = rules[index].choice else { return rules[index...index] }
        return rules[index...].prefix { $0.choice == choice }
    }

    private func takesMore(_ rules: [ChildRule]) -> Bool { count == 0 || rules[index].plural != nil }

    private func isSatisfied(_ rules: [ChildRule]) -> Bool { count > 0 || !rules[index].isNeeded }

    private mutating func skip(_ rules: [ChildRule]) {
        index = particle(rules).endIndex
        count = 0
    }
}

extension ElementRule {
    fileprivate var isSequence: Bool { if case .sequence = content { true } else { false } }
}

extension ChildRule {
    /// Whether it has to occur, whatever else does.
    fileprivate var isNeededAlone: Bool { isNeeded && choice == nil }
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
