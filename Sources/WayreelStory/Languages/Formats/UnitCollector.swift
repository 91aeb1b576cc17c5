internal import WayreelCore
internal import WayreelDocument

/// Collects the units of a file that is being read, and checks what all formats have in common.
struct UnitCollector {
    /// What a file says about itself, with the line where it does; nil what it does not say.
    struct Head {
        var story: String?
        var sourceLanguage: String?
        var language: String?
        var line = 1
    }

    let name: String
    let story: String
    let sourceLanguage: String
    let language: String?
    private var units: [TranslationFile.Unit] = []
    private var lines: [String: Int] = [:]
    /// How many lines of notes and comments all units have.
    private var comments = 0

    init(name: String, story: String, sourceLanguage: String, language: String?) {
        (self.name, self.story, self.sourceLanguage, self.language) = (name, story, sourceLanguage, language)
    }

    /// Returns an error at a line; 0 for the whole file.
    func fault(
        _ line: Int, _ reason: String, _ advice: MediaError.Advice? = nil, kind: MediaError.Kind = .parameter
    ) -> MediaError {
        DocumentLocation(.story, file: name, line: line).fault(reason, advice, kind: kind)
    }

    /// Throws an error with the line unless the bytes are UTF-8 without NUL characters.
    func requireText(_ bytes: [UInt8]) throws(MediaError) {
        guard bytes.contains(0) || String(validating: bytes, as: UTF8.self) == nil else { return }
        var (start, number) = (0, 0)
        while start < bytes.count {
            let line = bytes[start...].prefix { $0 != UInt8(ascii: "\n") }
            (start, number) = (line.endIndex + 1, number + 1)
            if line.contains(0) { throw fault(number, "there is a NUL character", "save it as UTF-8") }
            if String(validating: line, as: UTF8.self) == nil {
                throw fault(
                    number, "is not UTF-8",
                    "save it as UTF-8: in spreadsheets as 'CSV UTF-8', with gettext by msgconv -t UTF-8")
            }
        }
    }

    /// Adds the unit that begins at its line. `candidates` are texts that may be its key or contain it: the first
    /// word that has the form of one is the key.
    mutating func add(_ unit: TranslationFile.Unit, line: Int, candidates: [String]) throws(MediaError) {
        guard let key = candidates.lazy.flatMap({ $0.split(separator: " ") }).first(where: Self.isKey) else {
            throw fault(
                line, candidates.first.map { "'\($0)' is not the key of a text of a story" } ?? "the text has no key",
                "translate a file that Wayreel has written")
        }
        var unit = unit
        unit.key = String(key)
        unit.line = line
        if let other = lines.updateValue(line, forKey: unit.key) {
            throw fault(
                line, "there are two translations of \(unit.key), the other one in line \(other)", "remove one of them")
        }
        guard units.count < TranslationLimits.units else {
            throw fault(line, "there are more than \(TranslationLimits.units) texts", kind: .limit)
        }
        try checkComments(of: unit, line: line)
        comments += unit.notes.count + unit.translatorComments.count
        guard comments <= TranslationLimits.comments else {
            throw fault(line, "there are more than \(TranslationLimits.comments) lines of comments", kind: .limit)
        }
        unit.source = try checked(unit.source, of: unit)
        unit.translation = try unit.translation.flatMap { (text) throws(MediaError) in
            text.isEmpty ? nil : try checked(text, of: unit)
        }
        unit.previousSource = try unit.previousSource.map { (text) throws(MediaError) in try checked(text, of: unit) }
        unit.isFuzzy = unit.isFuzzy && unit.translation != nil
        units.append(unit)
    }

    /// Throws a `limit` error if a unit has too many notes and comments.
    func checkComments(of unit: TranslationFile.Unit, line: Int) throws(MediaError) {
        guard unit.notes.count + unit.translatorComments.count > TranslationLimits.parts else { return }
        throw fault(line, "there are more than \(TranslationLimits.parts) comments of a text", kind: .limit)
    }

    /// Returns a text with line feeds as line ends.
    private func checked(_ text: String, of unit: TranslationFile.Unit) throws(MediaError) -> String {
        let line = unit.line ?? 0
        guard !text.isLonger(than: TranslationLimits.characters) else {
            throw fault(
                line, "\(unit.key) has more than \(TranslationLimits.characters) characters", kind: .limit)
        }
        let text = text.withLineFeeds
        if let control = text.unicodeScalars.first(where: { $0 < " " && $0 != "\n" && $0 != "\t" }) {
            throw fault(line, "\(unit.key) has the control character \(control.codePoint)", "remove it")
        }
        return text
    }

    /// Whether a text has the form of a key: a kind of part, its id, and its field.
    private static func isKey(_ text: Substring) -> Bool {
        let slash = UInt8(ascii: "/")
        return text.utf8.contains(slash) && text.isOfParts(separatedBy: slash, 100, others: "._-")
    }

    /// Returns the file of all units.
    func file(_ head: Head) throws(MediaError) -> TranslationFile {
        guard !units.isEmpty else { throw fault(0, "there are no texts in it") }
        if let other = head.story, other != story {
            throw fault(head.line, "is a translation of the story '\(other)', not of '\(story)'")
        }
        let tags = [head.sourceLanguage, head.language]
        for case let tag? in tags where !LanguageTag.isWellFormed(tag) {
            throw fault(head.line, "'\(tag)' is not a language tag", "write one such as de or de-AT")
        }
        if let other = head.sourceLanguage, other.primaryLanguage != sourceLanguage.primaryLanguage {
            throw fault(
                head.line, "is a translation from the language '\(other)'; the story's is '\(sourceLanguage)'")
        }
        if let language, let other = head.language, other.lowercased() != language.lowercased() {
            throw fault(head.line, "is a translation to the language '\(other)', not to '\(language)'")
        }
        guard let language = language ?? head.language else {
            throw fault(0, "does not say its language", "name the language")
        }
        return TranslationFile(story: story, sourceLanguage: sourceLanguage, language: language, units: units)
    }
}

extension String {
    fileprivate var primaryLanguage: String { lowercased().split(separator: "-").first.map(String.init) ?? "" }
}
