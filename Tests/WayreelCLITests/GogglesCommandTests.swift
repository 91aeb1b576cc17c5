internal import Foundation
internal import TestSupport
internal import Testing

/// `wayreel goggles`.
@Suite struct GogglesCommandTests {
    private let bench = Workbench()
    private static let pose = ["--at", "35.3050,-120.6625,100", "--heading", "30", "--pitch", "5", "--fov", "60"]

    /// Writes a story with one pin, a badge.
    private func writeStory(name: String = "Tower") throws {
        try bench.write(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <story xmlns="urn:wayreel:story:1" id="v" language="en"><name>V</name><chapter id="c"><name>C</name>
              <event id="towers"><name>T</name><position latitude="35.3" longitude="-120.66"/><activation radius="15"/>
                <goggles><pin source="badge.png" alt="\(name)" latitude="35.3068" longitude="-120.6610" altitude="110"
                  size="40"/></goggles></event>
              <event id="book"><name>B</name><position latitude="35.3" longitude="-120.66"/><activation radius="15"/>
                <scrapbook><text>Text</text></scrapbook></event>
            </chapter></story>
            """, to: "story.xml")
        expectDone(try bench.shell("cp Media/story/overlays/bell.png badge.png"))
    }

    /// The story is also given as --bundle, and what sees nothing says why.
    @Test func saysWhyNoPinIsSeen() throws {
        try writeStory()
        let arguments = [
            "Media/captures/frame-1080p.png", "--bundle", "story.xml", "--event", "towers", "-o", "seen.jpg",
        ]
        let pose = ["--at", "35.3050,-120.6625,100", "--heading", "210", "--pitch", "5", "--fov", "60"]
        let run = try expectDone(goggles(arguments + pose))
        #expect(run.errors.contains("note: no pin is visible: of 1 pin 1 behind the camera"), "\(run.errors)")
        let both = try goggles(["photo.jpg", "a", "--bundle", "b", "--event", "e", "--json"])
        #expect(both.ending == .exited(2) && both.errors.contains("name one story"), "\(both.errors)")
        expectRefused(
            try goggles(arguments + pose + ["--declination", "400"]), 2,
            "the declination 400° is not within -180 to 180; correct it with --declination")
    }

    private struct Seen: Decodable {
        struct Pin: Decodable {
            var pin: Int
            var distance: Double
            var bearing: Double
            var x: Double?
            var y: Double?
            var width: Double?
            var rotation: Double?
            var culled: String?
        }

        var pins: [Pin]
    }

    private func goggles(_ arguments: [String]) throws -> Command.Outcome {
        try bench.command(["goggles"] + arguments).run()
    }

    /// The reference vector of GeographicLib, pymap3d and OpenCV: 241.8511 m, 34.33723°, pixel (1089.954, 609.575) of
    /// 1920×1080.
    @Test func printsTheReferenceVector() throws {
        try writeStory()
        let run = try expectDone(
            goggles(
                ["Media/captures/frame-1080p.png", "story.xml", "--event", "towers", "--json"] + Self.pose + [
                    "--roll", "3",
                ]))
        let pin = try #require(try JSONDecoder().decode(Seen.self, from: Data(run.output)).pins.first)
        #expect(abs(try #require(pin.x) - 1089.954) < 0.001)
        #expect(abs(try #require(pin.y) - 609.575) < 0.001)
        #expect(abs(pin.distance - 241.8511) < 0.0001)
        #expect(abs(pin.bearing - 34.33723) < 0.00001)
    }

    /// The output equals a capture with the badge as an overlay at the position that OpenCV computes for the vector's
    /// pin without roll, with a width of F · 40 m / depth.
    @Test func isACaptureWithOverlays() throws {
        try writeStory()
        let seen = try expectDone(
            goggles(
                [
                    "Media/captures/frame-1080p.png", "-o", "seen.png", "story.xml", "--event", "towers",
                    "--no-labels",
                    "--json",
                ] + Self.pose))
        let pin = try #require(try JSONDecoder().decode(Seen.self, from: Data(seen.output)).pins.first)
        let (x, y, width) = try (#require(pin.x), #require(pin.y), #require(pin.width))
        #expect(abs(width - 1662.7688 * 40 / 241.116106) < 0.01)
        let badge = try #require(try bench.header("badge.png"))
        let overlay =
            "badge.png@center\(x < 960 ? "" : "+")\(x - 960)\(y < 540 ? "" : "+")\(y - 540):scale=\(width / Double(badge.width)),"
            + "rotation=\(try #require(pin.rotation))"
        expectDone(
            try bench.command(
                ["capture", "Media/captures/frame-1080p.png", "-o", "capture.png", "--overlay", overlay]
            ).run())
        #expect(try bench.bytes("seen.png") == bench.bytes("capture.png"))
    }

    @Test func drawsFromABundleAndForAScreen() throws {
        expectDone(
            try bench.wayreel("prepare", "Media/story/story.xml", "-o", "bundle", "--screen", "320x480", "--quiet"))
        let arguments = [
            "photo.jpg", "-o", "seen.jpg", "bundle", "--event", "house-without-door", "--screen", "480x320",
            "--at", "35.27985,-120.66520,38", "--heading", "80", "--fov", "75", "--json",
        ]
        let run = try expectDone(goggles(arguments))
        #expect(try bench.header("seen.jpg") == ImageFileHeader("jpeg", 480, 320))
        let pins = try JSONDecoder().decode(Seen.self, from: Data(run.output)).pins
        #expect(pins.count == 2 && pins.allSatisfy { $0.culled == nil })
    }

    /// From a bundle for two screens, the image of the requested screen is used: drawing succeeds after the other image
    /// is removed.
    @Test(arguments: [
        (["--screen", "64x64"], "large", "small"), (["--screen", "iphone-15"], "small", "large"),
        (["--screen", "300x300"], "small", "large"), ([], "small", "large"),
    ]) func takesTheImageOfTheScreen(screen: [String], other: String, own: String) throws {
        try writeStory()
        expectDone(
            try bench.wayreel(
                "prepare", "story.xml", "-o", "bundle", "--screen", "64x64", "--screen", "iphone-15", "--quiet"))
        // The two images of the badge, the smaller one first.
        let list = try bench.shell("find bundle/ -name '*.png' -o -name '*.webp' -o -name '*.jpg' | xargs ls -Sr")
        let files = list.text.split(separator: "\n").map(String.init)
        try #require(files.count == 2, "\(files)")
        let paths = ["small": files[0], "large": files[1]]
        let arguments = ["photo.jpg", "bundle", "--event", "towers", "--json", "--quiet"] + Self.pose + screen
        expectDone(try goggles(arguments))
        try bench.write([], to: try #require(paths[other]))
        expectDone(try goggles(arguments))
        try bench.write([], to: try #require(paths[own]))
        #expect(try goggles(arguments).ending == .exited(1))
    }

    /// The photo's position is in its EXIF tags; the output's metadata contain none.
    @Test func keepsMetadataToItself() throws {
        try writeStory()
        expectDone(
            try goggles(
                [
                    "photo.jpg", "-o", "seen.jpg", "story.xml", "--event", "towers", "--heading", "10",
                    "--fov",
                    "50", "--quiet",
                ]))
        let tags = try Command("/usr/bin/exiftool", ["-GPSLatitude", bench.path("seen.jpg")]).run()
        #expect(tags.output.isEmpty)
    }

    @Test(arguments: [
        (["--event", "book"], "is not a goggles event but a scrapbook event; the story's goggles events are towers"),
        (["--event", "tower"], "there is no such event; did you mean 'towers'?"),
        (["--event", "towers", "--fit", "fill", "--screen", "300x300"], "fit fill stretches the photo"),
        (["--event", "towers", "--pitch", "-95"], "the pitch is -90 to 90 degrees, not -95; correct it with --pitch"),
    ]) func saysWhatIsWrong(arguments: [String], message: String) throws {
        try writeStory()
        let run = try goggles(["photo.jpg", "-o", "seen.jpg", "story.xml"] + Self.pose + arguments)
        #expect(run.ending == .exited(2))
        #expect(run.errors.contains(message), "\(run.errors)")
        #expect(run.lines.count == 1)
        #expect(!bench.exists("seen.jpg"))
    }

    /// A compass direction of 720° is reported with its tag and the flag that replaces it.
    @Test func namesTheTagThatLies() throws {
        try writeStory()
        let tag = [
            "-q", "-n", "-GPSImgDirection=720", "-GPSImgDirectionRef=T", "-o", bench.path("lie.jpg"),
            Workbench.smallPhoto,
        ]
        try #require(Command("/usr/bin/exiftool", tag).run().ending == .exited(0))
        let start = ["lie.jpg", "-o", "seen.jpg", "story.xml", "--event", "towers", "--fov", "50"]
        let run = try goggles(start)
        #expect(run.ending == .exited(1))
        #expect(
            run.errors.contains("lie.jpg: goggles: the EXIF tag GPSImgDirection is 720, not 0 to 360"), "\(run.errors)")
        #expect(run.errors.contains("--heading") && run.lines.count == 1)
        expectDone(try goggles(start + ["--heading", "20", "--quiet"]))
    }

    /// Without its reference, the hemisphere of a longitude is unknown.
    @Test(arguments: [("", "is missing"), ("Q", "is 'Q'")]) func aPositionWithoutASide(side: String, words: String)
        throws
    {
        try writeStory()
        let tag = ["-q", "-GPSLongitudeRef#=\(side)", "-o", bench.path("lie.jpg"), Workbench.smallPhoto]
        try #require(Command("/usr/bin/exiftool", tag).run().ending == .exited(0))
        let run = try goggles([
            "lie.jpg", "story.xml", "--event", "towers", "--heading", "1", "--fov", "50", "-o", "seen.jpg",
        ])
        expectRefused(run, 1, "the EXIF tag GPSLongitudeRef \(words), neither E nor W", "--at")
    }

    /// The photo has a position, but neither a heading nor a focal length of film.
    @Test func asksForWhatThePhotoLacks() throws {
        try writeStory()
        let run = try goggles([
            "photo.jpg", "-o", "seen.jpg", "story.xml", "--event", "towers", "--fov", "50",
        ])
        #expect(run.ending == .exited(2))
        #expect(
            run.errors.contains("photo.jpg: goggles: the photo's EXIF holds no heading; give it with --heading"),
            "\(run.errors)"
        )
    }

    @Test(arguments: [
        ["photo.jpg", "a", "--event", "b"],
        ["photo.jpg", "-o", "-", "--json", "a", "--event", "b"],
        ["photo.jpg", "-o", "x.jpg", "--event", "b"], ["photo.jpg", "a", "-o", "x.jpg"],
        ["-", "-o", "x.jpg", "a", "--event", "b"],
        ["photo.jpg", "-o", "x.jpg", "a", "--event", "b", "--at", "95,0"],
    ]) func wrongUsage(arguments: [String]) throws {
        #expect(try goggles(arguments).ending == .exited(2))
    }
}
