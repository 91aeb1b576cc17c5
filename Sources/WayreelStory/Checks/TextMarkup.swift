/// Finds markup in the texts of a document, which players would see as it is.
enum TextMarkup {
    /// Adds a warning for each text of `element` that has a tag of HTML, or bold text or a link of Markdown.
    static func check(_ element: Element, _ words: DocumentWords, _ issues: inout IssueLog) {
        if element.children.isEmpty, Vocabulary.textNames.contains(element.name) || element.name == "text",
            let found = first(in: element.text)
        {
            issues.warning(
                element.location,
                "\(words.element(element.name)) has '\(found)', which players see as it is: texts have no markup")
        }
        for child in element.children { check(child, words, &issues) }
    }

    /// Tags that people write in texts. Others, such as `<3`, may be meant.
    private static let tags: Set<String> = [
        "a", "b", "blockquote", "br", "code", "del", "div", "em", "font", "h1", "h2", "h3", "hr", "i", "img", "ins",
        "li", "mark", "ol", "p", "pre", "s", "small", "span", "strong", "sub", "sup", "table", "td", "tr", "u", "ul",
    ]

    /// Returns the first markup of a text.
    static func first(in text: String) -> Substring? {
        guard text.utf8.contains(where: { [UInt8(ascii: "<"), UInt8(ascii: "*"), UInt8(ascii: "[")].contains($0) })
        else { return nil }
        return tag(in: text) ?? bold(in: text) ?? link(in: text)
    }

    private static func tag(in text: String) -> Substring? {
        var rest = text[...]
        while let start = rest.firstIndex(of: "<") {
            let inner = rest[rest.index(after: start)...]
            let name = inner.drop { $0 == "/" }.prefix { $0.isASCII && ($0.isLetter || $0.isNumber) }
            if tags.contains(name.lowercased()), let end = inner.firstIndex(of: ">"),
                !inner[..<end].contains("<"), [" ", "/", ">"].contains(inner[name.endIndex])
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
        guard let middle = text.firstRange(of: "](http"),
            let start = text[..<middle.lowerBound].lastIndex(of: "["),
            let end = text[middle.upperBound...].firstIndex(of: ")")
        else { return nil }
        return text[start...end].prefix(60)
    }
}
