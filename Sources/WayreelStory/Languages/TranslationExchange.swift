internal import WayreelCore

extension Story {
    /// Returns the file of the story's texts for translators into `language`, with the translations that there are.
    /// Those that are out of date are fuzzy, with their source as it was if `former` has it. What only a more general
    /// language has, as `de` for `de-AT`, is open, and its notes have those words.
    ///
    /// `withFiles`: also the paths of files, for those that have one in that language. `reference`: where a field stands
    /// in the document. `comments`: what the author says to translators about it.
    func translationFile(
        into language: String, withFiles: Bool, former: FormerSources, reference: (String) -> String?,
        comments: (String) -> [String]
    ) -> TranslationFile {
        let fields = translatableFields
        let found = TranslationStates(of: language, in: self, fields).found
        let units = fields.filter { withFiles || !$0.isFile }.map { field in
            var unit = TranslationFile.Unit(
                key: field.key, hash: field.hash, source: TranslatorText.text(of: field.value),
                notes: field.notes + comments(field.key), reference: reference(field.key),
                maxLength: field.maxLength, isList: field.kind == .list)
            guard let found = found[field.key] else { return unit }
            let text = field.fitting(found.entry.value).map(TranslatorText.text)
            guard LanguageTag.areSame(found.language, language) else {
                if let text {
                    unit.notes.append(
                        "Without a translation, it is as in \(found.language): \(text.asName(ofAtMost: 500))")
                }
                return unit
            }
            unit.translation = text
            unit.isFuzzy = found.state == .outOfDate
            if unit.isFuzzy, let old = former.source(of: field, hash: found.entry.hash) {
                unit.previousSource = TranslatorText.text(of: old)
                if SourceChange.isOfMarkup(old, field.value) { unit.notes.append(SourceChange.markupNote) }
            }
            return unit
        }
        return TranslationFile(story: id, sourceLanguage: self.language, language: language, units: units)
    }

    func translation(into language: String) -> Translation? {
        translations.first { LanguageTag.areSame($0.language, language) }
    }
}

/// What a translators' file changes in a story's translation: the entries of the new one, in their order.
struct TranslationMerge {
    enum Item: Hashable, Sendable {
        /// An entry of the story, by its index.
        case kept(Int)
        /// Another one in place of an entry of the story.
        case changed(Int, Translation.Entry)
        case added(Translation.Entry)

        /// The index of the entry of the story.
        var index: Int? {
            switch self {
            case .kept(let index), .changed(let index, _): index
            case .added: nil
            }
        }
    }

    let language: String
    private(set) var items: [Item]
    /// What a translator or an author should look at, with the line of the file.
    private(set) var remarks: [(line: Int?, message: String)] = []
    /// How many texts have a translation that they had not, and how many have another one.
    private(set) var added = 0
    private(set) var changed = 0

    private let old: [Translation.Entry]
    /// Empty again after the units were read.
    private var fields: [TranslatableField]
    /// The hashes of the sources of each element's fields; empty likewise.
    private var sources: [String: Set<String>]

    /// Throws a `parameter` error if the file translates to the story's own language, or if a text has a link that is
    /// none. `name` is the file's in errors.
    init(_ file: consuming TranslationFile, into story: Story, name: String) throws(MediaError) {
        language = LanguageTag.canonical(file.language)
        guard !LanguageTag.areSame(language, story.language), !LanguageTag.areSame(language, Story.pseudoLanguage)
        else {
            let what =
                LanguageTag.areSame(language, story.language) ? "the story's own language" : "the pseudo-language"
            throw MediaError(
                .parameter, step: .story, subject: name, reason: "is a translation into '\(language)', \(what)",
                advice: "name another language")
        }
        let fields = story.translatableFields
        self.fields = fields
        sources = Dictionary(grouping: fields) { TranslatedPlace.element(of: $0.key) }
            .mapValues { Set($0.map(\.hash)) }
        old = story.translation(into: language)?.entries ?? []
        items = old.indices.map { .kept($0) }
        let matches = TranslationAlignment(old, fields: fields).matches
        let found = try translations(of: file, matches, name: name)
        added = found.values.count { matches[$0.key] == nil }
        changed = found.count - added
        if !found.isEmpty { items = items(with: found, matches) }
        (self.fields, sources) = ([], [:])
    }

    /// The entries of the new translation.
    var entries: [Translation.Entry] {
        items.map { item in
            switch item {
            case .kept(let index): old[index]
            case .changed(_, let entry), .added(let entry): entry
            }
        }
    }

    var isChange: Bool { added + changed > 0 }

    // MARK: Reading units

    /// Returns the entries that the file changes, by the keys of their fields.
    private mutating func translations(
        of file: TranslationFile, _ matches: [String: TranslationAlignment.Match], name: String
    ) throws(MediaError) -> [String: Translation.Entry] {
        let kinds = FieldKinds(fields)
        let units = file.units.filter { $0.translation != nil }
        let hashes = try units.map { (unit) throws(MediaError) in try hash(of: unit, kinds[unit.key]) }
        let probes = zip(units, hashes).map { Translation.Entry(key: $0.key, hash: $1, value: .plain("")) }
        let places = TranslationAlignment(probes, fields: fields)
        for index in places.leftovers {
            remarks.append((units[index].line, "the story has no '\(units[index].key)' any more; it is left out"))
        }
        var found: [String: Translation.Entry] = [:]
        for field in fields {
            guard let index = places.matches[field.key]?.entry else { continue }
            let (unit, hash) = (units[index], hashes[index])
            let place = unit.line.map { "\(name):\($0)" } ?? name
            var faults: [RichText.Remark] = []
            let value = try TranslatorText.value(unit.translation ?? "", field.kind) { faults.append($0) }
            guard let value else { continue }
            if let fault = faults.first(where: { $0.severity == .error }) {
                throw MediaError(
                    .parameter, step: .story, subject: place,
                    reason: "the translation of '\(field.key)' \(fault.message)")
            }
            if let limit = field.maxLength, case .plain(let text) = value, text.unicodeScalars.count > limit {
                throw MediaError(
                    .parameter, step: .story, subject: place,
                    reason: "the translation of '\(field.key)' has \(text.unicodeScalars.count) characters",
                    advice: "it takes \(limit) at most")
            }
            let mistakes = faults.map(\.message) + field.faults(of: value)
            for fault in mistakes + [field.markupFault(of: value)].compactMap(\.self) {
                remarks.append((unit.line, "the translation of '\(field.key)' \(fault)"))
            }
            let match = matches[field.key]
            let same = match.flatMap { field.fitting(old[$0.entry].value) }.flatMap { old in
                old == value || TranslatorText.text(of: old) == unit.translation ? old : nil
            }
            guard let new = try newHash(of: unit, field, hash, match, isSame: same != nil) else { continue }
            found[field.key] = Translation.Entry(key: field.key, hash: new, value: same ?? value)
            if let words = try remark(onSourceOf: unit, field, hash) { remarks.append((unit.line, words)) }
        }
        return found
    }

    /// The hash of the source that was translated: the file's, or of its source if a tool has lost that.
    private func hash(of unit: TranslationFile.Unit, _ kind: TranslatableField.Kind?) throws(MediaError) -> String {
        if let hash = unit.hash, TextRule.hash.allows(hash) { return hash.lowercased() }
        guard let kind, let value = try TranslatorText.value(unit.source, kind) else {
            return SourceHash.none
        }
        return SourceHash.of(value)
    }

    /// Returns the hash that a translation of the file gives its entry; nil if the entry stays as it is.
    ///
    /// - A fuzzy one is out of date, with new words or the same. If it was so before, the same words change nothing.
    /// - Other words are those of the source that the file has.
    /// - The same words without the mark were looked at: what was out of date gets the hash of the file's source. What
    ///   is current stays so, also if the file is older than its source, and what has no hash gets none unless the
    ///   file's source is an older one.
    private func newHash(
        of unit: TranslationFile.Unit, _ field: TranslatableField, _ hash: String,
        _ match: TranslationAlignment.Match?, isSame: Bool
    ) throws(MediaError) -> String? {
        let before = match.map { old[$0.entry] }
        if unit.isFuzzy {
            return isSame && match?.state == .outOfDate ? nil : try olderHash(of: unit, field, hash, before)
        }
        guard isSame else { return hash }
        switch match?.state {
        case .current: return nil
        case .unwatched: return hash == field.hash ? nil : hash
        case .outOfDate, nil: return hash == before?.shortHash ? nil : hash
        }
    }

    /// A hash that is that of no source in the field's element, so that the translation is out of date and stays where
    /// it is.
    private func olderHash(
        of unit: TranslationFile.Unit, _ field: TranslatableField, _ hash: String, _ before: Translation.Entry?
    ) throws(MediaError) -> String {
        var previous: String?
        if let source = unit.previousSource {
            previous = try TranslatorText.value(source, field.kind).map(SourceHash.of)
        }
        let known = sources[TranslatedPlace.element(of: field.key)] ?? []
        return [previous, before?.shortHash, hash].compactMap(\.self).first { !known.contains($0) } ?? SourceHash.none
    }

    /// Returns what to tell of a translation whose source has changed since the file was written; nil if it has not.
    private func remark(
        onSourceOf unit: TranslationFile.Unit, _ field: TranslatableField, _ hash: String
    ) throws(MediaError) -> String? {
        guard hash != field.hash, let source = try TranslatorText.value(unit.source, field.kind),
            source != field.value
        else { return nil }
        let since = "since the file was written, so that the translation is out of date"
        return SourceChange.isOfMarkup(source, field.value)
            ? "of '\(field.key)', only the markup of the source is new \(since)"
            : "the source of '\(field.key)' has changed \(since): it \(SourceChange.words(from: source, to: field.value))"
    }

    // MARK: Merging

    /// Returns the items with the changed entries in place of those that they replace, and the new ones where their
    /// fields stand. Kept entries get the keys of their fields, because an entry that was moved may have another's.
    private func items(
        with found: [String: Translation.Entry], _ matches: [String: TranslationAlignment.Match]
    ) -> [Item] {
        let keys = Dictionary(matches.map { ($1.entry, $0) }) { first, _ in first }
        let taken = Set(matches.keys).union(found.keys)
        let items: [Item] = old.indices.compactMap { index in
            guard let key = keys[index] else { return taken.contains(old[index].key) ? nil : .kept(index) }
            if let entry = found[key] { return .changed(index, entry) }
            guard old[index].key != key else { return .kept(index) }
            return .changed(index, Translation.Entry(key: key, hash: old[index].hash, value: old[index].value))
        }
        var position = 0
        var places: [String: Int] = [:]
        for (place, item) in items.enumerated() {
            if let index = item.index, let key = keys[index] { places[key] = place }
        }
        // Each new one follows the entry of the field before it.
        var additions: [Int: [Item]] = [:]
        for field in fields {
            if let place = places[field.key] {
                position = place + 1
            } else if let entry = found[field.key] {
                additions[position, default: []].append(.added(entry))
            }
        }
        return (0...items.count).flatMap { place in
            (additions[place] ?? []) + (place < items.count ? [items[place]] : [])
        }
    }
}
