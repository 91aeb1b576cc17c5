internal import WayreelCore

/// The lines for translators that all formats have: the notes of a unit, and what has no place of its own in them.
///
/// Tools that convert translators' files keep such lines, whatever else they lose.
enum UnitNotes {
    private static let list = "One item in each line"
    private static let hash = "Hash: "
    private static let length = (before: "At most ", after: " characters")

    /// Returns the lines of a unit; its hash is left out where it has a place of its own.
    static func lines(of unit: TranslationFile.Unit, withHash: Bool = true) -> [String] {
        var lines = unit.notes
        if unit.isList { lines.append(list) }
        if let maxLength = unit.maxLength { lines.append("\(length.before)\(maxLength)\(length.after)") }
        if withHash, let hash = unit.hash { lines.append(self.hash + hash) }
        return lines
    }

    /// Adds what a line says to a unit.
    static func add(_ line: String, to unit: inout TranslationFile.Unit) {
        if line == list {
            unit.isList = true
        } else if line.hasPrefix(hash), line.utf8.count > hash.utf8.count, !line.dropFirst(hash.count).contains(" ") {
            unit.hash = String(line.dropFirst(hash.count))
        } else if line.hasPrefix(length.before), line.hasSuffix(length.after),
            let maxLength = Int(line.dropFirst(length.before.count).dropLast(length.after.count))
        {
            unit.maxLength = maxLength
        } else if !line.isEmpty {
            unit.notes.append(line)
        }
    }

    /// Adds what the lines of a text say to a unit.
    static func add(linesOf text: String, to unit: inout TranslationFile.Unit) {
        for line in lines(in: text) { add(line, to: &unit) }
    }

    /// The lines of a text.
    static func lines(in text: String) -> [String] {
        // A line feed and a carriage return are one character.
        text.withLineFeeds.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }
}

/// The states of translations by their names in XLIFF, in tables and in tools.
enum TranslationState {
    /// Those of translations that have to be looked at again.
    static let fuzzy: Set<String> = [
        "fuzzy", "initial", "needs-adaptation", "needs-l10n", "needs-review", "needs-review-adaptation",
        "needs-review-l10n", "needs-review-translation", "needs-translation", "needs-work", "new",
    ]
    /// Those of translations that can be used.
    static let current: Set<String> = [
        "", "approved", "done", "final", "reviewed", "signed-off", "translated", "untranslated",
    ]
    static let needsReview = "needs review"

    /// Returns the name of a state without differences of case and of spaces.
    static func name(_ text: String) -> String {
        text.trimmed().lowercased().split { $0 == " " || $0 == "-" || $0 == "_" }.joined(separator: "-")
    }
}
