internal import WayreelCore

extension LanguageTag {
    /// Returns what is wrong with a tag, and what to write instead; nil if it is that of a language.
    ///
    /// Languages have tags of two or three letters. The form allows for longer ones, but none was ever registered (RFC
    /// 5646, section 2.2.1), and who writes one means the name of a language.
    static func fault(of tag: String) -> (reason: String, advice: String)? {
        let isTag = isWellFormed(tag)
        if isTag, tag.prefix(while: { $0 != "-" }).count <= 3 { return nil }
        // Locales of POSIX have an underscore.
        let subtags = tag.replacing("_", with: "-").split(separator: "-", maxSplits: 1).map(String.init)
        let primary = subtags.first.flatMap { named($0) }
        let meant = primary.map { ([$0] + subtags.dropFirst()).joined(separator: "-") }
        let suggestion = meant.flatMap { isWellFormed($0) ? "did you mean '\(canonical($0))'?" : nil }
        return (
            isTag ? "is the tag of no language" : "is not a language tag",
            suggestion ?? "write one such as de or de-AT"
        )
    }

    /// The tag of the language with a name, which may be misspelt; what is as short as a tag is one.
    private static func named(_ name: String) -> String? {
        let name = name.lowercased()
        if let tag = names[name] { return tag }
        return name.utf8.count <= 3 ? name : nearestName(to: name, in: names.keys).flatMap { names[$0] }
    }

    /// The languages that stories are most often in, by their names in English and in themselves (Unicode CLDR).
    private static let names: [String: String] = [
        "arabic": "ar", "العربية": "ar", "bulgarian": "bg", "български": "bg", "catalan": "ca", "català": "ca",
        "czech": "cs", "čeština": "cs", "danish": "da", "dansk": "da", "german": "de", "deutsch": "de", "greek": "el",
        "ελληνικά": "el", "english": "en", "spanish": "es", "español": "es", "espanol": "es", "castellano": "es",
        "estonian": "et", "eesti": "et", "basque": "eu", "euskara": "eu", "persian": "fa", "farsi": "fa",
        "فارسی": "fa", "finnish": "fi", "suomi": "fi", "french": "fr", "français": "fr", "francais": "fr",
        "irish": "ga", "gaeilge": "ga", "galician": "gl", "galego": "gl", "hebrew": "he", "עברית": "he",
        "hindi": "hi", "हिन्दी": "hi", "croatian": "hr", "hrvatski": "hr", "hungarian": "hu", "magyar": "hu",
        "indonesian": "id", "icelandic": "is", "íslenska": "is", "italian": "it", "italiano": "it", "japanese": "ja",
        "日本語": "ja", "korean": "ko", "한국어": "ko", "lithuanian": "lt", "lietuvių": "lt", "latvian": "lv",
        "latviešu": "lv", "dutch": "nl", "nederlands": "nl", "norwegian": "nb", "norsk": "nb", "polish": "pl",
        "polski": "pl", "portuguese": "pt", "português": "pt", "portugues": "pt", "romanian": "ro", "română": "ro",
        "russian": "ru", "русский": "ru", "slovak": "sk", "slovenčina": "sk", "slovenian": "sl", "slovenščina": "sl",
        "serbian": "sr", "српски": "sr", "swedish": "sv", "svenska": "sv", "turkish": "tr", "türkçe": "tr",
        "ukrainian": "uk", "українська": "uk", "vietnamese": "vi", "welsh": "cy", "cymraeg": "cy", "chinese": "zh",
        "中文": "zh",
    ]
}
