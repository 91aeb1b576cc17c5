import TestSupport
import Testing
import Wayreel

/// The example of Documentation/goggles.md.
private func options() throws -> CaptureOptions {
    let event = try GogglesEvent("towers", ofStoryAt: "story.xml")
    let found = try PoseSource(pitch: 5).pose(ofPhotoAt: "photo.heic", seeing: event.pins.map(\.position))
    let scene = GogglesScene(pins: event.pins, pose: found.pose, scaling: event.scaling, maxDistance: event.maxDistance)
    let options = CaptureOptions(overlays: try scene.drawing().overlays)
    return options
}

/// The example of Documentation/maps.md.
private func draw(_ story: Story) throws -> [UInt8] {
    var map = try MapScene(story: story, chapters: ["mission"])
    map.walk = try Track.read(path: "walk.gpx")
    let svg = try map.draw(MapImage(size: PixelSize(width: 1200, height: 900), theme: .dark), as: .svg)
    return svg
}

/// Every example of the documents is in this file, so that it compiles.
@Suite struct GogglesDocumentationTests {
    @Test(arguments: ["goggles.md", "maps.md"]) func showsExamplesThatCompile(document: String) throws {
        let source = try lines(of: "Tests/WayreelTests/GogglesDocumentationTests.swift").joined(separator: "\n")
        let examples = try lines(of: "Documentation/\(document)").split(separator: "```swift").dropFirst()
        #expect(examples.count == 1)
        for example in examples {
            #expect(source.contains(example.prefix { $0 != "```" }.joined(separator: "\n")))
        }
    }

    /// Returns the lines without their indentation.
    private func lines(of path: String) throws -> [String] {
        String(decoding: try Fixture.bytes("\(Fixture.root)/\(path)"), as: UTF8.self)
            .split(separator: "\n", omittingEmptySubsequences: false).map { String($0.drop(while: \.isWhitespace)) }
    }

    @Test func whatIsMissingIsNamed() throws {
        #expect(throws: MediaError.self) { try options() }
        let story = Story(id: "s", language: "en", name: "S", chapters: [Chapter(id: "c", name: "C", events: [])])
        #expect(throws: MediaError.self) { try draw(story) }
    }
}
