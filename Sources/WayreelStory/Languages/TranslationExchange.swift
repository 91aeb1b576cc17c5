internal import WayreelCore

extension Story {
    /// Returns the file of the story's texts for translators into `language`, with the translations that there are.
    /// Those that are out of date are fuzzy. `withFiles`: also the paths of files, for those that have one in that
    /// language. `places`: where fields stand in the document.
    func translationFile(
        into language: String, withFiles: Bool, reference: (String) -> String?
    ) -> TranslationFile {
        let fields = translatableFields
        let entries = translation(into: language)?.entries ?? []
        let matches = TranslationAlignment(entries, fields: fields).matches
        let units = fields.filter { withFiles || !$0.isFile }.map { field in
            let match = matches[field.key]
            return TranslationFile.Unit(
                key: field.key, hash: field.hash, source: TranslatorText.text(of: field.value),
                translation: match.flatMap { field.fitting(entries[$0.entry].value) }.map(TranslatorText.text),
                isFuzzy: match?.state == .outOfDate, notes: field.notes, reference: reference(field.key),
                maxLength: field.maxLength, isList: field.kind == .list)
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

    private let fields: [TranslatableField]
    private let old: [Translation.Entry]

    /// The hash of no source: that of a translation that somebody has doubts about, though its source is today's.
    private static let noSource = String(repeating: "0", count: SourceHash.digits)

    /// Throws a `parameter` error if the file translates to the story's own language, or if a text has a link that is
    /// none. `name` is the file's in errors.
    init(_ file: TranslationFile, into story: Story, name: String) throws(MediaError) {
        language = LanguageTag.canonical(file.language)
        guard !LanguageTag.areSame(language, story.language), !LanguageTag.areSame(language, Story.pseudoLanguage)
        else {
            let what =
                LanguageTag.areSame(language, story.language) ? "the story's own language" : "the pseudo-language"
            throw MediaError(
                .parameter, step: .story, subject: name, reason: "is a translation into '\(language)', \(what)",
                advice: "name another language")
        }
        fields = story.translatableFields
        old = story.translation(into: language)?.entries ?? []
        items = old.indices.map { .kept($0) }
        let matches = TranslationAlignment(old, fields: fields).matches
        let found = try translations(of: file, matches, name: name)
        added = found.values.count { matches[$0.key] == nil }
        changed = found.count - added
        guard !found.isEmpty else { return }
        items = items(with: found, matches)
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
            for fault in faults.map(\.message) + field.faults(of: value) {
                remarks.append((unit.line, "the translation of '\(field.key)' \(fault)"))
            }
            let before = matches[field.key].map { old[$0.entry] }
            if let before, let old = field.fitting(before.value),
                old == value || TranslatorText.text(of: old) == unit.translation
            {
                // What was only looked at stays as it is, also without a hash.
                guard !unit.isFuzzy, before.hash.map({ $0 != hash }) ?? (hash != field.hash) else { continue }
            }
            let written = unit.isFuzzy ? try olderHash(of: unit, field, hash, before) : hash
            found[field.key] = Translation.Entry(key: field.key, hash: written, value: value)
        }
        return found
    }

    /// The hash of the source that was translated: the file's, or of its source if a tool has lost that.
    private func hash(of unit: TranslationFile.Unit, _ kind: TranslatableField.Kind?) throws(MediaError) -> String {
        if let hash = unit.hash { return hash.lowercased() }
        guard let kind, let value = try TranslatorText.value(unit.source, kind) else {
            return Self.noSource
        }
        return SourceHash.of(value)
    }

    /// A hash that is not that of the field's source, so that the translation stays out of date.
    private func olderHash(
        of unit: TranslationFile.Unit, _ field: TranslatableField, _ hash: String, _ before: Translation.Entry?
    ) throws(MediaError) -> String {
        var previous: String?
        if let source = unit.previousSource {
            previous = try TranslatorText.value(source, field.kind).map(SourceHash.of)
        }
        return [previous, before?.hash, hash].compactMap(\.self).first { $0 != field.hash } ?? Self.noSource
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
