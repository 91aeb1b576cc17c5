internal import CCMark
package import WayreelCore

extension RichText {
    /// A remark about a text: what it has that players do not see as written, or that it may not have.
    package struct Remark: Hashable, Sendable {
        package var severity: StoryIssue.Severity
        /// The line of the text, counted from 1.
        package var line: Int
        /// What the text has, to be put after its name: `has a link to 'x'; …`.
        package var message: String
    }

    /// Reads a text in CommonMark's syntax: paragraphs, lists, quotes, emphasis and links. What else there is becomes
    /// words, and `remark` is called with a warning; also where numbers, stars and brackets of plain sentences have a
    /// meaning in CommonMark, they stay what they are. Line breaks within a paragraph are spaces.
    ///
    /// The text is in its one form, and incomplete after an error. Throws an `io` error if libcmark is missing.
    package static func parse(commonMark text: String, remark: (Remark) -> Void) throws(MediaError) -> RichText {
        try SharedLibrary.libcmark.require(step: .read)
        var reader = CommonMarkReader(text)
        let text = reader.text()
        reader.remarks.forEach(remark)
        return text
    }
}

/// Walks the nodes of libcmark.
private struct CommonMarkReader: ~Copyable {
    private typealias Node = OpaquePointer
    private typealias Block = RichText.Block
    private typealias Inline = RichText.Inline
    /// Ends the reading of a text that has an error.
    private struct Refusal: Error {}

    private(set) var remarks: [RichText.Remark] = []
    private let source: CommonMarkSource
    private let document: Node?
    /// The kinds of warnings that were given: one of each is enough for a text.
    private var warned: Set<String> = []

    init(_ text: String) {
        source = CommonMarkSource(text)
        document = source.fault == nil ? cmark_parse_document(source.bytes, source.bytes.count, CMARK_OPT_DEFAULT) : nil
    }

    deinit { if let document { cmark_node_free(document) } }

    /// Returns what the text says; nothing if it is refused.
    mutating func text() -> RichText {
        if let fault = source.fault {
            error(fault.line, fault.message)
            return RichText(blocks: [])
        }
        guard let blocks = try? blocks(of: document, depth: 0) else { return RichText(blocks: []) }
        let text = RichText(blocks: blocks).normalized
        if text.words.unicodeScalars.count > RichText.maxLength { error(1, CommonMarkSource.tooLong) }
        if text.blocks.isEmpty { error(1, "has no words") }
        return text
    }

    // MARK: Blocks

    private mutating func blocks(of node: Node?, depth: Int) throws(Refusal) -> [Block] {
        var blocks: [Block] = []
        var next = cmark_node_first_child(node)
        /// The last line of a paragraph before.
        var lastLine: Int?
        while let node = next {
            try refuse(depth, at: node)
            var isSentence = cmark_node_get_type(node) == CMARK_NODE_PARAGRAPH
            switch cmark_node_get_type(node) {
            case CMARK_NODE_LIST:
                var list = try list(node, depth: depth + 1)
                // A line of a sentence that happens to begin with a number or a dash.
                if depth == 0, lastLine == line(node) - 1, list.count == 1, case .list(_, let items) = list[0],
                    items.count == 1, items[0].count == 1, case .paragraph(let words) = items[0][0],
                    case .paragraph(let start)? = blocks.last
                {
                    let mark = mark(ofItem: cmark_node_first_child(node))
                    warn(
                        "line", node,
                        "has a line that begins with '\(mark)', which is no list in the middle of a paragraph; "
                            + "put an empty line before it if it is one")
                    blocks.removeLast()
                    list = [.paragraph(start + [.text(" \(mark) ")] + words)]
                    isSentence = true
                } else {
                    warnOfSingleItem(in: list, node)
                }
                blocks += list
            case CMARK_NODE_BLOCK_QUOTE:
                let quoted = try self.blocks(of: node, depth: depth + 1)
                blocks.append(quoted.isEmpty ? .paragraph([.text(">")]) : .quote(quoted))
            case CMARK_NODE_PARAGRAPH: blocks.append(.paragraph(try phrase(of: node, depth: depth)))
            case CMARK_NODE_HEADING:
                let words = try phrase(of: node, depth: depth)
                warn("heading", node, "has a heading, '\(Phrase.words(words).shown)'; players see it as a paragraph")
                blocks.append(.paragraph(words))
            case CMARK_NODE_THEMATIC_BREAK:
                let characters = source.rest(ofLine: line(node), from: Int(cmark_node_get_start_column(node)))
                warn("break", node, "has a line across, '\(characters.shown)'; players see its characters")
                blocks.append(.paragraph([.text(characters)]))
            case CMARK_NODE_CODE_BLOCK:
                let code = RichText(plain: Paragraphs.normalized(literal(node)))
                warn(
                    "code", node,
                    "has code, '\(code.words.shown)', as lines are that begin with four spaces; players see it as words"
                )
                blocks += code.blocks
            default:
                let html = Paragraphs.normalized(literal(node))
                warnOfHTML(html, node)
                blocks += RichText(plain: html).blocks
            }
            lastLine = isSentence ? Int(cmark_node_get_end_line(node)) : nil
            next = cmark_node_next(node)
        }
        return blocks
    }

    /// Returns a list; or its lines as paragraphs, with the marks before them, if it would show other numbers than the
    /// author wrote, as the years of two sentences, or nothing at all.
    private mutating func list(_ node: Node, depth: Int) throws(Refusal) -> [Block] {
        try refuse(depth, at: node)
        var (items, marks): ([[Block]], [String]) = ([], [])
        var next = cmark_node_first_child(node)
        while let item = next {
            items.append(try blocks(of: item, depth: depth))
            marks.append(mark(ofItem: item))
            next = cmark_node_next(item)
        }
        let first = Int(cmark_node_get_list_start(node))
        let isNumbered = cmark_node_get_list_type(node) == CMARK_ORDERED_LIST
        let numbers = isNumbered ? marks.map { Int($0.dropLast()) } : []
        // Some authors number all items alike.
        let isCounted = numbers.allSatisfy { $0 == first } || numbers.enumerated().allSatisfy { $1 == first + $0 }
        guard items.contains(where: { !$0.isEmpty }), isCounted, !isNumbered || RichText.starts.contains(first) else {
            if !isCounted {
                warn(
                    "numbers", node,
                    "has '\(marks[0])' and '\(marks[1])', which do not count up; players see lines, not a list")
            }
            return zip(marks, items).flatMap { mark, blocks in
                guard case .paragraph(let words)? = blocks.first else { return [.paragraph([.text(mark)])] + blocks }
                return [.paragraph([.text(mark + " ")] + words)] + blocks.dropFirst()
            }
        }
        return [.list(start: isNumbered ? first : nil, items: items)]
    }

    /// A number or a dash at the beginning of a paragraph makes a list of it, and so do items in one line.
    private mutating func warnOfSingleItem(in blocks: [Block], _ node: Node) {
        guard blocks.count == 1, case .list(let start, let items) = blocks[0], items.count == 1 else { return }
        let mark = mark(ofItem: cmark_node_first_child(node))
        let words = RichText(blocks: items[0]).words
        let isJoined = words.contains(start.map { " \($0 + 1)\(mark.suffix(1)) " } ?? " \(mark) ")
        warn(
            "item", node,
            "has a list of one item, '\("\(mark) \(words)".shown)'; "
                + (isJoined
                    ? "put | before the text if there are more, which keeps its lines"
                    : "write \(mark.dropLast())\\\(mark.suffix(1)) if it is none"))
    }

    /// The mark of an item: `-`, or its number with what follows that.
    private func mark(ofItem item: Node?) -> String {
        guard let item else { return "" }
        let rest = source.rest(ofLine: line(item), from: Int(cmark_node_get_start_column(item)))
        let digits = rest.prefix { $0.isASCII && $0.isNumber }
        return String(rest.prefix(digits.count + 1))
    }

    // MARK: Words

    private mutating func phrase(of node: Node, depth: Int) throws(Refusal) -> [Inline] {
        try refuse(depth, at: node)
        var parts: [Inline] = []
        var next = cmark_node_first_child(node)
        while let node = next {
            switch cmark_node_get_type(node) {
            case CMARK_NODE_SOFTBREAK, CMARK_NODE_LINEBREAK: parts.append(.text(" "))
            case CMARK_NODE_EMPH: parts.append(.emphasis(try phrase(of: node, depth: depth + 1)))
            case CMARK_NODE_STRONG: parts.append(.strong(try phrase(of: node, depth: depth + 1)))
            case CMARK_NODE_LINK: parts += link(node, try phrase(of: node, depth: depth + 1))
            case CMARK_NODE_IMAGE:
                let words = try phrase(of: node, depth: depth + 1)
                warn(
                    "image", node,
                    "has an image, '\(string(cmark_node_get_url(node)).shown)'; players see its words only")
                parts += words
            case CMARK_NODE_CODE:
                let code = "`\(literal(node))`"
                warn("code", node, "has '\(code.shown)', which players see as it is: texts have no code")
                parts.append(.text(code))
            case CMARK_NODE_HTML_INLINE:
                warnOfHTML(literal(node), node)
                parts.append(.text(literal(node)))
            default: parts.append(.text(literal(node)))
            }
            next = cmark_node_next(node)
        }
        return parts
    }

    private mutating func link(_ node: Node, _ words: [Inline]) -> [Inline] {
        let address = string(cmark_node_get_url(node))
        // The words of `[sic](yes)`.
        guard address.contains(where: { ".:/#?".contains($0) }) else {
            return [.text("[")] + words + [.text("](\(address))")]
        }
        if let fault = LinkAddress.fault(address) {
            error(line(node), "has a link to '\(address.shown)': \(fault)")
        } else if !string(cmark_node_get_title(node)).isEmpty {
            warn(
                "title", node,
                "has a link with a title, '\(string(cmark_node_get_title(node)).shown)', which players do not see")
        }
        return [.link(address: address, words)]
    }

    private mutating func warnOfHTML(_ html: String, _ node: Node) {
        let isDeclared = html.hasPrefix("<!") || html.hasPrefix("<?")
        guard let tag = isDeclared ? html[...] : TextMarkup.tag(in: html) else { return }
        warn(
            "HTML", node,
            "has '\(String(tag).shown)', which players see as it is: texts have no HTML"
                + (TextMarkup.commonMark(for: tag).map { "; write \($0)" } ?? ""))
    }

    private func literal(_ node: Node) -> String { string(cmark_node_get_literal(node)) }

    private func string(_ text: UnsafePointer<CChar>?) -> String {
        text.map { source.plain(String(cString: $0)) } ?? ""
    }

    // MARK: Remarks

    private func line(_ node: Node) -> Int { max(1, Int(cmark_node_get_start_line(node))) }

    private mutating func refuse(_ depth: Int, at node: Node) throws(Refusal) {
        guard depth > RichText.maxDepth else { return }
        error(line(node), CommonMarkSource.tooDeep)
        throw Refusal()
    }

    private mutating func error(_ line: Int, _ message: String) {
        guard remarks.count < 100 else { return }
        remarks.append(RichText.Remark(severity: .error, line: line, message: message))
    }

    private mutating func warn(_ kind: String, _ node: Node, _ message: String) {
        guard warned.insert(kind).inserted else { return }
        remarks.append(RichText.Remark(severity: .warning, line: line(node), message: message))
    }
}

extension SharedLibrary {
    static let libcmark = SharedLibrary("libcmark", packages: "libcmark0.30.2", load: cmark_load)
}
