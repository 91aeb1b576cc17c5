internal import TestSupport
internal import Testing

/// `wayreel play`, over the sample story.
@Suite struct PlayCommandTests {
    private let bench = Workbench()
    private static let story = "Media/story/story.xml"

    /// Writes a walk from place to place at 1.4 m/s with a fix each second and a stop of half a minute at each place.
    /// It begins at 16:00 in the town.
    private func walk(_ places: [(Double, Double)] = Self.places, to name: String = "walk.gpx", hours: Int = 0) throws {
        var lines = [#"<gpx version="1.1" creator="test" xmlns="http://www.topografix.com/GPX/1/1"><trk><trkseg>"#]
        var seconds = hours * 3600
        func fix(_ latitude: Double, _ longitude: Double) {
            let (hour, minute, second) = (seconds / 3600, seconds / 60 % 60, seconds % 60)
            let time = [hour, minute, second].map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
            lines.append(#"<trkpt lat="\#(latitude)" lon="\#(longitude)"><time>2026-11-24T\#(time)Z</time></trkpt>"#)
            seconds += 1
        }
        for (from, to) in zip(places, places.dropFirst()) {
            let (north, east) = ((to.0 - from.0) * 111_000, (to.1 - from.1) * 90_500)
            let steps = max(1, Int((north * north + east * east).squareRoot() / 1.4))
            for step in 0..<steps {
                let share = Double(step) / Double(steps)
                fix(from.0 + (to.0 - from.0) * share, from.1 + (to.1 - from.1) * share)
            }
            for _ in 0..<30 { fix(to.0, to.1) }
        }
        lines.append("</trkseg></trk></gpx>")
        try bench.write(lines.joined(separator: "\n"), to: name)
    }

    /// The places of the sample story's events in an order in which they can be found. Two events share a place.
    private static let places = [
        (35.28057, -120.66403), (35.28007, -120.66487), (35.28074, -120.66356), (35.28014, -120.66392),
        (35.2798, -120.66477), (35.28083, -120.66453), (35.28153, -120.66417), (35.2793, -120.6639),
        (35.2822, -120.6612), (35.28074, -120.66356), (35.28068, -120.66413),
    ]
    private static let events = [
        "library-door", "five-lamps", "breakfast-tape", "four-cards", "house-without-door", "arbor", "counter",
        "except-bruno", "matinee", "bell-tower",
    ]

    private func answers() throws {
        try bench.write(
            """
            first-reader: [1904, " IN 1905 "]
            third-bell: [Joy, gloria]
            counter: [2, a parking lot over the creek, 2]
            """, to: "answers.yml")
    }

    /// Returns the found events, in the order of the outcomes of `--json` or `--live`.
    private func found(_ text: String) -> [String] {
        text.split(separator: "}").filter { $0.contains("\"found\"") && $0.contains("outcome") }.compactMap { object in
            object.split(separator: "\n").joined().split(separator: "\"event\"").last?.split(separator: "\"")
                .dropFirst().first.map(String.init)
        }
    }

    @Test func theSampleStoryFromEndToEnd() throws {
        // The lamps are lit from 17:00 on.
        try walk(hours: 1)
        try answers()
        let outcome = try bench.wayreel("play", Self.story, "--track", "walk.gpx", "--answers", "answers.yml")
        expectDone(outcome)
        var lines = outcome.text.split(separator: "\n").map(String.init)
        #expect(
            lines[0].hasPrefix("The Late Post: ") && lines[0].hasSuffix("from 2026-11-23, times in America/Los_Angeles")
        )
        for event in Self.events {
            let index = try #require(lines.firstIndex { $0.contains("  found ") && $0.contains("(\(event))") })
            lines.removeSubrange(..<index)
        }
        #expect(outcome.text.contains("wrong    “1904”; hint: Both years are on the plaque beside its door."))
        #expect(outcome.text.contains("opened   third-bell with “gloria”"))
        #expect(outcome.text.contains("done     the story"))
        #expect(outcome.text.contains("Journal: 10 of 10 events, 2 of 2 lockboxes, 5 of 6 points"))
        #expect(!outcome.text.contains("Not found"))
    }

    @Test func saysWhyEventsWereNotFound() throws {
        try walk(hours: 0)
        let outcome = try expectDone(bench.wayreel("play", Self.story, "--track", "walk.gpx", "--zone", "UTC"))
        #expect(outcome.text.contains("five-lamps"))
        #expect(outcome.text.contains("but its window is closed until 2026-11-24 01:00"))
        #expect(outcome.text.contains("but it waits: lockbox 'first-reader' is not open yet"))
        #expect(outcome.text.contains("'house-without-door' comes first in its sequence"))
    }

    @Test func saysWhatIsLeftToAnswer() throws {
        try walk(hours: 1)
        try answers()
        let play = ["play", Self.story, "--track", "walk.gpx"]
        #expect(try bench.command(play).run().text.contains("--answers answers.yml"))
        #expect(try !bench.command(play + ["--answers", "answers.yml"]).run().text.contains("--answers"))
    }

    @Test func timesThatGoBackAreCounted() throws {
        let times = ["00:10", "00:20", "00:05", "00:06", "00:30"]
        try bench.write(
            "<gpx><trk><trkseg>"
                + times.map { #"<trkpt lat="1" lon="2"><time>2026-11-24T00:\#($0)Z</time></trkpt>"# }.joined()
                + "</trkseg></trk></gpx>", to: "back.gpx")
        let outcome = try bench.wayreel("play", Self.story, "--track", "back.gpx")
        #expect(outcome.text.contains("5 fixes (2 not used: no later than the one before)"), "\(outcome.text)")
    }

    @Test func whatHasNoEffectYetIsAnError() throws {
        let time = #""timestamp":"2026-11-24T00:00:00Z""#
        var command = bench.command(["play", Self.story, "--track", "-", "--live"])
        command.input = Array(
            """
            {"capture":{"event":"library-door","id":"x",\(time)}}
            {"answer":{"lockbox":"first-reader","text":"1905",\(time)}}
            """.utf8)
        let run = try command.run()
        #expect(run.ending == .exited(1))
        #expect(
            run.errors.contains(
                "line 1: read: the event 'library-door' was not found yet, and its capture is not kept"),
            "\(run.errors)")
        #expect(run.errors.split(separator: "\n").count == 1 && run.text.contains("lockbox-opened"))
    }

    @Test func explainsAnEvent() throws {
        try walk(hours: 1)
        let outcome = try bench.wayreel("play", Self.story, "--track", "walk.gpx", "--explain", "library-door")
        expectDone(outcome)
        #expect(outcome.text.contains("library-door, a circle of 15 m"))
        #expect(outcome.text.contains("not used: the first"))
        #expect(outcome.text.contains("1 of 2 fixes needed"))
        expectRefused(
            try bench.wayreel("play", Self.story, "--track", "walk.gpx", "--explain", "none"), 2, "no event 'none'")
    }

    @Test func printsTheSameJSONTwice() throws {
        try walk(hours: 1)
        try answers()
        let arguments = ["play", Self.story, "--track", "walk.gpx", "--answers", "answers.yml", "--json"]
        let (first, second) = (try bench.command(arguments).run(), try bench.command(arguments).run())
        expectDone(first)
        #expect(first.output == second.output)
        #expect(found(first.text) == Self.events)
        let judged = try bench.shell(
            "wayreel \(arguments.joined(separator: " ")) | python3 -c \"import json, sys; "
                + "r = json.load(sys.stdin); print(len(r['journal']['found']), len(r['misses']), r['story'])\"")
        #expect(judged.text == "10 0 late-post\n")
    }

    @Test func aJournalIsGoneOnWith() throws {
        try answers()
        try walk(Array(Self.places[..<5]), to: "first.gpx", hours: 1)
        try walk([Self.places[4]] + Self.places[4...], to: "second.gpx", hours: 2)
        for track in ["first.gpx", "second.gpx"] {
            expectDone(
                try bench.wayreel(
                    "play", Self.story, "--track", track, "--answers", "answers.yml", "--journal", "player.sqlite"))
        }
        let outcome = try expectDone(
            bench.wayreel(
                "play", Self.story, "--track", "second.gpx", "--journal", "player.sqlite", "--json"))
        #expect(found(outcome.text).isEmpty)
        #expect(outcome.text.contains(#""misses" : ["#))
        let text = try bench.wayreel("play", Self.story, "--track", "second.gpx", "--journal", "player.sqlite").text
        #expect(text.contains("Journal: 10 of 10 events, 2 of 2 lockboxes, 5 of 6 points"))
    }

    @Test func oneChapterAsIfTheOthersWereDone() throws {
        try walk(hours: 1)
        let outcome = try bench.wayreel("play", Self.story, "--track", "walk.gpx", "--chapter", "the-round", "--json")
        expectDone(outcome)
        #expect(found(outcome.text) == Array(Self.events[4..<8]))
        expectRefused(
            try bench.wayreel("play", Self.story, "--track", "walk.gpx", "--chapter", "x"), 2, "no chapter 'x'")
    }

    @Test func playsABundle() throws {
        let story = try StoryBench()
        expectDone(try story.prepare())
        let points = (0..<60).map { second in
            #"<trkpt lat="\#(35.28 + Double(second) * 0.00004)" lon="-120.66"><time>2026-11-24T01:00:\#(second < 10 ? "0" : "")\#(second)Z</time></trkpt>"#
        }
        try story.bench.write(
            #"<gpx version="1.1" creator="t" xmlns="http://www.topografix.com/GPX/1/1"><trk><trkseg>"#
                + points.joined() + "</trkseg></trk></gpx>", to: "walk.gpx")
        let outcome = try expectDone(story.bench.shell("wayreel play bundle --track - --json < walk.gpx"))
        #expect(found(outcome.text) == ["look", "listen", "read"])
        let document = try story.bench.shell("wayreel play story/story.xml --track walk.gpx --json")
        #expect(document.output == outcome.output)
    }

    // MARK: Live

    private func live(_ lines: String...) throws -> Command.Outcome {
        var command = bench.command(["play", Self.story, "--track", "-", "--live", "--journal", "live.sqlite"])
        command.input = Array((lines.joined(separator: "\n") + "\n").utf8)
        return try command.run()
    }

    private func fix(_ latitude: Double, _ longitude: Double, _ second: Int) -> String {
        #"{"fix":{"position":{"latitude":\#(latitude),"longitude":\#(longitude)},"accuracy":5,"timestamp":"2026-11-24T01:00:1\#(second)Z"}}"#
    }

    @Test func answersEachLineAtOnce() throws {
        let door = Self.places[1]
        let outcome = try expectDone(
            live(
                fix(door.0, door.1, 1), fix(door.0, door.1, 2), fix(door.0, door.1, 3),
                #"{"capture":{"event":"library-door","id":"c1","file":"door.jpg","timestamp":"2026-11-24T01:01:00Z"}}"#,
                "",
                #"{"answer":{"lockbox":"first-reader","text":"1905","timestamp":"2026-11-24T01:02:00Z"}}"#))
        #expect(
            outcome.text.split(separator: "\n").suffix(5) == [
                #"{"distance":0,"event":"library-door","outcome":"entered","timestamp":"2026-11-24T01:00:13Z"}"#,
                #"{"event":"library-door","outcome":"found","position":{"latitude":35.28007,"longitude":-120.66487},"timestamp":"2026-11-24T01:00:13Z"}"#,
                #"{"event":"library-door","media":["captures/library-iphone11pro-12mp.heic"],"outcome":"show","timestamp":"2026-11-24T01:00:13Z"}"#,
                #"{"event":"library-door","file":"door.jpg","id":"c1","outcome":"capture-kept","timestamp":"2026-11-24T01:01:00Z"}"#,
                #"{"lockbox":"first-reader","outcome":"lockbox-opened","text":"1905","timestamp":"2026-11-24T01:02:00Z"}"#,
            ])
        // Printed outcomes are in the journal. A session begins with what is available and asked.
        let again = try live(fix(door.0, door.1, 1), fix(door.0, door.1, 2), fix(door.0, door.1, 3))
        #expect(
            again.text.split(separator: "\n").map { $0.split(separator: ",").prefix(2).joined(separator: ",") } == [
                #"{"chapter":"the-book-box","outcome":"chapter-available""#,
                #"{"chapter":"once-more","outcome":"chapter-available""#,
                #"{"lockbox":"third-bell","outcome":"lockbox-asked""#,
            ])
    }

    @Test(arguments: [
        ("nonsense", "is not JSON"), ("[1]", "is not a JSON object such as"),
        (#"{"fix":{"latitude":35}}"#, "'fix.timestamp' is missing"),
        (#"{"fix":{"latitude":35,"timestamp":"2026-11-24T01:00:00Z"}}"#, "'fix.position' is missing"),
        (
            #"{"fix":{"position":{"latitude":35},"timestamp":"2026-11-24T01:00:00Z"}}"#,
            "'fix.position.longitude' is missing"
        ),
        (#"{"clock":{"timestamp":"yesterday"}}"#, "'yesterday' is not a time of RFC 3339"),
        (#"{"a":1}"#, "one of the keys fix"), (#"{"fix":1}"#, "'fix' is not an object"),
        ("null", "is not a JSON object such as"),
        (#"{"capture":{"event":1}}"#, "'capture.timestamp' is missing"),
        (#"{"answer":{"lockbox":1,"timestamp":"2026-11-24T01:00:00Z"}}"#, "'answer.lockbox' is not text"),
        (
            #"{"fix":{"position":{"latitude":95,"longitude":0},"timestamp":"2026-11-24T01:00:00Z"}}"#,
            "the latitude 95.0 is not within"
        ),
        (#"{"answer":{"lockbox":"x","text":"y","timestamp":"2026-11-24T01:00:00Z"}}"#, "no lockbox 'x'"),
        (#"{"clock":{"timestamp":7}}"#, "'clock.timestamp' is not text"),
        (
            #"{"answer":{"lockbox":"first-reader","text":"19\u000005","timestamp":"2026-11-24T01:00:00Z"}}"#,
            "an answer holds a NUL character"
        ),
        (
            #"{"capture":{"event":"library-door","id":"c\u0000","timestamp":"2026-11-24T01:00:00Z"}}"#,
            "a capture's id holds a NUL character"
        ),
    ])
    func aWrongLineIsOneErrorAndTheNextIsRead(line: String, reason: String) throws {
        let outcome = try live("", line, #"{"clock":{"timestamp":"2026-11-24T01:00:00Z"}}"#)
        #expect(outcome.ending == .exited(1))
        #expect(outcome.lines.count == 1)
        #expect(outcome.errors.hasPrefix("error: standard input, line 2: read: "))
        #expect(outcome.errors.contains(reason), "\(outcome.errors)")
        #expect(outcome.text.contains("chapter-available"))
    }

    @Test func aLineThatIsTooLong() throws {
        let outcome = try live(
            #"{"answer":{"text":""# + String(repeating: "x", count: 3 << 20) + "\"}}",
            #"{"clock":{"timestamp":"2026-11-24T01:00:00Z"}}"#)
        #expect(outcome.ending == .exited(1))
        #expect(outcome.errors == "error: standard input, line 1: read: is longer than 1048576 bytes\n")
        #expect(outcome.text.contains("chapter-available"))
    }

    // MARK: Bad input

    @Test func answersThatTheStoryDoesNotAskFor() throws {
        try walk()
        for (text, reason) in [
            ("nobody: 1", "neither a lockbox nor a quiz 'nobody'"), ("counter: [9]", "'9' is not one of the choices"),
            ("counter: [1, 2, 3, 1]", "has 3 questions"), ("- 1", "answers are lines such as"),
            ("first-reader: {a: b}", "an answer is a text or a number"), ("first-reader: [", "answers.yml:"),
            (#"first-reader: ["19\005", 1905]"#, "may not hold a NUL character"),
            ("first-reader: " + String(repeating: "x", count: 4001), "an answer has at most 4000 bytes, not 4001"),
        ] {
            try bench.write(text, to: "answers.yml")
            expectRefused(
                try bench.wayreel("play", Self.story, "--track", "walk.gpx", "--answers", "answers.yml"), 2, reason)
        }
    }

    @Test func nothingNewIsNoWalkWithoutFixes() throws {
        try walk()
        let play = { try self.bench.wayreel("play", Self.story, "--track", "walk.gpx", "--journal", "p.sqlite") }
        let first = try play().text.split(separator: "\n").first
        #expect(try play().text.split(separator: "\n").first == first)
        #expect(try #require(first).contains(" fixes from 2026-11-2"), "\(first ?? "")")
    }

    @Test func aBadTrackLeavesNoJournal() throws {
        try bench.write("not GPX", to: "not.gpx")
        expectRefused(
            try bench.wayreel("play", Self.story, "--track", "not.gpx", "--journal", "p.sqlite"), 1, "not.gpx")
        #expect(bench.listing() == ["not.gpx"])
    }

    @Test func whatCannotBePlayed() throws {
        try walk()
        try bench.write("not GPX", to: "not.gpx")
        try bench.write(
            #"<gpx version="1.1" creator="t" xmlns="http://www.topografix.com/GPX/1/1"><rte><rtept lat="1" lon="2"/></rte></gpx>"#,
            to: "route.gpx")
        let play = { (arguments: String...) in try self.bench.command(["play"] + arguments).run() }
        expectRefused(try play(Self.story, "--track", "not.gpx"), 1, "not.gpx")
        expectRefused(try play(Self.story, "--track", "none.gpx"), 1, "none.gpx")
        expectRefused(try play(Self.story, "--track", "route.gpx"), 2, "route.gpx: play: point 1 has no time")
        expectRefused(try play("nothing", "--track", "walk.gpx"), 1, "nothing")
        #expect(try play(Self.story, "--track", "walk.gpx", "--live").ending == .exited(2))
        #expect(try play(Self.story, "--track", "walk.gpx", "--zone", "Mars/Olympus").ending == .exited(2))
    }
}
