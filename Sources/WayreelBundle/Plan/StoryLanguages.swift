internal import WayreelCore
internal import WayreelStory

extension StorySource {
    /// Returns the story as it is played in each language of a bundle, its own first: with these languages, and without
    /// translations.
    ///
    /// `wanted`: the languages that the bundle should have; nil for all of the story. Throws a `parameter` error if the
    /// story has no such language.
    func stories(in wanted: [String]?) throws(MediaError) -> [Story] {
        let languages = try languages(wanted)
        let answers = story.answersInAllLanguages
        return languages.map { language in
            var localized = language == story.language ? story : story.localized(language)
            (localized.languages, localized.translations) = (languages, [])
            return localized.accepting(answers)
        }
    }

    /// The languages in the order of the story; the pseudo-language, which is there only if it is asked for, is the last.
    private func languages(_ wanted: [String]?) throws(MediaError) -> [String] {
        guard let wanted else { return story.languages }
        let known = story.languages.filter { $0 != Story.pseudoLanguage } + [Story.pseudoLanguage]
        let tags = wanted.map { $0.lowercased() }
        for (tag, language) in zip(tags, wanted) where !known.contains(where: { $0.lowercased() == tag }) {
            throw MediaError(
                .parameter, step: .plan, subject: document, reason: "has no language '\(language)'",
                advice:
                    "it has \(story.languages.joined(separator: ", ")); \(Story.pseudoLanguage) is a pseudo-language")
        }
        return known.filter { $0 == story.language || tags.contains($0.lowercased()) }
    }
}

extension Story {
    /// Returns a line for each language that lacks texts, or has texts that are out of date.
    func translationWarnings(_ languages: [String]) -> [String] {
        translationProgress.filter { languages.contains($0.language) }.compactMap { progress in
            let faults = [("missing", progress.missing), ("out of date", progress.outOfDate)].filter { $0.1 > 0 }
            guard !faults.isEmpty else { return nil }
            return "the translation into '\(progress.language)': of \(progress.texts.counted("text")), "
                + faults.map { "\($1) \($1 == 1 ? "is" : "are") \($0)" }.joined(separator: ", ")
        }
    }
}
