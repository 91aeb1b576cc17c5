import TestSupport
import Testing
import Wayreel

/// Examples of stories.md, bundles.md, journals.md, streams.md, goggles.md, maps.md and tones.md in Documentation.
private enum Examples {
    static func stories(photo: String) throws -> CaptureTask {
        let recipe = try Recipe.load(event: "bell-tower", ofStoryAt: "Media/story/story.xml")
        var options = CaptureOptions(recipe)
        options.framing.screen = try Screen(parsing: "iphone-15").size
        let task = CaptureTask(input: photo, output: "out.jpg", options: options)
        return task
    }

    static func languages(of story: Story) -> (Story, String, [TranslationProgress]) {
        let german = story.localized("de-AT")  // in "de" if there is no de-AT
        let best = story.language(for: ["de-CH", "fr"])  // or story.language(accepting: "de-CH, fr;q=0.8")
        let progress = story.translationProgress
        return (german, best, progress)
    }

    static func bundles() throws -> (Chapter, [StoryBundle.Media]) {
        let bundle = try StoryBundle.open("bundle/")
        let chapter = try bundle.chapter("the-round", language: "de")
        let images = try bundle.media(for: "images/madrid.jpg", role: .image, screen: "iphone-15")
        return (chapter, images)
    }

    static func journal(timestamp: Timestamp, position: GeoPoint) throws {
        let journal = try Journal.open("player.sqlite", story: "late-post")
        var news = JournalContents()
        news.found["bell-tower"] = .init(timestamp: timestamp, position: position)
        try journal.record(news)
        print(try journal.contents().points)
    }

    static func streams(play: (PlaybackInput) -> Void) throws {
        let filters = try SensorFilterChain([SensorFilter(parsing: "heading:smooth=0.5s")])
        let replay = SensorReplay(speed: .times(10), filters: filters)
        let statistics = try replay.run(SensorReader("walk.ndjson")) { (sample, _) throws(MediaError) in
            if let input = PlaybackInput(sample) { play(input) }
        }
        print("\(statistics.delivered) of \(statistics.read)")
    }

    static func options() throws -> CaptureOptions {
        let event = try GogglesEvent("towers", ofStoryAt: "story.xml")
        let found = try PoseSource(pitch: 5).pose(ofPhotoAt: "photo.heic", seeing: event.pins.map(\.position))
        let scene = GogglesScene(
            pins: event.pins, pose: found.pose, scaling: event.scaling, maxDistance: event.maxDistance)
        let options = CaptureOptions(overlays: try scene.drawing().overlays)
        return options
    }

    static func draw(_ story: Story) throws -> [UInt8] {
        var map = try MapScene(story: story, chapters: ["mission"])
        map.walk = try Track.read(path: "walk.gpx")
        let svg = try map.draw(MapImage(size: PixelSize(width: 1200, height: 900), theme: .dark), as: .svg)
        return svg
    }

    static func baseMap() throws {
        let tiles = try GroundTiles.cut(
            extract: "krems.osm.pbf", box: try GroundBox("15.600,48.387,15.671,48.414"), languages: ["de", "en"])
        for tile in tiles.tiles { print(tile.path, tile.bytes.count, tile.sha256) }
        print(GroundExtract.attribution)
    }

    static func roads() throws {
        let roads = try RoadGraph.read(path: "bayreuth-north.osm.pbf")
        let drive = try RoadDrive(try Track.read(path: "drive.gpx"), on: roads)
        for exit in drive.ahead?.exits ?? [] { print(exit.number ?? "", exit.destinations, exit.distance) }

        let (home, castle) = (GeoPoint(latitude: 50.039, longitude: 11.49), GeoPoint(latitude: 49.98, longitude: 11.59))
        let way = try roads.way(through: [home, castle], by: .bicycle)
        for step in way.steps { print(step.turn, step.road?.name ?? "", step.length) }
        print(GroundExtract.attribution)
    }

    static func tones() throws -> [UInt8] {
        let chord = try ToneMix(
            [Tone(.sine(hertz: 440)), Tone(parsing: "square:660:level=-30dBFS:fade=10ms")], seconds: 5)
        let warnings = try ToneFile(.flac, samples: .int24).write(chord, to: "chord.flac")
        let svg = try TonePlot().draw(chord, as: .svg)
        for warning in warnings { print(warning) }
        return svg
    }
}

/// Every page on stories and tones has an example, which is in a test file, where it compiles.
@Suite struct StoryExampleTests {
    @Test(arguments: [
        "bundles": "StoryExampleTests", "stories": "StoryExampleTests", "playback": "PlaybackExampleTests",
        "journals": "StoryExampleTests", "streams": "StoryExampleTests", "goggles": "StoryExampleTests",
        "maps": "StoryExampleTests", "roads": "StoryExampleTests", "tones": "StoryExampleTests",
        "walks": "WalkExampleTests",
    ]) func examplesCompile(page: String, tests: String) throws {
        let examples = try Fixture.text("\(Fixture.root)/Documentation/\(page).md").split(separator: "```swift\n")
            .dropFirst()
        #expect(!examples.isEmpty)
        // A function of a page is private in the tests, or stands in a type.
        let source = try Fixture.text("\(Fixture.root)/Tests/WayreelTests/\(tests).swift")
            .replacing("\nprivate ", with: "\n")
        for example in examples {
            let text = try #require(example.split(separator: "\n```").first)
            let lines = text.trimmingPrefix("import Wayreel\n\n")
                .split(separator: "\n", omittingEmptySubsequences: false)
            let isThere = ["", "    ", "        "].contains { indentation in
                source.contains(lines.map { $0.isEmpty ? "" : indentation + $0 }.joined(separator: "\n"))
            }
            #expect(isThere, "this example is in no test:\n\(text)")
        }
    }

    @Test func whatIsMissingIsNamed() throws {
        #expect(throws: MediaError.self) { try Examples.options() }
        let story = Story(id: "s", language: "en", name: "S", chapters: [Chapter(id: "c", name: "C", events: [])])
        #expect(throws: MediaError.self) { try Examples.draw(story) }
    }
}
