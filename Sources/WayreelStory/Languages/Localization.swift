package import WayreelCore

/// Which entries of a translation stand for which fields of a story, whatever was put in or taken out since.
///
/// An entry whose hash is that of its field is current. One whose hash is that of another field of the same kind of the
/// same element belongs to that one: an item was put in before it. Any other one belongs to the field of its key and is
/// out of date.
struct TranslationAlignment {
    enum State: Hashable, Sendable {
        case current, outOfDate
        /// It has no hash, so that nothing tells whether its source has changed.
        case unwatched
    }

    struct Match: Hashable, Sendable {
        /// The index of the entry.
        var entry: Int
        var state: State
    }

    /// By the keys of the fields.
    private(set) var matches: [String: Match] = [:]
    /// The entries that stand for no field, by their indices.
    private(set) var leftovers: [Int] = []

    init(_ entries: [Translation.Entry], fields: [TranslatableField]) {
        let fieldKeys = Set(fields.map(\.key))
        for (index, entry) in entries.enumerated() where entry.hash == nil && fieldKeys.contains(entry.key) {
            claim(entry.key, index, .unwatched)
        }
        matchHashes(of: entries, fields)
        var used = Set(matches.values.map(\.entry))
        for (index, entry) in entries.enumerated() where !used.contains(index) {
            if entry.hash != nil, fieldKeys.contains(entry.key), matches[entry.key] == nil {
                claim(entry.key, index, .outOfDate)
                used.insert(index)
            }
        }
        leftovers = entries.indices.filter { !used.contains($0) }
    }

    private mutating func claim(_ key: String, _ entry: Int, _ state: State) {
        if matches[key] == nil { matches[key] = Match(entry: entry, state: state) }
    }

    /// Matches the entries to fields with their hash.
    private mutating func matchHashes(of entries: [Translation.Entry], _ fields: [TranslatableField]) {
        var wanted: [TranslatedPlace: [Int]] = [:]
        for (index, entry) in entries.enumerated() {
            if let hash = entry.shortHash { wanted[TranslatedPlace(entry.key, hash), default: []].append(index) }
        }
        guard !wanted.isEmpty else { return }
        let elements = Set(wanted.keys.map(\.element))
        var found: [TranslatedPlace: [String]] = [:]
        for field in fields where matches[field.key] == nil {
            guard elements.contains(TranslatedPlace.element(of: field.key)) else { continue }
            let place = TranslatedPlace(field.key, field.hash)
            if wanted[place] != nil { found[place, default: []].append(field.key) }
        }
        for (place, keys) in found {
            let indices = (wanted[place] ?? []).sorted { entries[$0].key.isBefore(entries[$1].key) }
            // Several fields may have the same text: of as many entries, each keeps its place among them.
            if indices.count == keys.count {
                for (key, index) in zip(keys, indices) { claim(key, index, .current) }
                continue
            }
            let own = Set(keys)
            var (taken, rest): (Set<String>, [Int]) = ([], [])
            for index in indices {
                let key = entries[index].key
                if own.contains(key), taken.insert(key).inserted {
                    claim(key, index, .current)
                } else {
                    rest.append(index)
                }
            }
            for (key, index) in zip(keys.filter { !taken.contains($0) }, rest) { claim(key, index, .current) }
        }
    }
}

/// The fields that an entry may have moved among: the same field at any place of a list of an element, and the hash of
/// its source.
struct TranslatedPlace: Hashable {
    var element: String
    var hash: String

    init(_ key: String, _ hash: String) {
        element = Self.element(of: key)
        self.hash = hash
    }

    /// The key with `*` for its numbers, which are places in lists.
    static func element(of key: String) -> String {
        key.split(separator: "/", omittingEmptySubsequences: false).enumerated().map { index, part in
            // The second part may be an id of digits.
            index > 1 && part.utf8.allSatisfy(\.isDigit) ? "*" : String(part)
        }.joined(separator: "/")
    }
}

extension Story {
    /// Sets the translations, and the languages that the story has with them.
    mutating func set(_ translations: [Translation]) {
        var seen: Set<String> = []
        self.translations = translations
        languages = ([language] + translations.map(\.language)).filter { seen.insert($0).inserted }
    }
}

extension Translation.Entry {
    /// The hash as it is compared.
    var shortHash: String? { hash.map { String($0.lowercased().prefix(SourceHash.digits)) } }
}

extension String {
    /// Whether a key comes before another one of the same form, by its numbers.
    fileprivate func isBefore(_ other: String) -> Bool {
        for (one, other) in zip(split(separator: "/"), other.split(separator: "/")) where one != other {
            return (Int(one) ?? 0) < (Int(other) ?? 0)
        }
        return false
    }
}

extension Story {
    /// Returns the story in a language: its texts and files are those of the translation, where that has them; else of a
    /// more general one, as `de` behind `de-AT`; else the story's own. Translations of an older source are used as well.
    ///
    /// The result has no ``translations``; its ``language`` is the nearest that there is, its ``languages`` are those of
    /// this story, and its ``textLanguages`` say which texts fell back to which language. A tag that the story has no
    /// translation for gives the story in its own language, and `qps` gives ``pseudolocalized()``.
    public func localized(_ language: String) -> Story {
        if LanguageTag.areSame(language, Self.pseudoLanguage) { return pseudolocalized() }
        var story = self
        story.translations = []
        let chain = translations(for: language)
        guard let nearest = chain.first else { return story }
        let fields = translatableFields
        var entries: [String: (value: Translation.Value, language: String)] = [:]
        for translation in chain.reversed() {
            let matches = TranslationAlignment(translation.entries, fields: fields).matches
            for (key, match) in matches {
                entries[key] = (translation.entries[match.entry].value, translation.language)
            }
        }
        var fallen: [String: String] = [:]
        story.updateFields { field in
            var language = self.language
            if let entry = entries[field.key], let value = field.fitting(entry.value), !value.isEmpty {
                (field.value, language) = (value, entry.language)
            }
            if field.isShown, !LanguageTag.areSame(language, nearest.language) { fallen[field.key] = language }
        }
        (story.language, story.textLanguages) = (nearest.language, fallen)
        story.nameLanguageOfCaptions(self.language)
        return story
    }

    /// Returns the story in a language that it has, or in `qps`.
    ///
    /// Throws a `parameter` error if it has no such language; a more general one, as `de` for `de-AT`, is enough.
    package func localized(strictly language: String) throws(MediaError) -> Story {
        let isKnown = LanguageTag.fallbacks(of: language).contains { tag in
            languages.contains { LanguageTag.areSame($0, tag) }
        }
        guard isKnown || LanguageTag.areSame(language, Self.pseudoLanguage) else {
            throw MediaError(
                .parameter, step: .story, subject: id, reason: "is not in the language '\(language)'",
                advice: "it is in \(languages.joined(separator: ", "))")
        }
        return localized(language)
    }

    /// The translations that stand for a language, the nearest first; none for the story's own.
    func translations(for language: String) -> [Translation] {
        var chain: [Translation] = []
        for tag in LanguageTag.fallbacks(of: language) {
            if LanguageTag.areSame(tag, self.language) { break }
            if let translation = translations.first(where: { LanguageTag.areSame($0.language, tag) }) {
                chain.append(translation)
            }
        }
        return chain
    }

    /// Gives captions without a language that of the source, because the story is no longer in it.
    mutating func nameLanguageOfCaptions(_ language: String) {
        func name(_ captions: inout [ScrapbookContent.Captions]?) {
            guard let count = captions?.count else { return }
            for index in 0..<count where captions?[index].language == nil { captions?[index].language = language }
        }
        func name(_ content: inout EventContent) {
            switch content {
            case .radio(var radio):
                for index in radio.tracks.indices { name(&radio.tracks[index].captions) }
                content = .radio(radio)
            case .scrapbook(var scrapbook):
                for index in scrapbook.items.indices {
                    guard case .video(var video) = scrapbook.items[index] else { continue }
                    name(&video.captions)
                    scrapbook.items[index] = .video(video)
                }
                content = .scrapbook(scrapbook)
            case .camera, .goggles, .quiz, .exhibit: return
            }
        }
        for section in sections.indices {
            for item in sections[section].items.indices {
                guard var audio = sections[section].items[item].audio else { continue }
                name(&audio.captions)
                sections[section].items[item].audio = audio
            }
        }
        for chapter in chapters.indices {
            for event in chapters[chapter].events.indices {
                name(&chapters[chapter].events[event].content)
                guard var content = chapters[chapter].events[event].journal?.content else { continue }
                name(&content)
                chapters[chapter].events[event].journal?.content = content
            }
        }
    }
}
