internal import Foundation
internal import TestSupport
internal import Testing

/// Complete walks through stories: a walk is made, played, recorded in a journal and drawn.
@Suite struct WalkedStoryTests {
    private let bench = Workbench()
    private static let story = "Media/story/story.xml"
    private static let phone = ["--noise", "8m", "--outliers", "2%", "--dropouts", "30s", "--seed", "1"]

    private struct Report: Decodable {
        struct Journal: Decodable {
            struct Position: Decodable { var latitude: Double, longitude: Double }
            struct Finding: Decodable {
                var event: String
                var position: Position
            }
            struct Opening: Decodable { var lockbox: String }
            var found: [Finding]
            var opened: [Opening]
        }
        struct Miss: Decodable { var event: String }
        struct Outcome: Decodable { var outcome: String }

        var outcomes: [Outcome]
        var misses: [Miss]
        var journal: Journal
    }

    private func writeAnswers() throws {
        try bench.write(
            """
            first-reader: [1904, " IN 1905 "]
            third-bell: [Joy, gloria]
            counter: [2, a parking lot over the creek, 2]
            """, to: "answers.yml")
    }

    /// Plays the walk to the story's end.
    private func play(_ story: String, expecting events: Set<String>, _ lockboxes: Set<String>) throws -> Report {
        let run = try expectDone(
            bench.wayreel(
                "play", story, "--track", "walk.gpx", "--answers", "answers.yml", "--journal", "j.sqlite", "--json"))
        let report = try JSONDecoder().decode(Report.self, from: Data(run.output))
        #expect(Set(report.journal.found.map(\.event)) == events)
        #expect(Set(report.journal.opened.map(\.lockbox)) == lockboxes)
        #expect(report.misses.isEmpty)
        #expect(report.outcomes.last?.outcome == "story-done")
        return report
    }

    /// Shows and draws the player's finds, and views them through goggles from where they were found.
    private func look(
        at report: Report, _ story: String, event: String, pins: Int
    ) throws {
        let count = report.journal.found.count
        let show = try expectDone(bench.wayreel("journal", "show", "j.sqlite", "--story", story))
        #expect(show.text.contains("\(count) found"), "\(show.text)")
        #expect(show.text.split(separator: "\n").filter { $0.contains("  found ") }.count == count)
        for file in ["map.svg", "map.png"] {
            expectDone(
                try bench.wayreel(
                    "map", story, "--track", "walk.gpx", "--answers", "answers.yml", "--journal", "j.sqlite", "-o", file
                ))
        }
        #expect(try bench.shell("xmllint --noout map.svg && test -s map.png").ending == .exited(0))
        let place = try #require(report.journal.found.first { $0.event == event }).position
        try expectDone(
            bench.command(
                ["goggles", "photo.jpg", story, "-o", "seen.jpg"] + [
                    "--event", event, "--at", "\(place.latitude),\(place.longitude),40", "--heading", "125", "--fov",
                    "60",
                ]
            ).run())
        #expect(bench.exists("seen.jpg"))
        let numbers = try expectDone(
            bench.command(
                ["goggles", "photo.jpg", story, "--json"] + [
                    "--event", event, "--at", "\(place.latitude),\(place.longitude),40", "--heading", "125", "--fov",
                    "60",
                ]
            ).run())
        #expect(numbers.text.components(separatedBy: "\"bearing\"").count == pins + 1, "\(numbers.text)")
    }

    private static let events: Set = [
        "library-door", "five-lamps", "breakfast-tape", "four-cards", "house-without-door", "arbor", "counter",
        "except-bruno", "matinee", "bell-tower",
    ]

    @Test(arguments: 1...5) func theSampleStoryByAPhone(seed: Int) throws {
        try writeAnswers()
        let phone = Self.phone.dropLast() + ["\(seed)"]
        expectDone(try bench.command(["walk", Self.story, "-o", "walk.gpx"] + phone).run())
        let report = try play(Self.story, expecting: Self.events, ["first-reader", "third-bell"])
        guard seed == 1 else { return }
        try look(at: report, Self.story, event: "house-without-door", pins: 2)
    }

    @Test func aBundleByAPhone() throws {
        expectDone(try bench.shell("cp Media/story/overlays/bell.png bell.png"))
        try bench.write(
            """
            <story xmlns="urn:wayreel:story:1" id="small" language="en"><name>Small</name><chapter id="c"><name>C</name>
              <lockbox id="year"><question>When?</question><answer>1905</answer></lockbox>
              <event id="door"><name>Door</name><position latitude="35.28" longitude="-120.66"/><activation radius="15"/>
                <scrapbook><text>Words</text></scrapbook></event>
              <event id="tower"><name>Tower</name><position latitude="35.2815" longitude="-120.6605"/>
                <activation radius="15" trigger="dwell" seconds="8"/><condition><opened lockbox="year"/></condition>
                <goggles><pin source="bell.png" alt="Bell" latitude="35.281" longitude="-120.66" altitude="50" size="4"/>
                </goggles></event>
              <event id="gate"><name>Gate</name><position latitude="35.2805" longitude="-120.6615"/>
                <activation radius="20" trigger="exit"/><scrapbook><text>Words</text></scrapbook></event>
            </chapter></story>
            """, to: "small.xml")
        try bench.write("year: [1900, 1905]\n", to: "answers.yml")
        expectDone(try bench.wayreel("prepare", "small.xml", "-o", "bundle", "--screen", "320x480", "--quiet"))
        expectDone(try bench.command(["walk", "bundle", "-o", "walk.gpx"] + Self.phone).run())
        let report = try play("bundle", expecting: ["door", "tower", "gate"], ["year"])
        try look(at: report, "bundle", event: "tower", pins: 1)
    }

    /// Names are those of the language, and a journal has none of them: it is shown in another one. A lockbox takes the
    /// answers of all languages.
    @Test func inAnotherLanguage() throws {
        try bench.write(
            """
            <story xmlns="urn:wayreel:story:1" id="small" language="en"><name>Small</name><chapter id="c"><name>C</name>
              <lockbox id="year"><question>When?</question><answer>five</answer></lockbox>
              <event id="door"><name>Door</name><position latitude="35.28" longitude="-120.66"/><activation radius="15"/>
                <scrapbook><text>Words</text></scrapbook></event>
              <event id="gate"><name>Gate</name><position latitude="35.2815" longitude="-120.6605"/>
                <activation radius="15"/><condition><opened lockbox="year"/></condition>
                <scrapbook><text>Words</text></scrapbook></event></chapter>
              <translation language="de"><text key="event/door/name">T\u{FC}r</text><text key="event/gate/name">Tor</text>
                <text key="lockbox/year/question">Wann?</text>
                <text key="lockbox/year/answers"><value>f\u{FC}nf</value></text></translation></story>
            """, to: "small.xml")
        try bench.write("year: [f\u{FC}nf]\n", to: "answers.yml")
        expectDone(try bench.wayreel("prepare", "small.xml", "-o", "bundle", "--screen", "320x480", "--quiet"))
        expectDone(try bench.wayreel("walk", "small.xml", "-o", "walk.gpx"))
        for story in ["small.xml", "bundle"] {
            let play = ["play", story, "--track", "walk.gpx", "--answers", "answers.yml"]
            let english = try expectDone(bench.command(play + ["--journal", "\(story).sqlite"]).run()).text
            #expect(english.contains("Gate") && !english.contains("Tor"), "\(english)")
            let german = try expectDone(bench.command(play + ["--language", "de-AT"]).run()).text
            #expect(german.contains("Tor") && !german.contains("Gate"), "\(german)")
            let show = ["journal", "show", "\(story).sqlite", "--story", story]
            let shown = try expectDone(bench.command(show + ["--language", "de"]).run()).text
            #expect(shown.contains("T\u{FC}r (door)") && shown.contains("Wann? (year)"), "\(shown)")
            #expect(try expectDone(bench.command(show).run()).text.contains("Door (door)"))
            let route = ["route", story, "--along", "walk.gpx", "--at", "35.28,-120.66", "--language", "de"]
            #expect(try expectDone(bench.command(route).run()).text.contains("Tor"))
            expectDone(try bench.wayreel("map", story, "--language", "de", "-o", "map.svg"))
            let refused = try bench.command(play + ["--language", "fr"]).run()
            #expect(refused.ending == .exited(2) && refused.errors.contains("it "), "\(refused.errors)")
        }
    }

    /// Writes a track with the peculiarities of real devices: a byte order mark, additional waypoints and extensions, a
    /// fix every one to five seconds, an outdated position at the start, a rest, a repeated time, a clock that goes
    /// back, and a lost signal.
    private func writeRealTrack() throws {
        var random = SeededRandom(seed: 1_905)
        func noise(_ metres: Double) -> Double { Double.random(in: -metres...metres, using: &random) / 111_000 }
        var (latitude, longitude, course, second) = (45.27, 13.72, 0.3, 0)
        func point(_ latitude: Double, _ longitude: Double, at second: Int) -> String {
            let clock = [second / 3600, second / 60 % 60, second % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }
            let accuracy = second % 4 == 0 ? "" : "<hdop>\(second % 3 + 1).2</hdop>"
            return """
                <trkpt lat="\(latitude)" lon="\(longitude)"><ele>\(212 + second % 7).5</ele>\
                <time>2017-09-09T\(clock.joined(separator: ":")).00\(second % 10)Z</time><sat>9</sat>\(accuracy)\
                <extensions><x:speed>1.2</x:speed></extensions></trkpt>
                """
        }
        var lines = [point(45.2712, 13.7231, at: second)]
        while second < 1500 {
            let step = Int.random(in: 1...5, using: &random)
            second += step
            let isResting = (700..<780).contains(second)
            course += Double.random(in: -0.2...0.2, using: &random)
            if !isResting {
                latitude += 1.3 * Double(step) * cos(course) / 111_000
                longitude += 1.3 * Double(step) * sin(course) / 78_000
            }
            lines.append(point(latitude + noise(2), longitude + noise(2), at: second))
            if lines.count % 97 == 0 { lines.append(point(latitude + noise(2), longitude + noise(2), at: second)) }
            if lines.count % 151 == 0 { lines.append(point(latitude, longitude, at: second - 2)) }
            if lines.count == 250 {
                lines.append("</trkseg><trkseg/><trkseg>")
                second += 40
            }
        }
        try bench.write(
            """
            \u{FEFF}<?xml version="1.0"?><gpx version="1.1" creator="Jože's phone" xmlns="http://www.topografix.com/GPX/1/1"
            xmlns:x="http://example.org/x"><wpt lat="45.2" lon="13.7"><name>Spar</name></wpt><trk><name>Walk</name><trkseg>
            \(lines.joined(separator: "\n"))
            </trkseg></trk></gpx>
            """, to: "real.gpx")
    }

    @Test func theSampleStoryByARealTrackMovedToTheTown() throws {
        try writeAnswers()
        try writeRealTrack()
        // 17:00 in the town, when the lamps are lit.
        expectDone(
            try bench.wayreel(
                "walk", Self.story, "--track", "real.gpx", "--start", "2026-11-24T01:00:00Z", "-o", "walk.gpx"))
        let report = try play(Self.story, expecting: Self.events, ["first-reader", "third-bell"])
        try look(at: report, Self.story, event: "house-without-door", pins: 2)
    }
}
