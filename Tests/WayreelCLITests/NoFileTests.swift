internal import Glibc
internal import TestSupport
internal import Testing

/// Paths that are not files are refused immediately, in one line, for documents, tracks, answers, journals, photos and
/// recordings.
@Suite struct NoFileTests {
    private let bench = Workbench()

    /// `X` stands for the path that is not a file.
    private static let commands: [[String]] = [
        ["story", "check", "X.xml"], ["story", "check", "X.yml"],
        ["prepare", "X.xml", "-o", "out", "--screen", "iphone-15"],
        ["play", "X.xml", "--track", "walk.gpx"], ["play", "STORY", "--track", "X.gpx"],
        ["play", "STORY", "--track", "walk.gpx", "--answers", "X.yml"],
        ["play", "STORY", "--track", "walk.gpx", "--journal", "X.sqlite"],
        ["walk", "X.xml", "-o", "out.gpx"], ["walk", "--track", "X.gpx", "--move-to", "48,11", "-o", "out.gpx"],
        ["route", "STORY", "--along", "X.gpx", "--at", "48,11"], ["map", "STORY", "-o", "out.svg", "--track", "X.gpx"],
        ["map", "STORY", "-o", "out.svg", "--track", "walk.gpx", "--answers", "X.yml"],
        ["map", "STORY", "-o", "out.svg", "--journal", "X.sqlite"],
        ["goggles", "X.heic", "STORY", "--event", "house-without-door", "-o", "out.jpg"],
        ["streams", "show", "X.ndjson"], ["journal", "show", "X.sqlite"],
        ["journal", "import", "X.json", "-o", "out.sqlite"], ["tiles", "X.pbf", "-o", "out"],
        ["places", "search", "X.geojson", "--at", "48,11"],
        ["way", "X.pbf", "--from", "50,11.6", "--to", "50,11.7"], ["route", "--roads", "X.pbf", "--track", "walk.gpx"],
    ]

    private static let walk = """
        <gpx xmlns="http://www.topografix.com/GPX/1/1" version="1.1" creator="t"><trk><trkseg>
        <trkpt lat="48" lon="11"><time>2026-11-22T10:00:00Z</time></trkpt>
        </trkseg></trk></gpx>
        """

    @Test(arguments: commands) func isRefused(_ arguments: [String]) throws {
        try bench.write(Self.walk, to: "walk.gpx")
        let name = try #require(arguments.first { $0.hasPrefix("X.") })
        let ending = name.dropFirst()
        mkfifo(bench.path("pipe\(ending)"), 0o600)
        bench.makeFolder("folder\(ending)")
        symlink("/dev/zero", bench.path("zero\(ending)"))
        let files = bench.listing()
        for what in ["pipe", "folder", "zero"] {
            var command = bench.command(
                arguments.map {
                    $0 == "STORY" ? Fixture.media("story/story.xml") : $0 == name ? "\(what)\(ending)" : $0
                })
            command.maxSeconds = 20
            let run = try command.run()
            expectRefused(run, 1, "\(what)\(ending)")
            let reasons = ["is a named pipe", "is a directory", "is a device", "is not a file"]
            #expect(reasons.contains { run.errors.contains($0) }, "\(run.errors)")
        }
        #expect(bench.listing() == files)
    }

    /// An unnamed pipe has a writer.
    @Test func standardInputAndTheShellsPipesAreRead() throws {
        try bench.write(Self.walk, to: "walk.gpx")
        let route = "wayreel route '\(Fixture.media("story/story.xml"))' --at 48,11 --json --along"
        let file = try bench.shell("\(route) walk.gpx")
        for line in ["cat walk.gpx | \(route) -", "cat walk.gpx | \(route) /dev/stdin"] {
            let run = try bench.shell(line)
            #expect(run.ending == file.ending && run.text == file.text, "\(run.errors)")
            #expect(!run.errors.contains("pipe"))
        }
    }
}
