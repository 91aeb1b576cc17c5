internal import TestSupport
internal import Testing
internal import WayreelBundle
internal import WayreelCore
internal import WayreelStory

/// The media of collections, news, faces and arrivals are prepared as those of events are.
@Suite struct CollectionPlanTests {
    private let folder = TemporaryFolder()
    private func path(_ name: String) -> String { "\(folder.path)/\(name)" }

    private func write(_ text: String, to name: String) throws {
        try OutputFile.write(Array(text.utf8), to: path(name))
    }

    /// Writes a story with a file for each part that may have one.
    private func writeStory() throws {
        func image(_ name: String, _ size: Int) throws -> Asset {
            try OutputFile.write(PNGFile.black(width: size, height: size), to: path(name))
            return Asset(source: name, alt: "A")
        }
        func sound(_ name: String, _ file: String) throws -> Asset {
            try OutputFile.write(Fixture.bytes(Fixture.media("radio/bunny-4s.\(file)")), to: path(name))
            return Asset(source: name, alt: "A")
        }
        // The sound is 4 s long.
        try write("WEBVTT\n\n00:00:01.000 --> 00:00:02.000\nDong\n", to: "item.vtt")
        try write("WEBVTT\n\n00:00:09.000 --> 00:00:10.000\nDong\n", to: "track.vtt")
        let item = Item(
            id: "bell", name: "Bell", images: [try image("front.png", 11), try image("back.png", 12)],
            audio: .init(try sound("item.mp3", "mp3"), captions: [.init(source: "item.vtt")]))
        let event = Event(
            id: "e", name: "E", position: GeoPoint(latitude: 1, longitude: 2), activation: Activation(radius: 9),
            content: .exhibit(ExhibitContent(item: "bell")),
            journal: JournalEntry(
                title: "T",
                content: .radio(
                    RadioContent(tracks: [
                        .init(try sound("track.ogg", "ogg"), captions: [.init(source: "track.vtt", language: "de")])
                    ]))), arrival: Arrival(sound: try sound("here.wav", "wav")))
        let story = Story(
            id: "house", language: "en", name: "House", face: Face(logo: try image("logo.png", 13)),
            news: [NewsEntry(id: "n", date: "2026-01-01", title: "N", image: try image("news.png", 14))],
            sections: [Section(id: "s", name: "S", image: try image("section.png", 15), items: [item])],
            arrival: Arrival(sound: try sound("ding.flac", "flac")),
            chapters: [Chapter(id: "c", name: "C", events: [event])])
        try write(StoryDocument.text(of: story, as: .xml), to: "story.xml")
    }

    @Test func everyFileHasATask() async throws {
        try writeStory()
        let options = PrepareOptions(screens: [try Screen(parsing: "100x150")])
        let preparation = Preparation(document: path("story.xml"), bundle: path("bundle"), options: options)
        let plan = try await preparation.plan()
        #expect(plan.failures.isEmpty)
        let tasks = plan.tasks.flatMap { task in task.uses.map { "\(task.kind.rawValue) \($0.source)" } }
        let images = ["logo.png", "news.png", "section.png", "front.png", "back.png"]
        let sounds = ["item.mp3", "ding.flac", "track.ogg", "here.wav"]
        #expect(
            tasks.sorted()
                == (images.map { "image \($0)" } + sounds.map { "audio \($0)" }
                + ["item.vtt", "track.vtt"].map { "captions \($0)" } + ["icons logo.png", "share logo.png"]).sorted())
        #expect(
            plan.warnings == [
                "track.vtt: 1 of 1 captions begin after the end of the audio: the last at 9 s, the audio is 4 s long"
            ])
        #expect(try await preparation.run().isSwitched)
        let bundle = try StoryBundle.open(path("bundle"))
        #expect(try bundle.wholeStory() == StoryDocument.read(path: path("story.xml")).story)
        #expect(try bundle.media(for: "back.png", role: .image).map(\.file.width) == [12])
        for sound in sounds { #expect(try bundle.media(for: sound, role: .audio).count == 1, "\(sound)") }
        #expect(try await StoryBundle.verify(path("bundle")).issues.isEmpty)
    }
}
