import TestSupport
import Testing
import WayreelCore
import WayreelStory
import WayreelStoryMedia

/// The story of Media/story, which documentation, demo and benchmarks use.
@Suite struct SampleStoryTests {
    private static let folder = Fixture.media("story")

    private func story() throws -> Story {
        let document = try StoryDocument.read(path: "\(Self.folder)/story.xml").checked(in: Self.folder)
        #expect(document.issues.isEmpty, "\(document.issues)")
        return try #require(document.story)
    }

    @Test func hasEveryKindOfEvent() throws {
        let chapters = try story().chapters
        #expect(chapters.count >= 3 && Set(chapters.map(\.order)) == [.sequence, .free])
        let events = chapters.flatMap(\.events)
        #expect(Set(events.map(\.content.kind)) == ["camera", "radio", "scrapbook", "goggles", "quiz"])
        #expect(Set(events.map(\.activation.trigger)) == [.enter, .exit, .dwell])
        #expect(events.contains { $0.window != nil } && events.contains { $0.condition != nil })
        #expect(events.allSatisfy { $0.journal != nil } && chapters.contains { !$0.lockboxes.isEmpty })
        for case .radio(let radio) in events.map(\.content) {
            #expect(radio.tracks.allSatisfy { $0.transcript != nil })
        }
    }

    /// Within 1.5 km of the city hall of San Luis Obispo, 990 Palm Street.
    @Test func takesPlaceInTheTown() throws {
        let cityHall = GeoPoint(latitude: 35.2828, longitude: -120.6617)
        for chapter in try story().chapters {
            for point in [chapter.location].compactMap(\.self) + chapter.events.map(\.position) {
                #expect(point.distance(to: cityHall) < 1500)
            }
        }
    }

    /// Whoever changes a text looks at its translation, too.
    @Test func isAllInGermanToo() throws {
        let story = try story()
        let progress = try #require(story.translationProgress.first)
        #expect(progress.language == "de" && progress.texts > 100)
        #expect(progress.current == progress.texts, "\(progress)")
        #expect(!story.captioned.isEmpty)
        for file in story.captioned {
            #expect(file.captions.contains { $0.language == "de" }, "\(file.source)")
        }
    }

    /// The folder contains only files that an event shows.
    @Test func everyFileIsUsed() throws {
        let text = String(decoding: try Fixture.bytes("\(Self.folder)/story.xml"), as: UTF8.self)
        for folder in Fixture.listing(Self.folder) where folder != "story.xml" {
            let names = Fixture.listing("\(Self.folder)/\(folder)")
            #expect(!names.isEmpty)
            for name in names { #expect(text.contains("\(folder)/\(name)"), "\(folder)/\(name)") }
        }
    }

    /// The document is checked with xmllint.
    @Test func xmllintAgrees() throws {
        try Fixture.withFolder { folder in
            try OutputFile.write(Array(StoryDocument.schema.utf8), to: "\(folder)/story.xsd")
            let outcome = try Command(
                "/usr/bin/xmllint",
                ["--nonet", "--noout", "--schema", "\(folder)/story.xsd", "\(Self.folder)/story.xml"]
            ).run()
            #expect(outcome.ending == .exited(0), "\(outcome.errors)")
        }
    }
}
