internal import WayreelCore
internal import WayreelDocument

/// Reads YAML into the same tree of elements as the equivalent XML, using the vocabulary.
struct YAMLReader {
    private var issues: IssueLog

    /// Parses `bytes` into a tree. Returns nil if the document cannot be read, which is added to `issues`.
    static func read(_ bytes: [UInt8], issues: inout IssueLog) throws(MediaError) -> Element? {
        let limits = YAMLDocument.Limits(
            size: DocumentLimits.bytes, depth: DocumentLimits.depth, values: DocumentLimits.values)
        var reader = YAMLReader(issues: issues)
        let log = CommentLog()
        defer {
            issues = reader.issues
            log.report(to: &issues)
        }
        do throws(MediaError) {
            guard
                let node = try YAMLDocument.parse(
                    bytes, at: DocumentLocation(.story, file: issues.file), limits: limits,
                    onComment: { log.add($0) }, onUnusedAnchor: { log.add(anchor: $0, $1) })
            else {
                reader.issues.error(.none, "there is nothing in it")
                return nil
            }
            for (line, notes) in log.notes(in: bytes) {
                reader.issues.addNotes(notes, at: DocumentPosition(line: line, column: 0))
            }
            return reader.root(node)
        } catch  where [.parameter, .limit].contains(error.kind) {
            let advice = error.advice.map { "; \($0)" } ?? ""
            let line = error.subject?.fileAndLine.line ?? 0
            reader.issues.error(DocumentPosition(line: line, column: 1), error.reason + advice)
            return nil
        }
    }

    private init(issues: IssueLog) { self.issues = issues }

    private mutating func root(_ node: YAMLNode) -> Element? {
        guard let field = node.fields?.first, node.fields?.count == 1, Self.name(field.key) == "story" else {
            issues.error(
                node.location.position,
                "a story is a mapping with the one key 'story'; begin with the line 'story:', and indent the others below it"
            )
            return nil
        }
        return element(field.value, Vocabulary.root, at: field.keyLocation.position)
    }

    private static func name(_ key: String) -> String { Vocabulary.formerNames[key] ?? key }

    private mutating func element(_ node: YAMLNode, _ child: ChildRule, at location: DocumentPosition) -> Element {
        let rule = child.type.rule
        var element = Element(name: child.name, location: location)
        if case .list(let items, _) = rule.content {
            element.children = list(node, of: items, in: child.name)
            return element
        }
        if rule.content.isText, rule.attributes.allSatisfy({ !$0.isRequired }), let text = node.text {
            if !node.isNull { read(text, of: node, into: &element) }
            return element
        }
        guard let fields = node.fields else {
            if !node.isNull {
                issues.error(
                    node.location.position,
                    "'\(child.name)' takes \(Self.expectation(of: rule)), not \(node.shown)\(Self.example(of: child, node))"
                )
                issues.addUnread(child.name, at: location)
            }
            return element
        }
        var children: [(rule: Int, element: Element)] = []
        for field in fields { add(field, to: &element, &children, rule, child.name) }
        // The order in YAML is free; the tree has the schema's order.
        element.children = children.enumerated()
            .sorted { ($0.element.rule, $0.offset) < ($1.element.rule, $1.offset) }.map(\.element.element)
        return element
    }

    private mutating func add(
        _ field: YAMLNode.Field, to element: inout Element, _ children: inout [(rule: Int, element: Element)],
        _ rule: ElementRule, _ name: String
    ) {
        let location = field.keyLocation.position
        let key = Self.name(field.key)
        if let attribute = rule.attributes.first(where: { $0.name == key }) {
            guard let text = Self.text(field.value, of: attribute) else {
                let isComment = attribute.type.name == TextRule.color.name && field.value.isNull
                issues.error(
                    field.value.location.position,
                    "'\(key)' of '\(name)' takes \(attribute.type.expectation), not \(field.value.shown)"
                        + (isComment ? "; put it in quotes, because # begins a comment" : ""))
                issues.addUnread(name, at: element.location, key)
                return
            }
            let value = checked(text, at: field.value.location.position)
            element.attributes.append(Element.Attribute(name: key, value: value, location: location))
            return
        }
        if rule.content.isText, rule.children.isEmpty, !rule.attributes.isEmpty, key == Self.textKey,
            let text = field.value.text
        {
            read(text, of: field.value, into: &element)
            return
        }
        if case .richOrList(let child) = rule.content, key == Self.textKey {
            if let items = field.value.items {
                for item in items { children.append((0, self.element(item, child, at: item.location.position))) }
            } else if let text = field.value.text, !field.value.isNull {
                read(text, of: field.value, into: &element)
            } else {
                issues.error(
                    field.value.location.position,
                    "'\(key)' of '\(name)' takes a text or a list of texts, not \(field.value.shown)")
                issues.addUnread(name, at: element.location)
            }
            return
        }
        guard case .sequence(let rules) = rule.content,
            let index = rules.firstIndex(where: { key == ($0.plural ?? $0.name) || key == $0.name })
        else {
            let keys = Self.keys(of: rule)
            let advice =
                Self.advice(onKey: key, field.value, after: element.attributes.last?.value)
                ?? nearestName(to: key, in: keys).map { "did you mean '\($0)'?" }
            issues.error(
                location,
                "'\(name)' has no '\(key)'; \(advice ?? (keys.isEmpty ? "it takes a text" : "it takes \(keys.joined(separator: ", "))"))"
            )
            return
        }
        let child = rules[index]
        guard child.plural != nil, let items = field.value.items else {
            children.append((index, self.element(field.value, child, at: location)))
            return
        }
        // What stands before a list is about all of its items.
        let notes = issues.notes[DocumentPosition(line: location.line, column: 0)] ?? []
        for item in items {
            if item.location.line != location.line {
                issues.addNotes(notes, at: DocumentPosition(line: item.location.line, column: 0))
            }
            children.append((index, self.element(item, child, at: item.location.position)))
        }
    }

    /// Advice on a key that is part of a value: `38,7` in a mapping is the key 7 after the value 38, and `radius:25` is a
    /// key.
    private static func advice(onKey key: String, _ value: YAMLNode, after last: String?) -> String? {
        guard value.isNull else { return nil }
        if key.allSatisfy({ $0.isASCII && $0.isNumber }) {
            return "numbers have a decimal point, as in \(last.flatMap { Int($0) } ?? 38).\(key)"
        }
        guard let colon = key.firstIndex(of: ":") else { return nil }
        return "put a space after the colon: \(key[..<colon]): \(key[colon...].dropFirst())"
    }

    /// Reads a list of mappings with one key each: `- image: {source: …}`; or a single mapping without a list.
    private mutating func list(_ node: YAMLNode, of rules: [ChildRule], in name: String) -> [Element] {
        var elements: [Element] = []
        for item in node.items ?? [node] {
            guard let field = item.fields?.first, item.fields?.count == 1,
                let rule = rules.first(where: { $0.name == field.key })
            else {
                issues.error(
                    item.location.position,
                    "'\(name)' takes one of \(rules.map(\.name).joined(separator: ", ")), not \(item.shown)")
                continue
            }
            elements.append(element(field.value, rule, at: field.keyLocation.position))
        }
        return elements
    }

    /// Reads a scalar, or a list of days: `days: [fri, sat]`.
    private static func text(_ node: YAMLNode, of attribute: AttributeRule) -> String? {
        guard let items = node.items, attribute.type.name == TextRule.days.name else {
            return node.isNull ? nil : node.text
        }
        let texts = items.compactMap(\.text)
        return texts.count == items.count ? texts.joined(separator: " ") : nil
    }

    /// Puts the text of a value into an element.
    private mutating func read(_ text: String, of node: YAMLNode, into element: inout Element) {
        element.text = checked(paragraphs(text, of: node), at: node.location.position)
        // The lines of a literal text begin below its `|`.
        if !node.isFolded { element.textLine = node.location.line + 1 }
    }

    /// Returns a text in which empty lines separate paragraphs, as in XML.
    private func paragraphs(_ text: String, of node: YAMLNode) -> String {
        node.isFolded ? text.replacing("\n", with: "\n\n") : text
    }

    /// Returns a text without control characters, which XML cannot hold, and reports them.
    private mutating func checked(_ text: String, at location: DocumentPosition) -> String {
        guard let control = text.unicodeScalars.first(where: \.isRefusedByXML) else { return text }
        issues.error(location, "a text may not hold the control character \(control.codePoint)")
        return String(String.UnicodeScalarView(text.unicodeScalars.filter { !$0.isRefusedByXML }))
    }

    /// The key for the text of an element that also has attributes.
    static let textKey = "text"

    private static func keys(of rule: ElementRule) -> [String] {
        let attributes = rule.attributes.map(\.name)
        return switch rule.content {
        case .sequence(let children): attributes + children.map { $0.plural ?? $0.name }
        case .text, .rich: attributes.isEmpty ? [] : [textKey] + attributes
        case .richOrList: [textKey] + attributes
        case .empty, .list: attributes
        }
    }

    /// What to write instead of a text, if the mapping has only one key.
    private static func example(of child: ChildRule, _ node: YAMLNode) -> String {
        let keys = keys(of: child.type.rule)
        guard keys.count == 1, let text = node.text, text.count <= 100 else { return "" }
        return "; write \(child.name): {\(keys[0]): \(text)}"
    }

    private static func expectation(of rule: ElementRule) -> String {
        switch rule.content {
        case .text, .rich: "a text"
        default: "a mapping with \(keys(of: rule).joined(separator: ", "))"
        }
    }
}

/// Collects the comments of a document, and its anchors without an alias.
private final class CommentLog {
    private var comments: [YAMLDocument.Comment] = []
    private var anchors: [(name: String, location: DocumentLocation)] = []

    func add(_ comment: YAMLDocument.Comment) { comments.append(comment) }

    func add(anchor name: String, _ location: DocumentLocation) { anchors.append((name, location)) }

    /// What comments say to translators, by the lines that they are about: their own if anything else stands there, or
    /// the next one that is no comment.
    func notes(in bytes: [UInt8]) -> [Int: [String]] {
        guard comments.contains(where: { TranslatorComment.begins($0.text) }) else { return [:] }
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        func isAlone(_ comment: YAMLDocument.Comment) -> Bool {
            let line = comment.location.line - 1
            return lines.indices.contains(line) && lines[line].first { $0 > UInt8(ascii: " ") } == UInt8(ascii: "#")
        }
        var notes: [Int: [String]] = [:]
        var rest = comments[...]
        while let first = rest.popFirst() {
            var block = [first]
            while isAlone(first), let next = rest.first, next.location.line == first.location.line + block.count,
                isAlone(next)
            {
                block.append(next)
                rest.removeFirst()
            }
            let line = first.location.line + (isAlone(first) ? block.count : 0)
            notes[line, default: []] += TranslatorComment.notes(inLines: block.map(\.text))
        }
        return notes
    }

    /// Reports the comments that look like the rest of a text, `name: Santa Cruz #1`, and the anchors that look like its
    /// beginning, `name: &Co`.
    func report(to issues: inout IssueLog) {
        for anchor in anchors {
            issues.warning(
                anchor.location.position,
                "'&\(anchor.name.prefix(60))' is a mark that nothing refers to; put the text in quotes if it is a part of it"
            )
        }
        for comment in comments {
            issues.addComment(line: comment.location.line)
            guard comment.followsText, let second = comment.text.dropFirst().first, !second.isWhitespace, second != "#"
            else { continue }
            issues.warning(
                comment.location.position,
                "'\(comment.text.prefix(60))' is a comment; put the text in quotes if it is a part of it")
        }
    }
}

extension Unicode.Scalar {
    /// Whether XML 1.0 has no such character, also not by its number.
    fileprivate var isRefusedByXML: Bool {
        value < 0x20 && ![0x09, 0x0A, 0x0D].contains(value) || (0xFFFE...0xFFFF).contains(value)
    }
}

extension DocumentLocation {
    fileprivate var position: DocumentPosition { DocumentPosition(line: line, column: column) }
}
