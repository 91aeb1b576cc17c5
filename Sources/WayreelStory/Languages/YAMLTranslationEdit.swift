internal import WayreelCore

/// Puts a translation into the text of a document in YAML, and leaves all else of it as it is.
struct YAMLTranslationEdit {
    private typealias Node = YAMLOutline.Node

    private let source: DocumentSource
    private let story: YAMLOutline.Node
    private let name: String

    /// `source`: of a document that was read without errors. Throws an `unsupported` error if it is written in flow style.
    init(_ source: DocumentSource, name: String) throws(MediaError) {
        guard let story = try YAMLOutline(source.text, name: name).story, story.isBlock else {
            throw Self.refusal(name, "'story'")
        }
        self.source = source
        self.story = story
        self.name = name
    }

    private static func refusal(_ name: String, _ part: String) -> MediaError {
        MediaError(
            .unsupported, step: .story, subject: name,
            reason: "\(part) is not in block style, which only can be changed in place",
            advice: "wayreel story convert writes all of the document in that style")
    }

    /// Returns the document with the items of a merge. `index`: which of the story's translations is changed; nil for a
    /// new one.
    ///
    /// Throws an `unsupported` error if its translations are in flow style, or stand elsewhere as an anchor.
    func applying(_ merge: TranslationMerge, toTranslation index: Int?) throws(MediaError) -> [UInt8]? {
        let translations = story.value(YAMLOutline.translations)
        if let translations, !translations.isBlock { throw Self.refusal(name, "'translations'") }
        guard let index else { return source.applying([try adding(merge, to: translations)]) }
        guard let items = translations?.items, items.indices.contains(index), items[index].isBlock else {
            throw Self.refusal(name, "the translation into '\(merge.language)'")
        }
        return source.applying(try edits(of: items[index], merge))
    }

    /// Adds an item behind the last translation, or a list of them behind the last value of the story.
    private func adding(_ merge: TranslationMerge, to translations: Node?) throws(MediaError) -> DocumentSource.Edit {
        let translation = Translation(language: merge.language, entries: merge.entries)
        guard let element = StoryEncoder.translation(translation) else { return .insert("", at: 0) }
        let lines = try YAMLWriter.lines(of: element, .translation)
        if let translations {
            return .insert(
                Self.item(lines, column: translations.column), at: endOfLine(translations.range.upperBound))
        }
        let chapters = story.value(["chapters", "chapter"])
        let step = chapters.map { $0.isBlock ? min(max($0.column - story.column, 0), 8) : 2 } ?? 2
        return .insert(
            "\n\(Self.spaces(story.column))translations:" + Self.item(lines, column: story.column + step),
            at: endOfLine(story.range.upperBound))
    }

    private func edits(
        of translation: Node, _ merge: TranslationMerge
    ) throws(MediaError) -> [DocumentSource.Edit] {
        guard let texts = translation.value(YAMLOutline.texts) else {
            let added = try merge.entries.map { (entry) throws(MediaError) in
                try self.added(entry, column: translation.column)
            }
            return [
                .insert(
                    "\n\(Self.spaces(translation.column))texts:" + added.joined(),
                    at: endOfLine(translation.range.upperBound))
            ]
        }
        let kept = Set(merge.items.compactMap(\.index))
        guard texts.isBlock, let items = texts.items, kept.allSatisfy(items.indices.contains) else {
            throw Self.refusal(name, "the list of texts of the translation into '\(merge.language)'")
        }
        var edits: [DocumentSource.Edit] = []
        for (index, item) in items.enumerated() where !kept.contains(index) {
            edits.append(DocumentSource.Edit(range: lines(of: item, column: texts.column), text: ""))
        }
        var place = max(startOfLine(texts.range.lowerBound) - source.newline.utf8.count, 0)
        var added = ""
        for item in merge.items {
            guard let index = item.index else {
                if case .added(let entry) = item { added += try self.added(entry, column: texts.column) }
                continue
            }
            if !added.isEmpty { edits.append(.insert(added, at: place)) }
            added = ""
            place = endOfLine(items[index].range.upperBound)
            if case .changed(_, let entry) = item {
                let lines = try self.lines(of: entry)
                edits.append(
                    DocumentSource.Edit(
                        range: items[index].range, text: Self.joined(lines, column: items[index].column)))
            }
        }
        if !added.isEmpty { edits.append(.insert(added, at: place)) }
        return edits
    }

    // MARK: Writing

    private func added(_ entry: Translation.Entry, column: Int) throws(MediaError) -> String {
        Self.item(try lines(of: entry), column: column)
    }

    private func lines(of entry: Translation.Entry) throws(MediaError) -> [String] {
        try StoryEncoder.translated(entry).map { (element) throws(MediaError) in
            try YAMLWriter.lines(of: element, .translatedText)
        } ?? []
    }

    /// An item of a list whose dashes stand in a column, on lines of its own.
    private static func item(_ lines: [String], column: Int) -> String {
        "\n\(spaces(column))- \(joined(lines, column: column + 2))"
    }

    /// Lines of which all but the first, which something stands before, are indented.
    private static func joined(_ lines: [String], column: Int) -> String {
        lines.enumerated().map { $0 == 0 || $1.isEmpty ? $1 : spaces(column) + $1 }.joined(separator: "\n")
    }

    private static func spaces(_ count: Int) -> String { String(repeating: " ", count: count) }

    // MARK: Lines of the document

    /// The end of the line of an offset, without its line end.
    private func endOfLine(_ offset: Int) -> Int {
        let text = source.text
        let end = text[offset...].firstIndex(of: UInt8(ascii: "\n")) ?? text.count
        return end > offset && text[end - 1] == UInt8(ascii: "\r") ? end - 1 : end
    }

    private func startOfLine(_ offset: Int) -> Int {
        source.text[..<offset].lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    }

    /// The lines of an item with the line end before them: from the one with its dash, which is the nearest one above
    /// that stands in the list's column.
    private func lines(of item: Node, column: Int) -> Range<Int> {
        let mark = [UInt8](repeating: UInt8(ascii: " "), count: column) + [UInt8(ascii: "-")]
        var start = startOfLine(item.range.lowerBound)
        while start > story.range.lowerBound, !source.text[start...].starts(with: mark) {
            start = startOfLine(start - 1)
        }
        return max(start - source.newline.utf8.count, 0)..<endOfLine(item.range.upperBound)
    }
}
