extension Story {
    /// Returns the story as it is played in each of `languages`: localized, with these as its languages, and without
    /// translations. **A lockbox accepts its answers in all languages of the story, in whichever it is played**: a visitor
    /// who plays in English may think of the word in German. Those of the language itself come first.
    ///
    /// This is the only place with that rule: engines compare with the answers that they get.
    package func played(in languages: [String]) -> [Story] {
        let all = [language] + translations.map(\.language)
        let localized = Dictionary(
            (all + languages).map { ($0, $0 == language ? self : self.localized($0)) },
            uniquingKeysWith: { one, _ in one })
        var answers: [String: [String]] = [:]
        for story in all.compactMap({ localized[$0] }) {
            for lockbox in story.chapters.flatMap(\.lockboxes) { answers[lockbox.id, default: []] += lockbox.answers }
        }
        return languages.compactMap { localized[$0] }.map { story in
            var story = story
            (story.languages, story.translations) = (languages, [])
            for chapter in story.chapters.indices {
                for index in story.chapters[chapter].lockboxes.indices {
                    let lockbox = story.chapters[chapter].lockboxes[index]
                    var seen: Set<String> = []
                    story.chapters[chapter].lockboxes[index].answers =
                        (lockbox.answers + (answers[lockbox.id] ?? [])).filter { seen.insert($0).inserted }
                }
            }
            return story
        }
    }
}
