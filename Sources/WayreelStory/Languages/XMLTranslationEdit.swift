internal import WayreelCore

/// Puts a translation into the text of an XML document, and leaves all else of it as it is.
struct XMLTranslationEdit {
    private let source: DocumentSource
    private let root: XMLOutline.Element
    private let layout: XMLLayout

    /// `source`: of a document that was read without errors.
    init?(_ source: DocumentSource) {
        guard let root = XMLOutline(source.text).root, let last = root.children.last else { return nil }
        self.source = source
        self.root = root
        let outer = Self.indent(before: root.range.lowerBound, in: source.text) ?? ""
        let inner = Self.indent(before: last.range.lowerBound, in: source.text) ?? ""
        layout = XMLLayout(
            unit: inner.hasPrefix(outer) && inner != outer ? String(inner.dropFirst(outer.count)) : "  ",
            width: Self.width(of: source.text))
    }

    /// The columns of lines: as many as the lines of texts have that are broken in the document, or 120.
    private static func width(of text: [UInt8]) -> Int {
        let columns = text.split(separator: UInt8(ascii: "\n")).lazy.compactMap { line -> Int? in
            let isText = line.first { $0 > UInt8(ascii: " ") }.map { $0 != UInt8(ascii: "<") } ?? false
            return isText ? line.count { $0 & 0xC0 != 0x80 } : nil
        }
        return columns.max().map { min(max($0, 80), 140) } ?? 120
    }

    /// Returns the document with the items of a merge. `index`: which of the story's translations is changed; nil for a
    /// new one.
    func applying(_ merge: TranslationMerge, toTranslation index: Int?) -> [UInt8]? {
        guard let index else { return source.applying(adding(merge)) }
        let translations = root.children.filter { $0.localName == "translation" }
        guard translations.indices.contains(index) else { return nil }
        return edits(of: translations[index], merge).flatMap { source.applying($0) }
    }

    /// Adds an element behind the last one of the story.
    private func adding(_ merge: TranslationMerge) -> [DocumentSource.Edit] {
        guard let last = root.children.last else { return [] }
        let translation = Translation(language: merge.language, entries: merge.entries)
        let indent = Self.indent(before: last.range.lowerBound, in: source.text)
        return [
            .insert(
                (indent.map { "\n\($0)" } ?? "") + written(StoryEncoder.translation(translation), indent),
                at: last.range.upperBound)
        ]
    }

    private func edits(of element: XMLOutline.Element, _ merge: TranslationMerge) -> [DocumentSource.Edit]? {
        let texts = element.children
        let outer = Self.indent(before: element.range.lowerBound, in: source.text)
        let indent =
            texts.last.map { Self.indent(before: $0.range.lowerBound, in: source.text) }
            ?? outer.map { $0 + layout.unit }
        let kept = Set(merge.items.compactMap(\.index))
        guard kept.allSatisfy(texts.indices.contains) else { return nil }
        var edits = texts.indices.filter { !kept.contains($0) }.map {
            DocumentSource.Edit(range: lines(of: texts[$0]), text: "")
        }
        let start = indent.map { "\n\($0)" } ?? ""
        // Behind the entry before it, before the first one, or behind what is there.
        var place = texts.first.map { lines(of: $0).lowerBound } ?? endOfContent(element)
        var added = ""
        func endAddition() {
            if added.isEmpty { return }
            edits.append(texts.isEmpty ? closing(element, added, outer, at: place) : .insert(added, at: place))
            added = ""
        }
        for item in merge.items {
            switch item {
            case .added(let entry): added += start + written(StoryEncoder.translated(entry), indent)
            case .kept(let index), .changed(let index, _):
                endAddition()
                place = texts[index].range.upperBound
                if case .changed(_, let entry) = item {
                    edits.append(
                        DocumentSource.Edit(
                            range: texts[index].range, text: written(StoryEncoder.translated(entry), indent)))
                }
            }
        }
        endAddition()
        return edits
    }

    /// The first texts of a translation that had none.
    private func closing(
        _ element: XMLOutline.Element, _ added: String, _ outer: String?, at place: Int
    ) -> DocumentSource.Edit {
        let end = outer.map { "\n\($0)" } ?? ""
        if element.isSelfClosing {
            let slash = element.range.upperBound - 2
            var start = slash
            while source.text[start - 1] <= UInt8(ascii: " ") { start -= 1 }
            return DocumentSource.Edit(
                range: start..<element.range.upperBound, text: ">\(added)\(end)</\(element.name)>")
        }
        return DocumentSource.Edit(range: place..<element.content.upperBound, text: added + end)
    }

    /// The end of what is in an element, without the white space before its end tag.
    private func endOfContent(_ element: XMLOutline.Element) -> Int {
        var end = element.content.upperBound
        while end > element.content.lowerBound, source.text[end - 1] <= UInt8(ascii: " ") { end -= 1 }
        return end
    }

    /// The element with the line that it stands on, if it stands there alone.
    private func lines(of element: XMLOutline.Element) -> Range<Int> {
        guard let indent = Self.indent(before: element.range.lowerBound, in: source.text) else { return element.range }
        var start = element.range.lowerBound - indent.utf8.count
        if start > 0, source.text[start - 1] == UInt8(ascii: "\n") { start -= 1 }
        if start > 0, source.text[start - 1] == UInt8(ascii: "\r") { start -= 1 }
        return start..<element.range.upperBound
    }

    /// An element in the document's form; `indent` is nil if elements follow each other without line ends.
    private func written(_ element: Element?, _ indent: String?) -> String {
        guard let element else { return "" }
        // The first line begins where the caller writes it.
        let text =
            indent.map { layout.lines(of: element, indent: $0).joined(separator: "\n").dropFirst($0.count) }
            ?? XMLLayout(unit: "", width: .max).lines(of: element, indent: "").joined()[...]
        guard !root.prefix.isEmpty else { return String(text) }
        // In what is written, each `<` begins a tag.
        return text.split(separator: "<", omittingEmptySubsequences: false).enumerated().map { index, part in
            index == 0
                ? String(part) : part.hasPrefix("/") ? "</\(root.prefix)\(part.dropFirst())" : "<\(root.prefix)\(part)"
        }.joined()
    }

    /// The white space between the beginning of a line and an offset; nil if there is anything else.
    private static func indent(before offset: Int, in text: [UInt8]) -> String? {
        let start = text[..<offset].lastIndex { $0 == UInt8(ascii: "\n") || $0 > UInt8(ascii: " ") }
        guard let start else { return offset == 0 ? "" : nil }
        guard text[start] == UInt8(ascii: "\n") else { return nil }
        return String(decoding: text[(start + 1)..<offset], as: UTF8.self)
    }
}
