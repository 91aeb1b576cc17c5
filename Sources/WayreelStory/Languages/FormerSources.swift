package import WayreelCore

/// Texts that a story had before: what its translations that are out of date were made of. A document has only their
/// hashes, by which they are known.
package struct FormerSources {
    private var texts: [TranslatedPlace: Translation.Value] = [:]

    package init() {}

    /// The texts of a story.
    package init(_ story: Story) {
        for field in story.translatableFields { texts[TranslatedPlace(field.key, field.hash)] = field.value }
    }

    /// Those that a translators' file of `story` was made of.
    ///
    /// Throws an `io` error if libcmark is missing.
    package init(_ file: TranslationFile, of story: Story) throws(MediaError) {
        let kinds = FieldKinds(story.translatableFields)
        for unit in file.units {
            guard let kind = kinds[unit.key] else { continue }
            for case let text? in [unit.previousSource, unit.source] {
                guard let value = try TranslatorText.value(text, kind) else { continue }
                texts[TranslatedPlace(unit.key, SourceHash.of(value))] = value
            }
        }
    }

    /// Reads a translators' file that was made of `story` before, or the story's document as it was.
    ///
    /// Throws the errors of ``TranslationFile/read(path:story:sourceLanguage:language:)`` or
    /// ``StoryDocument/read(path:)``, and a `parameter` error if the document has errors or is another story's.
    package static func read(
        path: String, of story: Story, language: String? = nil
    ) throws(MediaError) -> FormerSources {
        guard StoryDocument.Format(path: path) != nil else {
            let file = try TranslationFile.read(
                path: path, story: story.id, sourceLanguage: story.language, language: language)
            return try FormerSources(file, of: story)
        }
        let former = try StoryDocument.read(path: path).validStory()
        guard former.id == story.id else {
            throw MediaError(
                .parameter, step: .story, subject: path, reason: "is the story '\(former.id)', not '\(story.id)'",
                advice: "name the document as it was before")
        }
        return FormerSources(former)
    }

    /// Returns what a field's translation with a hash was made of; nil if that is unknown.
    ///
    /// The words of a text that has got nothing but markup since are known by themselves.
    func source(of field: TranslatableField, hash: String?) -> Translation.Value? {
        guard let hash = hash?.lowercased().prefix(SourceHash.digits) else { return nil }
        if let value = texts[TranslatedPlace(field.key, String(hash))] { return value }
        guard case .rich(let text) = field.value, hash == SourceHash.of(.plain(text.words)) else { return nil }
        return .rich(RichText(plain: text.words))
    }
}

/// How a source differs from the one that a translation was made of.
enum SourceChange {
    /// Whether two texts have the same words.
    static func isOfMarkup(_ old: Translation.Value, _ new: Translation.Value) -> Bool {
        guard case .rich(let old) = old, case .rich(let new) = new else { return false }
        return old.words == new.words
    }

    /// The note of a text that has nothing new but its markup.
    static let markupNote = "Only the markup of the source is new"

    /// Returns in words how a source has changed: `was 'A bell' and is now 'The bell'`.
    static func words(from old: Translation.Value, to new: Translation.Value) -> String {
        let (old, new) = (text(of: old), text(of: new))
        let same = zip(old, new).prefix { $0 == $1 }.count
        // A change far behind the beginning is shown with the words before it.
        let head = same > most / 2 ? old.prefix(same - most / 4) : ""
        let start = head.lastIndex(of: " ").map { head[...$0].count } ?? 0
        return "was '\(shown(old, from: start))' and is now '\(shown(new, from: start))'"
    }

    /// The beginning of a value.
    static func shown(_ value: Translation.Value) -> String { shown(text(of: value), from: 0) }

    private static let most = 60

    /// A value on one line, with its markup.
    private static func text(of value: Translation.Value) -> String {
        TranslatorText.text(of: value).split(whereSeparator: \.isNewline).joined(separator: " ")
    }

    private static func shown(_ text: String, from start: Int) -> String {
        let rest = text.dropFirst(start)
        return "\(start > 0 ? "…" : "")\(rest.prefix(most))\(rest.count > most ? "…" : "")"
    }
}
