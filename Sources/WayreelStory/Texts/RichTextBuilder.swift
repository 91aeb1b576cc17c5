internal import WayreelCore

/// Builds a rich text from the elements of XML in it, `<p>`, `<em>`, `<strong>`, `<a>`, `<ul>`, `<ol>`, `<li>` and
/// `<blockquote>`, and the words between them. Where words are not in a `<p>`, empty lines part paragraphs.
struct RichTextBuilder {
    /// What may be in an element.
    private enum Content {
        /// Paragraphs, lists and quotes, or words.
        case blocks
        case words
        /// The items of a list.
        case items
        /// Anything in an element that may not be there, which is reported and left out.
        case ignored

        var allowed: [String] {
            switch self {
            case .blocks: ["p", "em", "strong", "a", "ul", "ol", "blockquote"]
            case .words: ["em", "strong", "a"]
            case .items: ["li"]
            case .ignored: []
            }
        }
    }

    private struct Node {
        var name: String
        var content: Content
        var location: DocumentPosition
        var blocks: [RichText.Block] = []
        var items: [[RichText.Block]] = []
        /// The words before the next block.
        var parts: [RichText.Inline] = []
        /// The last of these words.
        var text = ""
        /// The number of the first item.
        var start: Int?
        var address = ""
    }

    private var open: [Node]
    /// Whether there was an element.
    private(set) var hasMarkup = false

    /// `name`: of the element that has the text.
    init(_ name: String, at location: DocumentPosition) {
        open = [Node(name: name, content: .blocks, location: location)]
    }

    /// Whether there was something that may not be there.
    private(set) var hasFaults = false

    private mutating func fault(_ location: DocumentPosition, _ message: String, _ issues: inout IssueLog) {
        issues.error(location, message)
        hasFaults = true
    }

    /// Whether an element in the text is open.
    var isInside: Bool { open.count > 1 }

    mutating func text(_ text: String) { open[open.count - 1].text += text }

    // MARK: Elements

    mutating func start(
        _ name: String, _ attributes: [Element.Attribute], at location: DocumentPosition, _ issues: inout IssueLog
    ) {
        hasMarkup = true
        let (parent, content) = (open[open.count - 1].name, open[open.count - 1].content)
        var node = Node(name: name, content: .ignored, location: location)
        defer { open.append(node) }
        guard content != .ignored else { return }
        guard content.allowed.contains(name) else {
            fault(location, Self.misplaced(name, in: parent, content), &issues)
            return
        }
        if name == "a", open.contains(where: { $0.name == "a" }) {
            fault(location, "<a> is in another <a>, but a link leads to one address", &issues)
            return
        }
        // Items are in the level of their list.
        guard open.dropFirst().count(where: { $0.name != "li" && $0.name != "p" }) < RichText.maxDepth else {
            fault(location, "<\(open[0].name)> \(CommonMarkSource.tooDeep)", &issues)
            return
        }
        switch name {
        case "li", "blockquote": node.content = .blocks
        case "ul", "ol": node.content = .items
        default: node.content = .words
        }
        if name == "ol" { node.start = 1 }
        endText(isBlock: !Content.words.allowed.contains(name))
        read(attributes, of: &node, &issues)
    }

    private static func misplaced(_ name: String, in parent: String, _ content: Content) -> String {
        let known = Content.blocks.allowed + Content.items.allowed
        let advice = known.contains(name) ? nil : TextMarkup.element(for: name).map { "; write \($0)" }
        return "<\(name)> is in the text of <\(parent)>, which takes \(content.allowed.map { "<\($0)>" }.alternatives)"
            + (advice ?? "")
    }

    private mutating func read(_ attributes: [Element.Attribute], of node: inout Node, _ issues: inout IssueLog) {
        let known = ["a": "href", "ol": "start"][node.name]
        for attribute in attributes where attribute.name != known {
            fault(
                node.location,
                "<\(node.name)> has no attribute '\(attribute.name)'; it \(known.map { "takes \($0)" } ?? "has none")",
                &issues)
        }
        let value = attributes.first { $0.name == known }?.value.trimmedSpace
        switch (node.name, value) {
        case ("a", nil): fault(node.location, "<a> has no 'href', which it needs", &issues)
        case ("a", let address?):
            node.address = address
            if let reason = LinkAddress.fault(address) {
                fault(node.location, "<a> leads to '\(address.prefix(60))': \(reason)", &issues)
            }
        case ("ol", let number?):
            node.start = Int(number)
            if !TextRule.listStart.allows(number) {
                fault(
                    node.location,
                    "'start' of <ol> takes \(TextRule.listStart.expectation), not '\(number.prefix(60))'", &issues)
            }
        default: break
        }
    }

    /// Ends the innermost element.
    mutating func end(_ issues: inout IssueLog) {
        guard isInside else { return }
        endText(isBlock: open[open.count - 1].content == .blocks)
        let node = open.removeLast()
        let parent = open.count - 1
        if node.content == .items {
            if !Phrase.words(node.parts).trimmedSpace.isEmpty {
                fault(
                    node.location,
                    "<\(node.name)> takes <li>, not the text '\(Phrase.words(node.parts).trimmedSpace.prefix(30))'",
                    &issues)
            }
            if node.items.isEmpty { fault(node.location, "<\(node.name)> is empty; it takes <li>", &issues) }
        }
        switch node.name {
        case _ where node.content == .ignored: break
        case "p": open[parent].blocks.append(.paragraph(node.parts))
        case "blockquote": open[parent].blocks.append(.quote(node.blocks))
        case "ul", "ol": open[parent].blocks.append(.list(start: node.start, items: node.items))
        case "li": open[parent].items.append(node.blocks)
        case "em": open[parent].parts.append(.emphasis(node.parts))
        case "strong": open[parent].parts.append(.strong(node.parts))
        default: open[parent].parts.append(.link(address: node.address, node.parts))
        }
    }

    /// Returns the text, in its one form, after its last element.
    mutating func finish(_ issues: inout IssueLog) -> RichText {
        endText(isBlock: true)
        let text = RichText(blocks: open[0].blocks).normalized
        if text.words.unicodeScalars.count > RichText.maxLength {
            fault(open[0].location, "<\(open[0].name)> \(CommonMarkSource.tooLong)", &issues)
        }
        return text
    }

    // MARK: Words

    /// Ends a text before an element or the end of one; before a block, these words are paragraphs.
    private mutating func endText(isBlock: Bool) {
        let last = open.count - 1
        if !open[last].text.isEmpty { open[last].parts.append(.text(open[last].text)) }
        open[last].text = ""
        guard isBlock, open[last].content == .blocks else { return }
        open[last].blocks += Self.paragraphs(open[last].parts).map { .paragraph($0) }
        open[last].parts = []
    }

    /// Parts words at empty lines.
    private static func paragraphs(_ parts: [RichText.Inline]) -> [[RichText.Inline]] {
        var paragraphs: [[RichText.Inline]] = [[]]
        for part in parts {
            guard case .text(let text) = part else {
                paragraphs[paragraphs.count - 1].append(part)
                continue
            }
            let lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            var piece = ""
            for (index, line) in lines.enumerated() {
                let isInner = index > 0 && index < lines.count - 1
                if isInner, line.allSatisfy({ [0x20, 0x09, 0x0D].contains($0) }) {
                    paragraphs[paragraphs.count - 1].append(.text(piece))
                    paragraphs.append([])
                    piece = ""
                } else {
                    piece += index == 0 ? Substring(line) : "\n\(Substring(line))"
                }
            }
            paragraphs[paragraphs.count - 1].append(.text(piece))
        }
        return paragraphs
    }
}

extension RichText {
    /// The text as XML, between the tags of an element that is `depth` levels deep: words alone as they are, with empty
    /// lines between paragraphs, other texts in lines of their own.
    func xml(depth: Int) -> String {
        let paragraphs = blocks.map(\.words)
        guard paragraphs.contains(nil) else { return paragraphs.compactMap(\.self).joined(separator: "\n\n") }
        let indent = String(repeating: "  ", count: depth)
        return "\n" + blocks.map { $0.xml(depth: depth + 1) }.joined() + indent
    }
}

extension RichText.Block {
    /// The content of a paragraph as XML; nil of other blocks.
    fileprivate var words: String? { if case .paragraph(let parts) = self { parts.xml } else { nil } }

    /// The lines of the block.
    fileprivate func xml(depth: Int) -> String {
        let indent = String(repeating: "  ", count: depth)
        /// The element with these blocks: in one line if they are one paragraph.
        func element(_ name: String, _ blocks: [Self], depth: Int) -> String {
            let indent = String(repeating: "  ", count: depth)
            if blocks.isEmpty { return "\(indent)<\(name)/>\n" }
            if blocks.count == 1, let words = blocks[0].words { return "\(indent)<\(name)>\(words)</\(name)>\n" }
            return "\(indent)<\(name)>\n\(blocks.map { $0.xml(depth: depth + 1) }.joined())\(indent)</\(name)>\n"
        }
        switch self {
        case .paragraph(let parts): return "\(indent)<p>\(parts.xml)</p>\n"
        case .quote(let blocks): return element("blockquote", blocks, depth: depth)
        case .list(let start, let items):
            let name = start == nil ? "ul" : "ol"
            let number = start.map { $0 == 1 ? "" : #" start="\#($0)""# } ?? ""
            let lines = items.map { element("li", $0, depth: depth + 1) }.joined()
            return "\(indent)<\(name)\(number)>\n\(lines)\(indent)</\(name)>\n"
        }
    }
}

extension [RichText.Inline] {
    fileprivate var xml: String {
        map { part in
            switch part {
            case .text(let text): text.xmlText
            case .emphasis(let parts): "<em>\(parts.xml)</em>"
            case .strong(let parts): "<strong>\(parts.xml)</strong>"
            case .link(let address, let parts): "<a href=\"\(address.xmlAttribute)\">\(parts.xml)</a>"
            }
        }.joined()
    }
}
