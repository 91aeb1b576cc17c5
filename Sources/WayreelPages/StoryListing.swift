package import WayreelBundle
package import WayreelCore
internal import WayreelStory

/// A story in the list of stories, without its chapters: its words in one language, and in ``languages`` those that it
/// has beside it. A page chooses by the reader's wish alone, whether its host does or not.
package struct StoryListing: Encodable, Sendable {
    private struct Words: Encodable, Sendable {
        var name: String
        var description: String?
        var cover: Asset?
        /// The languages of those that are in another one; nil for none.
        var textLanguages: [String: String]?

        init(_ story: Story) {
            name = story.name
            description = story.description?.plain
            cover = story.cover
            let keys = ["story/name", "story/description", "story/cover/alt"]
            let others = story.textLanguages.filter { keys.contains($0.key) }
            textLanguages = others.isEmpty ? nil : others
        }
    }

    private let id: String
    /// All languages, the story's own first.
    private let languages: [String]
    private var language: String
    private let words: [String: Words]

    /// In the story's own language. Throws what reading the bundle throws.
    package init(_ bundle: StoryBundle) throws(MediaError) {
        languages = try bundle.languages()
        let stories = try languages.map { (language) throws(MediaError) in try bundle.story(language: language) }
        id = stories[0].id
        language = languages[0]
        words = Dictionary(zip(languages, stories.map(Words.init)), uniquingKeysWith: { first, _ in first })
    }

    /// Returns the same in the language that suits a field `Accept-Language` best.
    package func preferring(_ accepted: String) -> StoryListing {
        var listing = self
        listing.language = LanguagePreference(acceptLanguage: accepted).best(of: languages) ?? language
        return listing
    }

    private enum CodingKeys: String, CodingKey {
        case id, name, language, description, cover, languages, translations, textLanguages
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(id, forKey: .id)
        try container.encode(language, forKey: .language)
        if let own = words[language] {
            try container.encode(own.name, forKey: .name)
            try container.encodeIfPresent(own.description, forKey: .description)
            try container.encodeIfPresent(own.cover, forKey: .cover)
            try container.encodeIfPresent(own.textLanguages, forKey: .textLanguages)
        }
        guard languages.count > 1 else { return }
        try container.encode(languages, forKey: .languages)
        try container.encode(words.filter { $0.key != language }, forKey: .translations)
    }
}
