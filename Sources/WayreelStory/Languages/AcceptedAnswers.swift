/// **A lockbox accepts its answers in all languages of the story, in whichever it is played**: a visitor who plays in
/// English may think of the word in German.
///
/// This is the one place with that rule. Stories get the answers where they are opened to be played, by `prepare` and by
/// the commands; the engines compare with what they get.
extension Story {
    /// The answers of each lockbox in all languages, by its id: those in the story's own first.
    package var answersInAllLanguages: [String: [String]] {
        ([self] + translations.map { localized($0.language) }).reduce(into: [:]) { answers, story in
            for lockbox in story.chapters.flatMap(\.lockboxes) { answers[lockbox.id, default: []] += lockbox.answers }
        }
    }

    /// Returns the story with further answers, by the ids of lockboxes; those that it has stay the first.
    package func accepting(_ answers: [String: [String]]) -> Story {
        var story = self
        for chapter in chapters.indices {
            for (index, lockbox) in chapters[chapter].lockboxes.enumerated() {
                var seen: Set<String> = []
                story.chapters[chapter].lockboxes[index].answers =
                    (lockbox.answers + (answers[lockbox.id] ?? [])).filter { seen.insert($0).inserted }
            }
        }
        return story
    }
}
