internal import FoundationEssentials
internal import TestSupport
internal import Testing
internal import WayreelBundle
internal import WayreelCore
internal import WayreelImage
internal import WayreelStory

/// What earlier versions of Wayreel wrote, from `Tests/Fixtures`.
@Suite struct EarlierVersionTests {
    private static let folder = "\(Fixture.root)/Tests/Fixtures"

    private static func data(_ name: String) throws -> Data { Data(try Fixture.bytes("\(folder)/\(name)")) }

    private static func text(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }

    @Test func storiesAreReadAndWrittenInTheCurrentForm() throws {
        let earlier = try JSONDecoder().decode(Story.self, from: try Self.data("version-1/story.json"))
        let current = try Self.data("version-2/story.json")
        let written = String(decoding: current, as: UTF8.self).replacing("\"version\":2", with: "\"version\":3")
        #expect(try Self.text(earlier) == written)
        #expect(try JSONDecoder().decode(Story.self, from: current) == earlier)
        let kinds = earlier.chapters[0].events.map(\.content.kind)
        #expect(kinds == ["camera", "radio", "scrapbook", "goggles", "quiz"])
        let condition = Condition.all([
            .found(event: "tower"), .any([.opened(lockbox: "year"), .not(.found(event: "pins"))]),
            .during(TimeWindow(zone: "Europe/Vienna", from: TimeOfDay("08:00"))),
        ])
        #expect(earlier.chapters[0].events[1].condition == condition)
    }

    @Test func bundlesAreReadAsTheyAre() async throws {
        let path = "\(Self.folder)/version-1/bundle"
        let bundle = try StoryBundle.open(path)
        let story = try JSONDecoder().decode(Story.self, from: try Self.data("version-2/story.json"))
        #expect(try bundle.wholeStory() == story)
        #expect(try bundle.chapters().map(\.events) == [5])
        let options = try bundle.captureOptions(for: "tower", screen: PixelSize(width: 64, height: 48))
        #expect(options.filters.map(\.name) == ["photo-effect-noir", "sepia-tone"] && options.overlays.count == 2)
        #expect(try bundle.media(for: "a.mp4", role: .video).count == 1)
        #expect(try await StoryBundle.verify(path).issues.isEmpty)
    }

    @Test(arguments: [#"{"format":"wayreel-story","version":4}"#, #"{"version":9,"id":"s"}"#])
    func storiesOfALaterVersionAreRefused(_ json: String) {
        let error = #expect(throws: MediaError.self) {
            try JSONDecoder().decode(Story.self, from: Data(json.utf8))
        }
        #expect(error?.kind == .unsupported)
    }

    @Test(arguments: [
        #"{"format":"wayreel-journal","version":2}"#, #"{"format":"wayreel-story","version":0}"#, #"{"version":2}"#,
    ])
    func otherDocumentsAreNoStories(_ json: String) {
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(Story.self, from: Data(json.utf8)) }
    }

    @Test(arguments: ["{}", #"{"type":"dream"}"#, #"{"dream":{}}"#, #"{"all":{},"any":{}}"#, #"{"type":"not"}"#, "[]"])
    func conditionsOfAnUnknownTypeAreRefused(_ json: String) {
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(Condition.self, from: Data(json.utf8)) }
    }

    @Test func workIsReadAndWrittenInTheCurrentForm() throws {
        let work = try JSONDecoder().decode([BundleWork].self, from: try Self.data("version-1/tasks.json"))
        let kinds = Set(work.map { String("\($0)".prefix { $0 != "(" }) })
        #expect(kinds == ["capture", "copy", "transcode", "levels", "poster", "captions"])
        let current = try Self.text(work)
        #expect(!current.contains("_0") && current.contains("\"type\":\"capture\""))
        #expect(try JSONDecoder().decode([BundleWork].self, from: Data(current.utf8)) == work)
    }
}
