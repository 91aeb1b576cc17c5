internal import FoundationEssentials
internal import TestSupport
internal import Testing

/// `wayreel route`.
@Suite struct RouteCommandTests {
    private let bench: Workbench
    private static let story = "Media/story/story.xml"

    /// Writes the route of the round: from the museum over the arbor to the counter, and back to the alley.
    init() throws {
        bench = Workbench()
        try bench.write(
            """
            <gpx version="1.1"><rte><rtept lat="35.2798" lon="-120.66477"/><rtept lat="35.28083" lon="-120.66453"/>
            <rtept lat="35.28153" lon="-120.66417"/><rtept lat="35.2793" lon="-120.6639"/></rte></gpx>
            """, to: "route.gpx")
    }

    /// A negative latitude is not parsed as an option.
    @Test func southOfTheEquator() throws {
        let route = ["route", Self.story, "--along", "route.gpx", "--json", "--at"]
        let south = try bench.command(route + ["-35.28083,-120.66453", "--at", "-35.28,-120.66"]).run()
        let north = try bench.command(route + ["35.28083,-120.66453", "--at", "35.28,-120.66"]).run()
        expectDone(south)
        expectDone(north)
        #expect(south.text != north.text)
    }

    private struct Ahead: Decodable {
        struct Pass: Decodable {
            var event: String
            var distance: Double
            var beside: Double
            var side: String
        }
        var along: Double
        var isForward: Bool
        var events: [Pass]
        var behind: [Pass]
    }

    /// The lengths of the route's legs, by PyPI geographiclib 2.1: 116.3413, 84.2853 and 248.6253 m.
    @Test func listsWhatLiesAhead() throws {
        let run = try expectDone(
            bench.wayreel(
                "route", Self.story, "--along", "route.gpx", "--at", "35.28083,-120.66453", "--course", "20",
                "--within",
                "30m",
                "--chapter", "the-round", "--json"))
        let ahead = try JSONDecoder().decode(Ahead.self, from: Data(run.output))
        #expect(ahead.isForward && abs(ahead.along - 116.3413) < 0.001)
        #expect(ahead.events.map(\.event) == ["arbor", "counter", "except-bruno"])
        for (pass, distance) in zip(ahead.events, [0, 84.2853, 84.2853 + 248.6253]) {
            #expect(abs(pass.distance - distance) < 0.001 && pass.beside < 0.001)
        }
        #expect(ahead.behind.map(\.event) == ["house-without-door"])
    }

    @Test func takesTheCourseFromPositions() throws {
        // An outdated position, then two on the way back to the museum.
        let run = try expectDone(
            bench.wayreel(
                "route", Self.story, "--along", "route.gpx", "--at", "35.3,-120.7", "--at", "35.28060,-120.66458",
                "--at",
                "35.28040,-120.66463", "--within", "10m"))
        let lines = run.text.split(separator: "\n")
        #expect(lines.first?.hasSuffix("m before its start") == true, "\(run.text)")
        #expect(
            lines.last?.hasPrefix("68 m") == true && lines.last?.contains("house-without-door") == true, "\(run.text)")
    }

    @Test func readsABundleAndARouteFromAPipe() throws {
        let story = try StoryBench()
        expectDone(try story.prepare())
        var command = story.bench.command([
            "route", "bundle", "--along", "-", "--at", "35.28,-120.66", "--course", "0",
        ])
        command.input = Array(
            #"<gpx><rte><rtept lat="35.28" lon="-120.66"/><rtept lat="35.29" lon="-120.66"/></rte></gpx>"#.utf8)
        let run = try expectDone(command.run())
        // 0.001° of the meridian there is 110.946 m (geographiclib 2.1).
        #expect(
            run.text.contains("0 m    0 m ") && run.text.contains("111 m  0 m ") && run.text.contains("222 m  0 m "))
    }

    @Test(arguments: [
        ([], "--at"), (["--at", "95,1"], "--at"), (["--at", "1,2", "--course", "400"], "--course takes degrees"),
        (["--at", "1,2", "--within", "200km"], "--within takes a distance"),
        (["--at", "1,2", "--chapter", "none"], "there is no such chapter"),
    ])
    func refusesWrongUsage(options: [String], words: String) throws {
        let run = try bench.command(["route", Self.story, "--along", "route.gpx"] + options).run()
        #expect(run.ending == .exited(2), "\(run.errors)")
        #expect(run.errors.contains(words), "\(run.errors)")
    }

    @Test func refusesBadInputInOneLine() throws {
        try bench.write(#"<gpx><rte><rtept lat="1" lon="2"/></rte></gpx>"#, to: "point.gpx")
        expectRefused(
            try bench.wayreel("route", Self.story, "--along", "point.gpx", "--at", "1,2"), 2, "point.gpx: route:",
            "no two points that differ")
        expectRefused(
            try bench.wayreel("route", Self.story, "--along", "none.gpx", "--at", "1,2"), 1,
            "none.gpx: read: no such file")
    }
}
