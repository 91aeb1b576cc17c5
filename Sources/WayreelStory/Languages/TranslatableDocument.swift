package import WayreelCore

/// A story's document that gives its texts to translators, and takes their translations: as a change of its text, which
/// keeps comments, order and form of everything else.
package struct TranslatableDocument {
    /// What a translators' file does to a document.
    package struct Change {
        /// The changed document; nil if everything in the file is in it already.
        package let bytes: [UInt8]?
        package let language: String
        /// How many texts have a translation that they had not, and how many another one.
        package let added: Int
        package let changed: Int
        /// How far the story is translated with it.
        package let progress: TranslationProgress?
        /// What a translator or an author should look at, with the line of the file.
        package let remarks: [(line: Int?, message: String)]
    }

    package let document: StoryDocument
    package let story: Story
    /// The document as it was read.
    package let bytes: [UInt8]
    private let format: StoryDocument.Format

    /// Reads the document at `path`. `locatesFields`: whether files for translators say where fields stand, which changes
    /// by theirs do without.
    ///
    /// Throws the errors of ``StoryDocument/read(path:)``, and a `parameter` error if the document has errors.
    package init(path: String, locatesFields: Bool = true) throws(MediaError) {
        let (bytes, format) = try StoryDocument.bytes(path: path)
        try self.init(bytes, as: format, name: path, locatesFields: locatesFields)
    }

    package init(
        _ bytes: [UInt8], as format: StoryDocument.Format, name: String, locatesFields: Bool = true
    ) throws(MediaError) {
        document = try StoryDocument.read(bytes, as: format, name: name, locatesFields: locatesFields)
        story = try document.validStory()
        self.bytes = bytes
        self.format = format
    }

    /// Returns the file of the story's texts for translators into `language`, with the translations that there are.
    /// `withFiles`: also the paths of files, for those that have one in that language. `former`: what sources were
    /// before, for translations that are out of date.
    ///
    /// Throws a `parameter` error if that is no language tag, the tag of no language, or the story's own language, and a
    /// `limit` error if there are more than 100,000 texts.
    package func file(
        into language: String, withFiles: Bool = false, former: FormerSources = FormerSources()
    ) throws(MediaError) -> TranslationFile {
        try require(language)
        let language = LanguageTag.canonical(language)
        guard !LanguageTag.areSame(language, story.language) else {
            throw MediaError(
                .parameter, step: .story, subject: language, reason: "is the story's own language",
                advice: "name the language of the translation")
        }
        let name = document.name.split(separator: "/").last ?? ""
        let file = story.translationFile(into: language, withFiles: withFiles, former: former) { key in
            let line = document.locations.fields[key].line
            return line > 0 ? "\(name):\(line)" : nil
        } comments: { key in
            document.locations.fields.notes(for: key).map { "Author: \($0)" }
        }
        guard file.units.count <= TranslationLimits.units else {
            throw MediaError(
                .limit, step: .story, subject: document.name,
                reason:
                    "\(file.units.count) texts are more than a translators' file may have, \(TranslationLimits.units)",
                advice: "make several stories of it")
        }
        return file
    }

    /// Throws a `parameter` error unless a tag is that of a language. One that the document has already is taken as it is.
    /// `file`: the name of the translators' file that it is of.
    private func require(_ language: String, file: String? = nil) throws(MediaError) {
        guard let fault = LanguageTag.fault(of: language), story.translation(into: language) == nil else { return }
        throw MediaError(
            .parameter, step: .story, subject: file ?? language,
            reason: file == nil ? fault.reason : "is a translation into '\(language)', which \(fault.reason)",
            advice: "\(fault.advice)")
    }

    /// The more general language, as `de` for `de-AT`, whose translation players see where that into `language` has
    /// nothing; nil if there is none.
    package func fallback(of language: String) -> String? {
        story.translations(for: language).first { !LanguageTag.areSame($0.language, language) }?.language
    }

    /// Returns what a translators' file changes. `name` is the file's in errors.
    ///
    /// Entries that the file does not mention stay. Throws a `parameter` error if the file translates into no language or
    /// the story's own, or if a text in it is none that its field can have, and an `unsupported` error if the document is
    /// written in a way that cannot be changed in place.
    package func change(by file: consuming TranslationFile, name: String) throws(MediaError) -> Change {
        try require(file.language, file: name)
        // What was read of the file is gone before the changed document is read.
        let merge = try TranslationMerge(file, into: story, name: name)
        var expected = story
        let index = story.translations.firstIndex { LanguageTag.areSame($0.language, merge.language) }
        var bytes: [UInt8]?
        if merge.isChange {
            let translation = Translation(language: merge.language, entries: merge.entries)
            var translations = story.translations
            if let index { translations[index].entries = translation.entries } else { translations.append(translation) }
            expected.set(translations)
            bytes = try changed(merge, index, expected)
        }
        return Change(
            bytes: bytes, language: merge.language, added: merge.added, changed: merge.changed,
            progress: expected.translationProgress.first { LanguageTag.areSame($0.language, merge.language) },
            remarks: merge.remarks)
    }

    /// Returns the changed document, which was read again: it is the expected story.
    private func changed(_ merge: TranslationMerge, _ index: Int?, _ expected: Story) throws(MediaError) -> [UInt8] {
        let source = try DocumentSource(bytes, as: format, name: document.name)
        var changed: [UInt8]?
        switch format {
        case .xml: changed = XMLTranslationEdit(source)?.applying(merge, toTranslation: index)
        case .yaml:
            changed = try YAMLTranslationEdit(source, name: document.name).applying(merge, toTranslation: index)
        }
        guard let changed, let again = try StoryDocument.read(changed, as: format).story, again == expected else {
            throw MediaError(
                .unsupported, step: .story, subject: document.name,
                reason: "is written in a way that cannot be changed in place",
                advice: "write it anew with wayreel story convert, which does not keep comments")
        }
        return changed
    }
}
