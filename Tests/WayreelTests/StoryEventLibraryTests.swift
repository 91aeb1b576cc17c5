import TestSupport
import Testing
import Wayreel

/// A player's capture with the treatment of a story's event.
@Suite struct StoryEventLibraryTests {
    private static let folder = Fixture.media("story")
    private static let photo = Fixture.media("captures/town-coolpix-gps.jpg")

    @Test func aCaptureIsTreatedAsItsEventSays() async throws {
        let recipe = try Recipe.load(event: "bell-tower", ofStoryAt: "\(Self.folder)/story.xml")
        var options = CaptureOptions(recipe)
        options.framing.screen = try Screen(parsing: "480x320").size
        // The content of old-postcard, and the story's additions.
        let preset = try Recipe.load("old-postcard")
        #expect(options.filters == preset.filters && !preset.filters.isEmpty)
        let byHand = CaptureOptions(
            framing: Framing(screen: PixelSize(width: 480, height: 320)), filters: preset.filters,
            overlays: [
                .image(try ImageOverlay(parsing: "\(Self.folder)/overlays/bell.png@north-east+3%+3%:scale=22%")),
                .text(try TextOverlay("Dear Tomas, yes. I.", style: "gravity=south,size=6%,outline=#3b2a1a")),
            ])
        let folder = TemporaryFolder()
        let outputs = ["event", "hand"].map { "\(folder.path)/\($0).jpg" }
        let tasks = zip(outputs, [options, byHand]).map {
            CaptureTask(input: Self.photo, output: $0, options: $1)
        }
        for await (_, report) in try CaptureBatch(tasks).reports() {
            #expect(report.error == nil, "\(report.error?.description ?? "")")
        }
        #expect(try Fixture.bytes(outputs[0]) == Fixture.bytes(outputs[1]))
    }

    /// A recipe's output settings override the options, and its filters come after theirs.
    @Test func aRecipeIsAppliedOverOptions() throws {
        let base = CaptureOptions(filters: [.vignette()], encoding: Encoding(.webp, quality: 40))
        let recipe = try Recipe.parse("filters: [noir]\noutput: {quality: 70, screen: 320x200, fit: contain}")
        let options = CaptureOptions(recipe, over: base)
        #expect(options.filters == [.vignette()] + recipe.filters)
        #expect(options.encoding.format == .webp && options.encoding.quality == 70)
        #expect(options.framing.screen == PixelSize(width: 320, height: 200) && options.framing.fit == .contain)
        #expect(options.limits == base.limits)
    }

    @Test func aStoryInMemoryHasRecipesToo() throws {
        let treatment = Treatment(filters: ["noir"], texts: [.init("Then", style: "gravity=north")])
        let event = Event(
            id: "e", name: "E", position: GeoPoint(latitude: 35, longitude: -120), activation: Activation(radius: 10),
            content: .camera(CameraContent(clue: "C", treatment: treatment)))
        let quiz = QuizContent.Question(text: "Q", choices: [.init("A", isCorrect: true), .init("B")])
        var other = event
        (other.id, other.content) = ("q", .quiz(QuizContent(questions: [quiz])))
        let story = Story(
            id: "s", language: "en", name: "S", chapters: [Chapter(id: "c", name: "C", events: [other, event])])
        let recipe = try story.recipe(ofEvent: "e", in: Self.folder)
        #expect(recipe.filters == [try Filter(parsing: "noir")])
        #expect(recipe.overlays == [.text(try TextOverlay("Then", style: "gravity=north"))])
        let treated = Treatment(texts: [
            .init("Then", style: "gravity=north"), .init("Now", style: "gravity=north"), .init("Here"),
        ])
        var lines = event
        lines.content = .camera(CameraContent(clue: "C", treatment: treated))
        var several = story
        several.chapters[0].events = [lines]
        #expect(
            try several.recipe(ofEvent: "e", in: Self.folder).overlays == [
                .text(try TextOverlay("Then\nNow", style: "gravity=north")), .text(try TextOverlay("Here", style: "")),
            ])
        for (id, words) in [("q", "is not a camera event but a quiz event"), ("x", "there is no such event")] {
            let error = #expect(throws: MediaError.self) { try story.recipe(ofEvent: id, in: Self.folder) }
            #expect(error?.kind == .parameter && error?.reason == words)
            #expect(error?.advice?.description.hasSuffix("the story's camera events are e") == true)
        }
    }
}
