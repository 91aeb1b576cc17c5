internal import FoundationEssentials
internal import TestSupport
internal import Testing
internal import WayreelBundle
internal import WayreelCore
internal import WayreelImage
internal import WayreelStory

/// Floor plans in bundles: their pictures for each screen, and where they lie.
@Suite struct FloorPlanBundleTests {
    private let folder = TemporaryFolder()
    private func path(_ name: String) -> String { "\(folder.path)/\(name)" }

    /// Writes a story of one chapter with plans. Of each, a unit is 0.05 m wide, with north at the top.
    private func write(_ sources: [(source: String, last: (Double, Double))]) throws {
        let plans = sources.enumerated().map { level, plan in
            FloorPlan(
                id: "floor-\(level)", level: Double(level), name: "Floor \(level)",
                image: Asset(source: plan.source, alt: "A", author: "B"),
                pins: [
                    .init(x: 0, y: 0, latitude: 48, longitude: 15.6),
                    .init(x: plan.last.0, y: 0, latitude: 48, longitude: 15.6 + plan.last.0 * 1e-6),
                    .init(x: 0, y: plan.last.1, latitude: 48 - plan.last.1 * 1e-6, longitude: 15.6),
                ])
        }
        let event = Event(
            id: "e", name: "E", position: GeoPoint(latitude: 48, longitude: 15.6),
            anchor: Anchor(floor: "floor-0", x: 3, y: 4), activation: Activation(radius: 9),
            content: .scrapbook(ScrapbookContent(items: [.text("Words")])))
        let story = Story(
            id: "house", language: "en", name: "House",
            chapters: [Chapter(id: "c", name: "C", floor: "floor-0", plans: plans, events: [event])])
        try OutputFile.write(Array(StoryDocument.text(of: story, as: .xml).utf8), to: path("story.xml"))
    }

    private func prepare(_ screens: [String] = ["192x300", "96x150"]) async throws -> PrepareReport {
        let options = PrepareOptions(screens: try screens.map { try Screen(parsing: $0) })
        return try await Preparation(document: path("story.xml"), bundle: path("bundle"), options: options).run()
    }

    private func copy(_ media: String, to name: String) throws {
        try OutputFile.write(Fixture.bytes(Fixture.media(media)), to: path(name))
    }

    @Test func drawingsAndImagesAreMadeForEachScreen() async throws {
        try copy("plans/ground-floor.svg", to: "ground.svg")
        try copy("captures/frame-1080p.png", to: "upper.png")
        try write([("ground.svg", (520, 360)), ("upper.png", (1920, 1080))])
        let report = try await prepare()
        #expect(report.failures.isEmpty)
        let bundle = try StoryBundle.open(path("bundle"))
        let manifest = try bundle.manifest()
        let floors = try #require(manifest.floors)
        #expect(floors.map(\.id) == ["floor-0", "floor-1"])
        #expect(floors.map(\.version) == [1, 1])
        #expect(floors.map { [$0.width, $0.height] } == [[520, 360], [1920, 1080]])
        for floor in floors {
            for (value, expected) in zip(floor.east + floor.north, [15.6, 1e-6, 0, 48, 0, -1e-6]) {
                #expect(abs(value - expected) < 1e-12)
            }
        }
        // 520 × 360 units at the width of the screens, and 1920 × 1080 pixels in the same way.
        func sizes(_ source: String, _ screen: String) throws -> [[Int?]] {
            try bundle.media(for: source, role: .image, screen: screen).map { [$0.file.width, $0.file.height] }
        }
        #expect(try sizes("ground.svg", "192x300") == [[192, 133]])
        #expect(try sizes("ground.svg", "96x150") == [[96, 66]])
        #expect(try sizes("upper.png", "192x300") == [[192, 108]])
        let drawn = try #require(try bundle.media(for: "ground.svg", screen: "192x300").first)
        #expect(drawn.file.type == "image/png")
        // The corner of the picture is white, and within the court it is green: #dfe8d6.
        let image = try Image.load(path: bundle.path(of: drawn.file), limits: .standard)
        #expect(image.rounded(x: 0, y: 0) == [255, 255, 255])
        #expect(image.rounded(x: 96, y: 66) == [0xDF, 0xE8, 0xD6])
        #expect(try await StoryBundle.verify(path("bundle")).issues.isEmpty)
        #expect(try bundle.chapter("c").plans?.map(\.id) == ["floor-0", "floor-1"])
        #expect(manifest.credits?.first?.sources == ["ground.svg", "upper.png"])
        // Nothing has changed, so nothing is made.
        #expect(try await prepare().isSwitched == false)
    }

    @Test func whatDoesNotFitFails() async throws {
        try copy("plans/ground-floor.svg", to: "ground.svg")
        try OutputFile.write(
            Array("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 9 9\"><image href=\"a.png\"/></svg>".utf8),
            to: path("outside.svg"))
        try copy("radio/bunny.mp3", to: "sound.mp3")
        try write([("ground.svg", (521, 360)), ("outside.svg", (9, 9)), ("sound.mp3", (9, 9))])
        let failures = try await prepare().failures
        #expect(failures.map(\.source) == ["ground.svg", "outside.svg", "sound.mp3"])
        #expect(
            failures.map(\.error.reason) == [
                "plan 'floor-0': pin 2 is at 521, 0, outside the picture of 520 × 360",
                "the SVG drawing refers to 'a.png' in line 1, which is outside of it",
                "is audio or video, where the story names a floor plan",
            ])
    }
}

extension Image {
    /// The red, green and blue of a pixel, 0 to 255.
    fileprivate func rounded(x: Int, y: Int) -> [Int] {
        withPlanes { planes in (0..<3).map { Int((planes.row(y, plane: $0)[x] * 255).rounded()) } }
    }
}
