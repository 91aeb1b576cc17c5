internal import TestSupport
internal import Testing

/// `wayreel map`.
@Suite struct MapCommandTests {
    private let bench = Workbench()
    private static let story = "Media/story/story.xml"

    /// Writes a walk of 60 seconds to the door of the library and past it.
    private func writeWalk() throws {
        let points = (0..<60).map { second in
            """
            <trkpt lat="\(35.28040 - 0.00001 * Double(second))" lon="-120.66487"><time>2026-11-23T17:05:\
            \(second < 10 ? "0" : "")\(second)Z</time></trkpt>
            """
        }
        try bench.write(
            """
            <?xml version="1.0"?><gpx version="1.1" creator="test" xmlns="http://www.topografix.com/GPX/1/1"><trk><trkseg>
            \(points.joined())</trkseg></trk></gpx>
            """, to: "walk.gpx")
    }

    @Test func drawsAWalkAndWhatItFires() throws {
        try writeWalk()
        try expectDone(
            bench.wayreel(
                "map", Self.story, "--chapter", "the-book-box", "--track", "walk.gpx", "-o", "map.svg"))
        let file = try #require(try SVGFile(bench.bytes("map.svg")))
        #expect(file.texts["desc"]?.contains("Where books came from (camera, found at 2026-11-23T17:05:") == true)
        #expect(file.texts["desc"]?.contains("Thirty seconds of breakfast (radio, not found)") == true)
    }

    @Test func drawsPNGOfASize() throws {
        expectDone(
            try bench.wayreel("map", Self.story, "-o", "map.png", "--size", "640x400", "--theme", "dark", "--feet"))
        #expect(try bench.header("map.png") == ImageFileHeader("png", 640, 400))
    }

    @Test func namesWithoutAFontAreAWarning() throws {
        try bench.write(
            """
            <story id="s" language="en"><name>S</name><chapter id="c"><name>C</name>
            <event id="a"><name>A \u{F0001}</name><position latitude="1" longitude="2"/><activation radius="9"/>
            <scrapbook><text>T</text></scrapbook></event></chapter></story>
            """, to: "s.xml")
        let run = try expectDone(bench.wayreel("map", "s.xml", "-o", "map.svg"))
        #expect(run.errors.contains("warning: no installed font has outlines for all of 'A "), "\(run.errors)")
    }

    @Test(arguments: [
        (["--chapter", "the-rund"], Int32(2), "did you mean 'the-round'?"),
        (["--size", "100x100"], 2, "a map's sides are 200 to 16384 pixels"),
        (["--track", "missing.gpx"], 1, "missing.gpx"), (["--journal", "missing.sqlite"], 1, "missing.sqlite"),
        (["--walk", "plain"], 2, "--walk has no effect without a --track"), (["--zone", "Mars"], 2, "--zone takes"),
    ]) func saysWhatIsWrong(arguments: [String], status: Int32, message: String) throws {
        let run = try bench.command(["map", Self.story, "-o", "map.svg"] + arguments).run()
        #expect(run.ending == .exited(status))
        #expect(run.errors.contains(message), "\(run.errors)")
        #expect(!bench.exists("map.svg"))
    }

    @Test func otherEndingsAreWrongUsage() throws {
        #expect(try bench.wayreel("map", Self.story, "-o", "map.pdf").ending == .exited(2))
    }
}
