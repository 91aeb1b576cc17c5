public import WayreelCore

/// How far a story is translated into a language. Files are not counted: most are for all languages.
public struct TranslationProgress: Hashable, Sendable, Codable {
    public var language: String
    /// The texts that the story has in its own language, those in lists counted as one.
    public var texts: Int
    /// Those whose source is what it was when they were translated.
    public var current: Int
    /// Those whose source has changed since; players see them nevertheless.
    public var outOfDate: Int
    /// Those without a hash, so that nothing tells whether their source has changed.
    public var unwatched: Int
    /// Those that players see in another language.
    public var missing: Int
}

extension Story {
    /// How far the story is translated, in the order of ``translations``. What a more general language has, as `de` for
    /// `de-AT`, counts as translated.
    public var translationProgress: [TranslationProgress] {
        guard !translations.isEmpty else { return [] }
        let fields = translatableFields
        return translations.map { TranslationStates(of: $0.language, in: self, fields).progress }
    }
}

/// The states of a story's fields in a language.
struct TranslationStates {
    struct Found {
        var language: String
        var entry: Translation.Entry
        var state: TranslationAlignment.State
    }

    let language: String
    let fields: [TranslatableField]
    /// By the keys of fields: the translation that players see.
    private(set) var found: [String: Found] = [:]

    init(of language: String, in story: Story, _ fields: [TranslatableField]) {
        self.language = language
        self.fields = fields
        for translation in story.translations(for: language).reversed() {
            let matches = TranslationAlignment(translation.entries, fields: fields).matches
            found.merge(
                matches.mapValues {
                    Found(language: translation.language, entry: translation.entries[$0.entry], state: $0.state)
                }
            ) { $1 }
        }
    }

    var progress: TranslationProgress {
        var progress = TranslationProgress(
            language: language, texts: 0, current: 0, outOfDate: 0, unwatched: 0, missing: 0)
        for field in fields where !field.isFile {
            progress.texts += 1
            switch found[field.key]?.state {
            case .current: progress.current += 1
            case .outOfDate: progress.outOfDate += 1
            case .unwatched: progress.unwatched += 1
            case nil: progress.missing += 1
            }
        }
        return progress
    }
}

extension StoryDocument {
    /// Returns the same document with warnings about its translations: what is missing, out of date or watched by
    /// nothing, what has other links and lists than its source, and the languages without captions of what has some in
    /// others. `language`: the only one to look at; nil for all.
    ///
    /// Throws a `parameter` error if the story has no translation into `language`. A document with errors gets no
    /// warnings.
    public func checkedTranslations(into language: String? = nil) throws(MediaError) -> StoryDocument {
        try checkedTranslations(into: language, former: FormerSources())
    }

    /// The same, with what sources were before: `former`.
    package func checkedTranslations(
        into language: String?, former: FormerSources
    ) throws(MediaError) -> StoryDocument {
        guard let story else { return self }
        let translations = story.translations.filter { translation in
            language.map { LanguageTag.areSame($0, translation.language) } ?? true
        }
        if let language, translations.isEmpty {
            let others = story.translations.map(\.language)
            throw MediaError(
                .parameter, step: .story, subject: name, reason: "has no translation into '\(language)'",
                advice: others.isEmpty
                    ? "wayreel story translate begins one" : "it has \(others.joined(separator: ", "))")
        }
        let fields = story.translatableFields
        return adding { log in
            for translation in translations {
                var check = TranslationCheck(
                    translation.language, TranslationStates(of: translation.language, in: story, fields), former,
                    locations, log)
                check.check()
                log = check.issues
            }
            for tag in (language == nil ? [story.language] : []) + translations.map(\.language) {
                for file in story.captionLanguages where !file.hasCaptions(in: tag) {
                    let others = file.languages.joined(separator: ", ")
                    log.warning(
                        locations.first(.source, file.source),
                        "'\(file.source)' has captions in \(others), but none in '\(tag)'")
                }
            }
        }
    }
}

private struct TranslationCheck {
    private let language: String
    private let states: TranslationStates
    private let former: FormerSources
    private let locations: StoryLocations
    private(set) var issues: IssueLog

    init(
        _ language: String, _ states: TranslationStates, _ former: FormerSources, _ locations: StoryLocations,
        _ issues: IssueLog
    ) {
        self.language = language
        self.states = states
        self.former = former
        self.locations = locations
        self.issues = issues
    }

    mutating func check() {
        for field in states.fields {
            guard let found = states.found[field.key] else {
                guard !field.isFile else { continue }
                issues.warning(locations.fields[field.key], "'\(field.key)' has no translation into '\(language)'")
                continue
            }
            // What a more general language has is reported there.
            guard found.language == language else { continue }
            let place = locations.first(.translated, "\(language) \(found.entry.key)")
            let subject = "the translation of '\(field.key)' into '\(language)'"
            switch found.state {
            case .current: break
            case .outOfDate:
                issues.warning(place, "\(subject) \(fault(of: found.entry, field))")
            case .unwatched:
                issues.warning(
                    place,
                    "\(subject) has no hash, so that nothing tells when its source changes; today's is \(field.hash)")
            }
            for fault in field.faults(of: found.entry.value) { issues.warning(place, "\(subject) \(fault)") }
        }
    }

    /// What is wrong with a translation that is out of date.
    private func fault(of entry: Translation.Entry, _ field: TranslatableField) -> String {
        let text = "'\(shown(entry.value))'"
        if entry.hash == SourceHash.none {
            return "is to be looked at again, because a translator marked it: it is \(text), and the source is "
                + "'\(shown(field.value))'"
        }
        guard let old = former.source(of: field, hash: entry.hash) else {
            return "is out of date: it is \(text), and the source is now '\(shown(field.value))'"
        }
        if SourceChange.isOfMarkup(old, field.value) {
            return "is out of date: it is \(text), and only the markup of the source is new: "
                + "'\(SourceChange.shown(field.value))'"
        }
        return "is out of date: it is \(text), and the source \(SourceChange.words(from: old, to: field.value))"
    }

    private func shown(_ value: Translation.Value) -> String { TranslatableField.words(of: value).shown }
}

extension TranslatableField {
    /// What is other in a translation than in the source, and should be the same: the number of links and of lists.
    func faults(of translation: Translation.Value) -> [String] {
        guard case .rich(let source) = value, case .rich(let text)? = fitting(translation) else { return [] }
        let (wanted, found) = (Markup(source), Markup(text))
        return [
            Self.fault("link", wanted.links, found.links), Self.fault("list", wanted.lists, found.lists),
        ].compactMap(\.self)
    }

    /// What is wrong with a translation that has markup where its field takes none; nil if there is nothing.
    func markupFault(of translation: Translation.Value) -> String? {
        switch (kind, translation) {
        case (.plain, .plain(let text)), (.line, .plain(let text)), (.overlaid, .plain(let text)):
            TextMarkup.fault(inPlain: text)
        case (.list, .list(let texts)): texts.lazy.compactMap { TextMarkup.fault(inPlain: $0) }.first
        default: nil
        }
    }

    private static func fault(_ noun: String, _ wanted: Int, _ found: Int) -> String? {
        guard wanted != found else { return nil }
        let has = found == 0 ? "no \(noun)" : found.counted(noun)
        return "has \(has), its source \(wanted == 0 ? "none" : "\(wanted)")"
    }

    /// The links and lists of a text.
    private struct Markup {
        private(set) var links = 0
        private(set) var lists = 0

        init(_ text: RichText) { add(text.blocks) }

        private mutating func add(_ blocks: [RichText.Block]) {
            for block in blocks {
                switch block {
                case .paragraph(let parts): add(parts)
                case .quote(let blocks): add(blocks)
                case .list(_, let items):
                    lists += 1
                    for item in items { add(item) }
                }
            }
        }

        private mutating func add(_ parts: [RichText.Inline]) {
            for part in parts {
                switch part {
                case .text: break
                case .emphasis(let parts), .strong(let parts): add(parts)
                case .link(_, let parts):
                    links += 1
                    add(parts)
                }
            }
        }
    }
}
