internal import ArgumentParser
internal import Wayreel
internal import WayreelCore

struct MapCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "map",
        abstract: "Draws a story's map: events with their circles, tours, and a walk through them.",
        discussion: """
            A chapter, as SVG or, by the file's ending, as PNG:
              wayreel map story.xml --chapter mission -o map.svg
            With a walk that was recorded, dark, for a poster:
              wayreel map bundle/ --chapter mission --track walk.gpx --theme dark --size 3200x2400 -o map.png
            All chapters on one map:
              wayreel map bundle/ -o map.svg

            Everything on it comes from the story and the track: circles have their true size, and crosses are as far apart as the scale \
            bar is long.

            Exit status: 0 done, 1 failed, 2 wrong usage.
            """)

    @Argument(help: "A prepared bundle, or a story's document: .xml, .yml or .yaml.", completion: .file())
    var story: String

    @Option(name: [.short, .long], help: "A file that ends in .svg or .png.", completion: .file())
    var output: String

    @Option(help: "The id of a chapter. Repeatable. (default: all chapters)")
    var chapter: [String] = []

    @Option(help: "A walk, in GPX.", completion: .file(extensions: ["gpx"]))
    var track: String?

    @Option(help: "Width and height in pixels, each 200 to 16384.")
    var size = PixelSize(width: 1200, height: 900)

    @Option(help: "light or dark.")
    var theme: MapImage.Theme = .light

    @Option(help: "The walk's colour: time, from pale to strong as time passes, or plain.")
    var walk: MapImage.WalkStyle = .time

    @Flag(help: "Add feet to the scale bar.")
    var feet = false

    private var type: MapImage.FileType? {
        output.split(separator: ".").last.flatMap { MapImage.FileType(rawValue: $0.lowercased()) }
    }

    func validate() throws {
        guard type != nil else { throw ValidationError("--output takes a file that ends in .svg or .png") }
        if walk != .time, track == nil { throw ValidationError("--walk has no effect without a --track") }
    }

    func run() async throws {
        for input in [story, track].compactMap(\.self) where OutputFile.isSame(input, output) {
            throw MediaError(
                .parameter, step: "write", subject: output, reason: "is the input", advice: "give another path")
        }
        let bytes = try await WorkPool.shared.run { (_) throws(MediaError) in
            var map = try scene()
            if let track { map.walk = try Track.read(path: track) }
            let image = MapImage(size: size, theme: theme, walkStyle: walk, showsFeet: feet)
            return try map.draw(image, as: type ?? .svg)
        }
        try Console.deliver(bytes, to: output)
    }

    private func scene() throws(MediaError) -> MapScene {
        let chapters = chapter.isEmpty ? nil : chapter
        if OutputPlan.isFolder(story) { return try MapScene(bundle: try StoryBundle.open(story), chapters: chapters) }
        let document = try StoryDocument.read(path: story)
        guard let read = document.story else {
            let first = document.issues.first { $0.severity == .error }
            throw MediaError(
                .parameter, step: "story", subject: story,
                reason: "has errors" + (first.map { ", the first in line \($0.line): \($0.message)" } ?? ""),
                advice: "see \(.storyIssues)")
        }
        return try MapScene(story: read, chapters: chapters)
    }
}
