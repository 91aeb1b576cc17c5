/// The direction in which languages are written.
package enum WritingDirection {
    /// Whether the language of a BCP 47 tag is written from right to left, by its script if the tag names one.
    ///
    /// Source: Unicode CLDR 44, `characterOrder` of the locales, and `likelySubtags`.
    package static func isRightToLeft(_ tag: String) -> Bool {
        let subtags = tag.lowercased().split(separator: "-").prefix { $0.utf8.count > 1 }
        if let script = subtags.dropFirst().first(where: { $0.utf8.count == 4 && $0.allSatisfy(\.isLetter) }) {
            return scripts.contains(String(script))
        }
        return subtags.first.map { languages.contains(String($0)) } ?? false
    }

    private static let scripts: Set<String> = [
        "adlm", "arab", "aran", "hebr", "mand", "nkoo", "rohg", "samr", "syrc", "thaa", "yezi",
    ]
    private static let languages: Set<String> = [
        "ar", "arc", "azb", "bal", "bgn", "ckb", "dv", "fa", "glk", "he", "iw", "khw", "ks", "lrc", "mzn", "nqo", "pnb",
        "ps", "sd", "sdh", "skr", "syr", "ug", "ur", "yi",
    ]
}

extension Story {
    /// Whether ``language`` is written from right to left.
    package var isRightToLeft: Bool { WritingDirection.isRightToLeft(language) }
}
