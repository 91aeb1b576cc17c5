internal import FoundationEssentials
internal import TestSupport
internal import Testing

/// `wayreel walk`.
@Suite struct WalkCommandTests {
    private let bench = Workbench()
    private static let story = "Media/story/story.xml"

    private struct Walk: Decodable {
        struct Visit: Decodable {
            var event: String
            var secondsInside: Double
        }
        struct Omission: Decodable { var event: String }
        var fixes: Int
        var start: String
        var visits: [Visit]
        var omissions: [Omission]
    }

    private func xpath(_ path: String, _ file: String) throws -> String {
        try Command("/usr/bin/xmllint", ["--nonet", "--xpath", path, bench.path(file)]).run().text
    }

    @Test func walksThroughTheSampleStory() throws {
        let options = ["--noise", "8m", "--outliers", "2%", "--dropouts", "30s", "--seed", "1"]
        let run = try expectDone(bench.command(["walk", Self.story, "-o", "walk.gpx", "--json"] + options).run())
        let walk = try JSONDecoder().decode(Walk.self, from: Data(run.output))
        #expect(walk.visits.count == 10 && walk.omissions.isEmpty)
        #expect(walk.visits.allSatisfy { $0.secondsInside >= 10 })
        let points = "count(//*[local-name()='trkpt'][*[local-name()='time']][*[local-name()='hdop']])"
        #expect(try xpath(points, "walk.gpx").hasPrefix("\(walk.fixes)"))
        // The same seed, written to a pipe.
        let again = try expectDone(bench.command(["walk", Self.story, "-o", "-"] + options).run())
        #expect(try again.output == bench.bytes("walk.gpx"))
    }

    @Test func tellsWhatItMade() throws {
        let run = try expectDone(
            bench.wayreel(
                "walk", Self.story, "--chapter", "the-round", "-o", "walk.gpx", "--start", "2026-11-22T10:00:00-08:00",
                "--rate", "0.5", "--speed", "2"))
        #expect(run.lines.count == 1 && run.errors.contains(" fixes, 4 events, 2026-11-22T18:00:00Z to "))
        #expect(run.errors.hasPrefix("→ walk.gpx  "))
        #expect(bench.listing() == ["walk.gpx"])
    }

    @Test func whatNobodyReachesIsAWarning() throws {
        try bench.write(
            """
            <story id="s" language="en"><name>S</name><chapter id="c"><name>C</name>
            <event id="a"><name>A</name><position latitude="1" longitude="2"/><activation radius="9"/>
            <window zone="UTC" last="2020-01-01"/><scrapbook><text>T</text></scrapbook></event>
            <event id="b"><name>B</name><position latitude="1" longitude="2.001"/><activation radius="9"/>
            <scrapbook><text>T</text></scrapbook></event></chapter></story>
            """, to: "s.xml")
        let run = try expectDone(bench.wayreel("walk", "s.xml", "-o", "walk.gpx"))
        #expect(run.errors.contains("warning: event 'a': it does not open within a day"), "\(run.errors)")
    }

    /// A walk past an event that asks for a stay, one that opens in the evening, and one where it ends.
    @Test func aBentTrackFindsWhatItPasses() throws {
        func event(_ id: String, _ longitude: Double, _ activation: String, _ window: String = "") -> String {
            """
            <event id="\(id)"><name>\(id)</name><position latitude="1" longitude="\(longitude)"/><activation radius="9"\(activation)/>
            \(window)<scrapbook><text>T</text></scrapbook></event>
            """
        }
        try bench.write(
            """
            <story id="s" language="en"><name>S</name><chapter id="c"><name>C</name><location latitude="1" longitude="1.999"/>
            \(event("stay", 2, " trigger=\"dwell\" seconds=\"90\""))
            \(event("evening", 2.001, "", "<window zone=\"UTC\" from=\"19:00\" until=\"20:00\"/>"))
            \(event("end", 2.002, ""))</chapter></story>
            """, to: "s.xml")
        try bench.write(
            #"<gpx><rte><rtept lat="5" lon="7"/><rtept lat="5" lon="7.001"/><rtept lat="5" lon="7.003"/></rte></gpx>"#,
            to: "route.gpx")
        let run = try expectDone(bench.wayreel("walk", "s.xml", "--track", "route.gpx", "-o", "walk.gpx"))
        // The route has no times, which is said; all events are found.
        #expect(run.lines.count == 2 && !run.errors.contains("warning: event"), "\(run.errors)")
        let played = try bench.wayreel("play", "s.xml", "--track", "walk.gpx")
        #expect(played.text.contains("done     the story"), "\(played.text)")
        // At a time of its own, it does not find what is closed, and says so.
        let early = try expectDone(
            bench.wayreel(
                "walk", "s.xml", "--track", "route.gpx", "-o", "walk.gpx", "--start", "2026-06-01T08:00:00Z"))
        #expect(early.errors.contains("warning: event 'evening' is not found: the player was there"), "\(early.errors)")
        #expect(early.errors.contains("its window is closed until 2026-06-01 19:00"), "\(early.errors)")
    }

    // MARK: Real tracks

    private static let real = """
        <gpx version="1.0"><trk><trkseg>
        <trkpt lat="46.43" lon="13.74"><time>2010-12-14T06:17:04Z</time></trkpt>
        <trkpt lat="46.4308996" lon="13.74"><time>2010-12-14T06:18:04Z</time></trkpt>
        </trkseg></trk></gpx>
        """

    @Test func movesARealTrack() throws {
        try bench.write(Self.real, to: "real.gpx")
        try expectDone(
            bench.shell(
                "wayreel walk --track - --move-to 35.28,-120.66 --rotate 90 -o moved.gpx --start 2026-01-01T00:00:00Z <real.gpx"
            ))
        #expect(try xpath("string(//*[local-name()='trkpt'][1]/@lat)", "moved.gpx") == "35.28\n")
        // 100 m east (geographiclib 2.1, Direct): 35.28, -120.6589008.
        #expect(try xpath("string(//*[local-name()='trkpt'][2]/@lon)", "moved.gpx") == "-120.6589008\n")
        #expect(try xpath("string(//*[local-name()='time'][1])", "moved.gpx") == "2026-01-01T00:00:00Z\n")
        // South of the equator, and rotated to the left.
        let south = ["walk", "--track", "real.gpx", "--move-to", "-33.8,151.2", "--rotate", "-90", "-o", "south.gpx"]
        expectDone(try bench.command(south).run())
        #expect(try xpath("string(//*[local-name()='trkpt'][1]/@lat)", "south.gpx") == "-33.8\n")
        // 100 m at 10 m/s.
        let faster = ["walk", "--track", "real.gpx", "--move-to", "1,2", "-o", "fast.gpx", "--speed", "10"]
        expectDone(try bench.command(faster + ["--start", "2026-01-01T00:00:00Z"]).run())
        #expect(try xpath("string(//*[local-name()='trkpt'][2]/*)", "fast.gpx") == "2026-01-01T00:00:10Z\n")
        let bent = try bench.wayreel("walk", Self.story, "--track", "real.gpx", "-o", "bent.gpx", "--keep-times")
        expectDone(bent)
        // The two points, one for each of the ten events between them, and one just outside the last event, which the
        // walk leaves.
        let last = "→ bent.gpx  13 fixes, 2010-12-14T06:17:04Z to 2010-12-14T06:18:04Z\n"
        #expect(bent.errors.hasSuffix(last), "\(bent.errors)")
        // 1.5 km in a minute are no walk.
        #expect(bent.errors.contains("warning: event 'library-door' is not found: "), "\(bent.errors)")
        // At walking speed, the way through the town takes a quarter of an hour or more.
        try expectDone(bench.wayreel("walk", Self.story, "--track", "real.gpx", "-o", "bent.gpx"))
        #expect(try xpath("string((//*[local-name()='time'])[1])", "bent.gpx") == "2010-12-14T06:17:04Z\n")
        let end = try xpath("string((//*[local-name()='time'])[last()])", "bent.gpx")
        #expect(end > "2010-12-14T06:32" && end < "2010-12-14T06:47", "\(end)")
    }

    /// With a speed, or with hardly any times, the walk begins when the track did.
    @Test func aTimedTrackBeginsWhenItDid() throws {
        let points = (0..<4).map { index in
            let time = index == 0 ? "<time>2026-01-01T08:00:00Z</time>" : ""
            return "<trkpt lat=\"35.28\(index)\" lon=\"-120.66\">\(time)</trkpt>"
        }
        try bench.write("<gpx><trk><trkseg>\(points.joined())</trkseg></trk></gpx>", to: "t.gpx")
        for more in [[], ["--speed", "2"]] {
            let run = try bench.command(["walk", "--track", "t.gpx", "--move-to", "1,2", "-o", "out.gpx"] + more).run()
            expectDone(run)
            #expect(run.errors.contains("→ out.gpx  4 fixes, 2026-01-01T08:00:00Z to 2026-01-01T08:0"), "\(run.errors)")
        }
    }

    @Test func neverWritesOverAnInput() throws {
        let story = try Fixture.bytes(Fixture.media("story/story.xml"))
        try bench.write(story, to: "s.xml")
        expectDone(try bench.wayreel("walk", "s.xml", "-o", "w.gpx"))
        let walk = try bench.bytes("w.gpx")
        for output in ["s.xml", "w.gpx", "./s.xml"] {
            expectRefused(
                try bench.wayreel("walk", "s.xml", "--track", "w.gpx", "-o", output), 2,
                "\(output): write: is the input")
        }
        #expect(try bench.bytes("s.xml") == story && bench.bytes("w.gpx") == walk)
    }

    /// A point without a time is left out, and the others keep theirs: 30 minutes stay 30 minutes.
    @Test func aDamagedTrackKeepsItsTimes() throws {
        let points = ["<time>2026-01-01T08:00:00Z</time>", "", "<time>2026-01-01T08:30:00Z</time>"].map {
            "<trkpt lat=\"35.28\" lon=\"-120.66\">\($0)</trkpt>"
        }
        try bench.write("<gpx><trk><trkseg>\(points.joined(separator: "\n"))</trkseg>", to: "cut.gpx")
        let run = try expectDone(bench.wayreel("walk", "--track", "cut.gpx", "--move-to", "1,2", "-o", "out.gpx"))
        #expect(
            run.errors.contains("warning: cut.gpx: 1 of 3 points has no valid time and is left out\n"), "\(run.errors)")
        #expect(run.errors.contains("ends too early") || run.errors.contains("not well-formed"), "\(run.errors)")
        #expect(run.errors.hasSuffix("→ out.gpx  2 fixes, 2026-01-01T08:00:00Z to 2026-01-01T08:30:00Z\n"))
        let play = try expectDone(bench.wayreel("play", Self.story, "--track", "cut.gpx"))
        #expect(play.errors.contains("warning: cut.gpx: 1 of 3 points has no valid time and is left out\n"))
        for arguments in [["map", Self.story, "--track", "cut.gpx", "-o", "map.svg"]] {
            let run = try expectDone(bench.command(arguments).run())
            #expect(run.errors.contains("warning: cut.gpx: 1 of 3 points"), "\(run.errors)")
        }
    }

    /// Times are only made up with a warning, or if they are asked for.
    @Test func newTimesAreAnnounced() throws {
        try bench.write(
            "<gpx><rte><rtept lat=\"1\" lon=\"2\"/><rtept lat=\"1\" lon=\"3\"/></rte></gpx>", to: "route.gpx")
        let move = ["walk", "--track", "route.gpx", "--move-to", "1,2", "-o", "out.gpx"]
        let run = try expectDone(bench.command(move).run())
        #expect(
            run.errors.hasPrefix(
                "warning: route.gpx: 2 of 2 points have no time, so all points get the times of a walk at 1.4 m/s\n"))
        let asked = try expectDone(bench.command(move + ["--speed", "2"]).run())
        #expect(!asked.errors.contains("warning"), "\(asked.errors)")
    }

    // MARK: Wrong usage

    @Test(arguments: [
        (["walk", story], "--output"),
        (["walk", "-o", "w.gpx"], "name a story, or a --track with --move-to"),
        (["walk", story, "-o", "-", "--json"], "both write to standard output"),
        (["walk", story, "-o", "w.gpx", "--move-to", "1,2"], "need a --track"),
        (["walk", story, "-o", "w.gpx", "--keep-times"], "need a --track"),
        (
            ["walk", "-o", "w.gpx", "--track", "t.gpx", "--move-to", "1,2", "--keep-times"],
            "--keep-times needs a story"
        ),
        (["walk", story, "-o", "w.gpx", "--track", "t.gpx", "--move-to", "1,2"], "either a story or --move-to"),
        (["walk", story, "-o", "w.gpx", "--track", "t.gpx", "--scale", "2"], "--rotate and --scale need --move-to"),
        (["walk", "-o", "w.gpx", "--track", "t.gpx", "--move-to", "91,2"], "--move-to"),
        (["walk", story, "-o", "w.gpx", "--track", "t.gpx", "--noise", "8m"], "has errors of its own"),
        (["walk", story, "-o", "w.gpx", "--noise", "8 feet"], "--noise"),
        (["walk", story, "-o", "w.gpx", "--noise", "2km"], "the noise 2000.0 is not within 0.0 to 1000.0"),
        (["walk", story, "-o", "w.gpx", "--outliers", "51%"], "the share of outliers 0.51 is not within"),
        (["walk", story, "-o", "w.gpx", "--dropouts", "2h"], "the dropouts' length 7200.0 is not within"),
        (["walk", story, "-o", "w.gpx", "--start", "today"], "--start"),
        (["walk", story, "-o", "w.gpx", "--chapter", "the-rounds"], "did you mean 'the-round'?"),
        (["walk", story, "-o", "w.gpx", "--speed", "0"], "the speed 0.0 is not within"),
    ])
    func refusesWrongUsage(arguments: [String], words: String) throws {
        let run = try bench.command(arguments).run()
        #expect(run.ending == .exited(2), "\(run.errors)")
        #expect(run.errors.contains(words), "\(run.errors)")
        #expect(!bench.exists("w.gpx"))
    }

    @Test func refusesBadInputInOneLine() throws {
        try bench.write("no gpx", to: "bad.gpx")
        try bench.write(Self.real, to: "real.gpx")
        try bench.write("<story/>", to: "bad.xml")
        try bench.write(#"<gpx><rte><rtept lat="1" lon="2"/><rtept lat="1" lon="3"/></rte></gpx>"#, to: "route.gpx")
        expectRefused(
            try bench.wayreel("walk", Self.story, "--track", "route.gpx", "--keep-times", "-o", "w.gpx"), 2,
            "route.gpx: move: there are points without a time to keep")
        try bench.write(#"<gpx><rte><rtept lat="1" lon="2"/><rtept lat="1" lon="2"/></rte></gpx>"#, to: "still.gpx")
        expectRefused(
            try bench.wayreel("walk", Self.story, "--track", "still.gpx", "-o", "w.gpx"), 2,
            "still.gpx: move: the track has no two points that differ")
        expectRefused(
            try bench.wayreel("walk", Self.story, "--track", "bad.gpx", "-o", "w.gpx"), 1, "bad.gpx: read: line 1")
        let document = try bench.wayreel("walk", "bad.xml", "-o", "w.gpx")
        #expect(document.ending == .exited(1))
        #expect(document.errors.contains("bad.xml:1:1: error: <story> has no 'id'"))
        expectRefused(try bench.wayreel("walk", "none", "-o", "w.gpx"), 1, "none", "no such file or directory")
        expectRefused(
            try bench.wayreel("walk", "--track", "real.gpx", "--move-to", "1,2", "-o", "real.gpx"), 2,
            "real.gpx: write: is the input")
        #expect(try bench.bytes("real.gpx") == Array(Self.real.utf8))
    }
}
