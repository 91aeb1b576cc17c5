internal import WayreelCore

/// Finds markup in the texts of a document, which players would see as it is.
enum TextMarkup {
    /// Adds a warning for each text of a document that has a tag or a character reference of HTML, or emphasis, a
    /// heading, a link or an image of Markdown. What is such in rich texts of YAML is found as they are read, and what
    /// is in translations by ``TranslationReader``, which knows what their fields take.
    static func check(_ root: Element, _ words: DocumentWords, _ issues: inout IssueLog) {
        if root.name == Vocabulary.root.name { check(root, Vocabulary.root.type.rule, words, &issues) }
    }

    private static func check(
        _ element: Element, _ rule: ElementRule, _ words: DocumentWords, _ issues: inout IssueLog
    ) {
        guard !issues.isFull else { return }
        switch rule.content {
        case .text:
            guard let found = fault(inPlain: element.text) else { return }
            issues.warning(element.location, "\(words.element(element.name)) \(found)")
        case .rich:
            guard let found = element.rich.flatMap({ fault(inRich: $0) }) else { return }
            issues.warning(element.location, "\(words.element(element.name)) \(found)")
        case .empty, .sequence, .list, .richOrList:
            for child in element.children where child.name != "translation" {
                guard let next = rule.children.first(where: { $0.name == child.name })?.type.rule else { continue }
                check(child, next, words, &issues)
            }
        }
    }

    /// What is wrong with a text that takes no markup; nil if it has none.
    static func fault(inPlain text: String) -> String? {
        first(in: text).map { "has '\($0)', which players see as it is: it takes no markup" }
    }

    /// What is wrong with the words of a rich text of XML; nil if no marks of CommonMark or tags are among them.
    static func fault(inRich text: RichText) -> String? {
        first(in: text.words).map { "has '\($0)', which players see as it is; \(advice(on: $0))" }
    }

    /// What to write in XML in place of markup that was found in its words.
    private static func advice(on found: Substring) -> String {
        let words = found.drop { "*_".contains($0) }.prefix { !"*_".contains($0) }
        if found.hasPrefix("**") || found.hasPrefix("__") { return "write <strong>\(words)</strong>" }
        if found.hasPrefix("*") || found.hasPrefix("_") { return "write <em>\(words)</em>" }
        if found.hasPrefix("[") { return "write <a href=\"https://example.org\">words</a>" }
        if found.hasPrefix("#") { return "texts have no headings" }
        if found.hasPrefix("&") { return "write the character itself" }
        return element(for: String(found)).map { "write \($0)" } ?? "texts have no such element"
    }

    /// Tags that people write in texts. Others, such as `<3`, may be meant.
    private static let tags: Set<String> = [
        "a", "b", "blockquote", "br", "code", "del", "div", "em", "font", "h1", "h2", "h3", "hr", "i", "img", "ins",
        "iframe", "li", "mark", "ol", "p", "pre", "s", "script", "small", "span", "strong", "style", "sub", "sup",
        "table",
        "td", "tr", "u", "ul",
    ]

    /// What to write in CommonMark's syntax in place of a tag of HTML; nil if it has nothing like it.
    static func commonMark(for tag: Substring) -> String? { replacement(for: tag)?.commonMark }

    /// What to write in XML in place of an element of HTML; nil if it has nothing like it.
    static func element(for name: String) -> String? { replacement(for: name[...])?.element }

    private static func replacement(for tag: Substring) -> (commonMark: String, element: String)? {
        let name = tag.drop { "</".contains($0) }.prefix { $0.isLetter || $0.isNumber }
        return switch name.lowercased() {
        case "b", "strong": ("**words**", "<strong>")
        case "i", "em", "cite": ("*words*", "<em>")
        case "a": ("[words](https://example.org)", "<a>")
        case "br", "p", "div": ("an empty line between paragraphs", "<p> around each paragraph")
        case "h1", "h2", "h3", "h4", "h5", "h6": ("a paragraph with **words**", "<p> with <strong>")
        case "li", "ul", "ol": ("- before each item", "<li>")
        case "blockquote", "q": ("> before the lines", "<blockquote>")
        default: nil
        }
    }

    /// Returns the first markup of a text.
    static func first(in text: String) -> Substring? {
        guard text.utf8.contains(where: marks.contains) else { return nil }
        return tag(in: text) ?? reference(in: text) ?? bold(in: text) ?? emphasis(in: text) ?? heading(in: text)
            ?? link(in: text)
    }

    /// The characters that markup begins with.
    private static let marks = Set("<*[_#&".utf8)

    /// A character reference such as `&nbsp;` or `&#233;`.
    private static func reference(in text: String) -> Substring? {
        for part in text.split(separator: "&", omittingEmptySubsequences: false).dropFirst() {
            guard let end = part.prefix(12).firstIndex(of: ";") else { continue }
            let name = part[..<end]
            let isNumber = name.hasPrefix("#") && name.count > 1 && name.dropFirst().allSatisfy(\.isHexDigit)
            guard isNumber || name.count > 1 && name.allSatisfy({ $0.isASCII && $0.isLetter }) else { continue }
            return text[text.index(before: part.startIndex)...end]
        }
        return nil
    }

    /// `*word*` or `_some words_`, between white space or punctuation and on one line.
    private static func emphasis(in text: String) -> Substring? {
        for mark in ["*", "_"] as [Character] {
            var rest = text[...]
            while let start = rest.firstIndex(of: mark) {
                let before = start > text.startIndex ? text[text.index(before: start)] : " "
                let inner = text[text.index(after: start)...].drop { $0 == mark }
                rest = inner
                guard !before.isLetter, !before.isNumber, let first = inner.first, first.isLetter,
                    let end = inner.firstIndex(where: { $0 == mark || $0.isNewline }), inner[end] == mark,
                    let last = inner[..<end].last, !last.isWhitespace
                else { continue }
                let behind = inner[end...].drop { $0 == mark }
                guard behind.first.map({ !$0.isLetter && !$0.isNumber }) ?? true else { continue }
                return text[start..<behind.startIndex].prefix(60)
            }
        }
        return nil
    }

    /// `## Title` at the beginning of a paragraph. One `#` with a number may be meant.
    private static func heading(in text: String) -> Substring? {
        for line in text.split(whereSeparator: \.isNewline) {
            let title = line.drop { $0 == "#" }
            let level = line.count - title.count
            guard (1...6).contains(level), title.first == " ", title.dropFirst().first?.isLetter == true else {
                continue
            }
            return line.prefix(60)
        }
        return nil
    }

    /// The first tag of HTML that people write in texts.
    static func tag(in text: String) -> Substring? {
        var rest = text[...]
        while let start = rest.firstIndex(of: "<") {
            let inner = rest[rest.index(after: start)...]
            let name = inner.drop { $0 == "/" }.prefix { $0.isASCII && ($0.isLetter || $0.isNumber) }
            if tags.contains(name.lowercased()), let end = inner.firstIndex(where: { $0 == ">" || $0 == "<" }),
                inner[end] == ">", [" ", "/", ">"].contains(inner[name.endIndex])
            {
                return rest[start...end].prefix(60)
            }
            rest = inner
        }
        return nil
    }

    private static func bold(in text: String) -> Substring? {
        let parts = text.ranges(of: "**")
        for (start, end) in zip(parts, parts.dropFirst()) {
            let inner = text[start.upperBound..<end.lowerBound]
            guard let first = inner.first, let last = inner.last, !first.isWhitespace, !last.isWhitespace else {
                continue
            }
            return text[start.lowerBound..<end.upperBound].prefix(60)
        }
        return nil
    }

    private static func link(in text: String) -> Substring? {
        // Brackets are looked for from the last ones on: a text may have 50,000 of them.
        var (opening, searched): (String.Index?, String.Index) = (nil, text.startIndex)
        var closing: String.Index?
        for middle in text.ranges(of: "](") {
            opening = text[searched..<middle.lowerBound].lastIndex(of: "[") ?? opening
            searched = middle.lowerBound
            if closing.map({ $0 < middle.upperBound }) ?? true {
                closing = text[middle.upperBound...].firstIndex(of: ")")
            }
            guard let end = closing else { return nil }
            guard let start = opening else { continue }
            let target = text[middle.upperBound..<end]
            // An address or a file, and not the words of `[sic](yes)`.
            guard target.utf8.count <= 4 * LinkAddress.maxLength, target.contains("."),
                !target.contains(where: \.isWhitespace)
            else { continue }
            return text[start...end].prefix(60)
        }
        return nil
    }
}
