internal import Wayreel
internal import WayreelCore

/// The time to open a story of 10,000 events from its bundle, compared with parsing its XML, and to open a journal in
/// which all events are found.
enum StoryCost {
    private static let (chapters, events) = (100, 100)

    /// Writes the story, the bundle and the journal to the folder.
    static func report(folder: String) async throws -> String {
        let story = story
        let (document, bundle, player) = ("\(folder)/story.xml", "\(folder)/bundle", "\(folder)/player.sqlite")
        try OutputFile.write(Array(StoryDocument.text(of: story, as: .xml).utf8), to: document)
        let options = PrepareOptions(screens: [try Screen(parsing: "640x960")])
        _ = try await Preparation(document: document, bundle: bundle, options: options).run()
        let opening = try milliseconds(rounds: 201) { round in
            let chapter = try StoryBundle.open(bundle).chapter("chapter-\(round % chapters)")
            precondition(chapter.events.count == events)
        }
        let parsing = try milliseconds(rounds: 5) { _ in
            let parsed = try StoryDocument.read(path: document)
            precondition(parsed.story?.chapters.count == chapters)
        }
        var found = JournalContents()
        for event in story.chapters.flatMap(\.events) {
            found.found[event.id] = .init(
                timestamp: Timestamp(milliseconds: 1_795_453_509_250), position: event.position)
        }
        try Journal.add(JournalDocument(story: story.id, contents: found), to: player)
        let resuming = try milliseconds(rounds: 201) { _ in
            let contents = try Journal.open(player, story: story.id).contents()
            precondition(contents.found.count == chapters * events)
        }
        // The complete time to a player's first step, with the story's fences already built.
        let playback = try Playback(story)
        let starting = try milliseconds(rounds: 51) { round in
            let chapter = try StoryBundle.open(bundle).chapter("chapter-\(round % chapters)")
            let contents = try Journal.open(player, story: story.id).contents()
            precondition(chapter.events.count == events && playback.isDone(playback.state(resuming: contents)))
        }
        let journal = try Journal.open(player)
        let recording = try milliseconds(rounds: 51) { round in
            var news = JournalContents()
            news.opened["lockbox-\(round)"] = Timestamp(milliseconds: Int64(round))
            try journal.record(news)
        }
        return """
            ### A story of \(chapters * events) events

            \(table([
                ["", "ms"], ["bundle: opened, one chapter with its \(events) events", opening.formatted(2)],
                ["story.xml: parsed and checked", parsing.formatted(0)],
                ["journal: opened, all of its \((chapters * events).grouped) entries read", resuming.formatted(2)],
                ["the two, and the player's state made of them", starting.formatted(2)],
                ["journal: a further entry, on the disk", recording.formatted(2)],
            ]))
            """
    }

    private static var story: Story {
        var story = Story(id: "many", language: "en", name: "Ten thousand events", chapters: [])
        for chapter in 0..<chapters {
            var made = Chapter(
                id: "chapter-\(chapter)", name: "Chapter \(chapter)",
                description: RichText(plain: "The streets of part \(chapter)."))
            for event in 0..<events {
                made.events.append(
                    Event(
                        id: "event-\(chapter)-\(event)", name: "Event \(event)",
                        description: RichText(plain: "What was found behind door number \(event), and by whom."),
                        position: GeoPoint(
                            latitude: 35 + Double(chapter) / 100, longitude: -120 - Double(event) / 100),
                        activation: Activation(radius: 25),
                        content: .scrapbook(
                            ScrapbookContent(items: [.text("A page of the diary."), .text("And the page after it.")])),
                        journal: JournalEntry(title: "Door \(event)", description: "It was open.")))
            }
            story.chapters.append(made)
        }
        return story
    }
}
