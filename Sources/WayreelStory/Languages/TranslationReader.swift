internal import WayreelCore

/// Reads the translations of a story from its document: the entry of a field has the form of that field.
struct TranslationReader {
    private let source: String
    private let keys: Set<String>
    private let fields: [TranslatableField]
    private let kinds: FieldKinds
    private(set) var issues: IssueLog
    private(set) var locations: StoryLocations
    /// The lines of the translations by their languages.
    private var lines: [String: Int] = [:]
    private var searches = 0

    /// `story`: the story without translations.
    init(_ story: Story, _ issues: IssueLog, _ locations: StoryLocations) {
        source = story.language
        fields = story.translatableFields
        keys = Set(fields.map(\.key))
        kinds = FieldKinds(fields)
        self.issues = issues
        self.locations = locations
    }

    mutating func translation(_ element: Element) -> Translation {
        let language = element.language ?? ""
        locations.add(.translation, language, element.location)
        checkLanguage(language, of: element)
        var places: [DocumentPosition] = []
        var lines: [String: Int] = [:]
        let entries = element.children("text").compactMap { text -> Translation.Entry? in
            guard let entry = entry(text) else { return nil }
            if let line = lines.updateValue(text.location.line, forKey: entry.key) {
                issues.error(
                    text.location,
                    "there are two translations of '\(entry.key)', the other one in line \(line); remove one")
                return nil
            }
            locations.add(.translated, "\(language) \(entry.key)", text.location)
            if case .file = kinds[entry.key], case .plain(let path) = entry.value, !path.isEmpty {
                locations.add(.source, path, text.location)
            }
            places.append(text.location)
            return entry
        }
        checkLeftovers(of: entries, places)
        return Translation(language: language, entries: entries)
    }

    private mutating func checkLanguage(_ language: String, of element: Element) {
        guard LanguageTag.isWellFormed(language) else { return }
        if let line = lines.updateValue(element.location.line, forKey: language.lowercased()) {
            issues.error(
                element.location,
                "there is another translation into '\(language)' in line \(line); put their texts into one")
        }
        if LanguageTag.areSame(language, source) {
            issues.error(
                element.location, "the story itself is in '\(source)'; a translation is into another language")
        }
        if LanguageTag.areSame(language, Story.pseudoLanguage) {
            issues.error(
                element.location, "'\(language)' is the pseudo-language, which Wayreel makes by itself; remove it")
        }
    }

    // MARK: Entries

    /// Returns nil if there is no key, or if the value does not have the form of the field.
    private mutating func entry(_ element: Element) -> Translation.Entry? {
        guard let key = element[attribute: "key"]?.trimmedSpace, !key.isEmpty else { return nil }
        let list = element.children(Vocabulary.listedText)
        let value: Translation.Value
        if kinds[key] != .rich, let rich = element.rich, rich.lines == nil, !rich.blocks.isEmpty {
            issues.error(element.location, "'\(key)' takes a text without markup")
        }
        switch kinds[key] {
        case .list:
            let texts = (list.isEmpty ? [element] : list).map { (Paragraphs.normalized($0.text), $0.location) }
            for (text, place) in texts { checkMarkup(TextMarkup.fault(inPlain: text), of: key, at: place) }
            value = .list(texts.map(\.0))
        case _ where !list.isEmpty:
            if kinds[key] != nil { issues.error(element.location, "'\(key)' takes a text, not a list of texts") }
            value = .list(list.map { Paragraphs.normalized($0.text) })
        case .rich:
            checkMarkup(element.rich.flatMap(TextMarkup.fault(inRich:)), of: key, at: element.location)
            value = .rich(element.richText(&issues))
        case .line, .file:
            let line = element.text.trimmedSpace
            let limit = kinds[key] == .line ? TextRule.line.maxLength : TextRule.path.maxLength
            if line.isLonger(than: limit) {
                issues.error(
                    element.location,
                    "the translation of '\(key)' has \(line.unicodeScalars.count) characters; it takes \(limit) at most"
                )
            }
            if kinds[key] == .line { checkMarkup(TextMarkup.fault(inPlain: line), of: key, at: element.location) }
            value = .plain(line)
        case .plain, .overlaid, nil:
            let text = Paragraphs.normalized(element.text)
            if kinds[key] != nil { checkMarkup(TextMarkup.fault(inPlain: text), of: key, at: element.location) }
            value = .plain(text)
        }
        return Translation.Entry(key: key, hash: element[attribute: "hash"]?.trimmedSpace.lowercased(), value: value)
    }

    private mutating func checkMarkup(_ fault: String?, of key: String, at place: DocumentPosition) {
        if let fault { issues.warning(place, "the translation of '\(key)' \(fault)") }
    }

    /// Reports entries that stand for no field. One with a hash stood for one that is gone; one without is a mistake.
    private mutating func checkLeftovers(of entries: [Translation.Entry], _ places: [DocumentPosition]) {
        for index in TranslationAlignment(entries, fields: fields).leftovers where !issues.isFull {
            let (entry, place) = (entries[index], places[index])
            if entry.hash == nil, !keys.contains(entry.key) {
                searches += 1
                let near =
                    keys.count > Self.maxSuggestions || searches > Self.maxSearches
                    ? nil : nearestName(to: entry.key, in: keys).map { "did you mean '\($0)'?" }
                issues.error(
                    place,
                    "the story has no field '\(entry.key)'; \(near ?? "wayreel story translate lists all fields")")
            } else {
                issues.warning(
                    place,
                    "the translation of '\(entry.key)' is left over: the story no longer has what it was made of; remove it"
                )
            }
        }
    }

    /// So many keys are searched for one that is like a wrong one, for so many wrong ones.
    private static let maxSuggestions = 10_000
    private static let maxSearches = 20
}

/// The kinds of fields by their keys, also of those at places of lists that have no item there.
struct FieldKinds {
    private var kinds: [String: TranslatableField.Kind] = [:]

    init(_ fields: [TranslatableField]) {
        for field in fields { kinds[TranslatedPlace.element(of: field.key)] = field.kind }
    }

    subscript(key: String) -> TranslatableField.Kind? { kinds[TranslatedPlace.element(of: key)] }
}

extension Story {
    /// Gives translations that were read from JSON the forms of their fields: there, a rich text without markup is a
    /// string.
    mutating func fitTranslations() {
        guard !translations.isEmpty else { return }
        let kinds = FieldKinds(translatableFields)
        for index in translations.indices {
            for entry in translations[index].entries.indices {
                let (key, value) = (translations[index].entries[entry].key, translations[index].entries[entry].value)
                if let fitting = kinds[key]?.fitting(value) { translations[index].entries[entry].value = fitting }
            }
        }
    }

    /// The files of translations, in the order of the document.
    package var translatedFiles: [(source: String, kind: MediaFileKind)] {
        guard !translations.isEmpty else { return [] }
        let kinds = FieldKinds(translatableFields)
        return translations.flatMap(\.entries).compactMap { entry in
            guard case .file(let kind) = kinds[entry.key], case .plain(let source) = entry.value else { return nil }
            return (source, kind)
        }
    }
}
