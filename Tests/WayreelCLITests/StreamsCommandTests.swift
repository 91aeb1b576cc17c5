internal import TestSupport
internal import Testing
internal import WayreelStreams

/// `wayreel streams`.
@Suite struct StreamsCommandTests {
    private let bench = Workbench()

    /// Writes 20 positions, every fifth of them inaccurate, and 20 headings.
    private func writeWalk() throws {
        var lines = ""
        for second in 10..<30 {
            lines += """
                {"time":"2026-11-23T17:05:\(second)Z","stream":"position","values":{"accuracy":\(second % 5 == 0 ? 80 : 5),\
                "latitude":35.3,"longitude":-120.66}}
                {"time":"2026-11-23T17:05:\(second).500Z","stream":"heading","values":{"accuracy":10,"degrees":\(second % 2 * 358)}}

                """
        }
        try bench.write(lines, to: "walk.ndjson")
    }

    @Test func theCommandsOfTheDocumentation() throws {
        try writeWalk()
        let run = try bench.shell(
            """
            wayreel streams replay walk.ndjson --speed 10 --filter heading:smooth=0.5s --filter accuracy:max=50 \
            -o out.ndjson --statistics
            """)
        expectDone(run)
        #expect(run.errors.contains("40 samples read, 36 delivered, 4 dropped by filters"))
        let lines = try bench.text("out.ndjson").split(separator: "\n")
        #expect(lines.count == 36)
        #expect(
            lines[0] == #"{"time":"2026-11-23T17:05:10.500Z","stream":"heading","values":{"accuracy":10,"degrees":0}}"#)
        // 0 and 358 are 2° apart: y = -2·(1 − exp(−1 / 0.5)) = -1.72933.
        #expect(lines[2].contains(#""degrees":358.2706705664"#))
        let show = try expectDone(bench.shell("wayreel streams show walk.ndjson"))
        #expect(show.text.contains("40 samples of 2 streams in 19.5 s"))
        #expect(show.text.contains("degrees 0 to 358"))
        let table = try expectDone(bench.shell("wayreel streams filters smooth"))
        #expect(table.text.contains("smooth  a duration, 0.001 to 3600 s (0.5s, 500ms), required"))
        #expect(
            try bench.shell("wayreel streams filters").text.split(separator: "\n").count { !$0.hasPrefix(" ") } == 18)
    }

    @Test func aFilterOfNothingIsAWarning() throws {
        try writeWalk()
        let run = try bench.shell(
            """
            wayreel streams replay walk.ndjson --speed max --filter headng:smooth=0.5s --filter accuracy:max=50 \
            --filter heading.degrees:min=0 -o out.ndjson
            """)
        expectDone(run)
        #expect(run.errors == "warning: the recording has no 'headng': a --filter has done nothing\n")
    }

    @Test func toCSVAndBack() throws {
        try writeWalk()
        expectDone(try bench.shell("wayreel streams replay walk.ndjson --speed max -o walk.csv"))
        expectDone(try bench.shell("wayreel streams replay walk.csv --speed max -o back.ndjson"))
        #expect(try bench.bytes("back.ndjson") == bench.bytes("walk.ndjson"))
        let csv = try bench.text("walk.csv")
        #expect(
            csv.hasPrefix(
                "time,stream,accuracy,degrees,latitude,longitude\n2026-11-23T17:05:10Z,position,80,,35.3,-120.66\n"))
    }

    /// Events have components that the recording has not, which CSV has columns for.
    @Test func events() throws {
        try writeWalk()
        let run = try bench.shell(
            "wayreel streams replay walk.ndjson --speed max --filter accuracy:above=50,hysteresis=10 -o walk.csv --statistics"
        )
        expectDone(run)
        #expect(run.errors.contains("40 samples read, 48 delivered, 0 dropped by filters"))
        let lines = try bench.text("walk.csv").split(separator: "\n")
        #expect(lines[0] == "time,stream,above,accuracy,degrees,latitude,longitude,seconds")
        #expect(
            lines[1...2] == [
                "2026-11-23T17:05:10Z,position-above,1,80,,,,", "2026-11-23T17:05:10Z,position,,80,,35.3,-120.66,",
            ])
        #expect(lines.contains("2026-11-23T17:05:11Z,position-above,0,5,,,,1"))
    }

    /// What filters hold back is delivered at the end, at any speed.
    @Test(arguments: ["max", "1000"]) func theEnd(speed: String) throws {
        try writeWalk()
        let run = try bench.shell(
            "wayreel streams replay walk.ndjson --speed \(speed) --filter heading:resample=4 --filter position:lowpass=0.1 -o out.ndjson"
        )
        expectDone(run)
        let lines = try bench.text("out.ndjson").split(separator: "\n")
        // 19 s of headings, four a second.
        #expect(lines.count { $0.contains("heading") } == 77 && lines.count { $0.contains("position") } == 20)
        expectRefused(
            try bench.shell("wayreel streams replay walk.ndjson --speed max --filter heading:lowpass=2 -o no.ndjson"),
            2,
            "2 Hz is not below half the rate of 1 samples a second")
    }

    /// A recorder that writes while measuring: each sample is delivered immediately.
    @Test func aPipe() throws {
        let run = try bench.shell(
            """
            (echo '{"time":1,"stream":"s","values":{"x":1}}'; sleep 1; echo '{"time":2,"stream":"s","values":{"x":2}}') \
            | wayreel streams replay - --speed max | (read line; echo "$line" $(date +%s%N); cat; date +%s%N)
            """)
        expectDone(run)
        let words = run.text.split { " \n".contains($0) }
        try #require(words.count == 4)
        let times = [words[1], words[3]].compactMap { Int($0) }
        try #require(times.count == 2)
        #expect(times[1] - times[0] > 500_000_000)
    }

    @Test func damagedLines() throws {
        try writeWalk()
        expectDone(try bench.shell("(cat walk.ndjson; printf '{\"time\":\"2026-11-2') > cut.ndjson"))
        expectRefused(
            try bench.shell("wayreel streams replay cut.ndjson --speed max -o out.ndjson"), 1, "cut.ndjson, line 41")
        #expect(!bench.exists("out.ndjson"))
        let run = try bench.shell("wayreel streams replay cut.ndjson --speed max -o out.ndjson --skip-damaged")
        expectDone(run)
        #expect(run.lines.count == 1 && run.errors.hasPrefix("warning: cut.ndjson, line 41"))
        #expect(try bench.bytes("out.ndjson") == bench.bytes("walk.ndjson"))
        let show = try bench.shell("wayreel streams show cut.ndjson --skip-damaged --json")
        #expect(show.text.contains("\"skipped\" : 1") && show.text.contains("\"samples\" : 40"))
    }

    /// Of many damaged lines, the first are told, and how many others there are.
    @Test(arguments: [
        "show", "replay --speed max -o out.ndjson", "convert -o out.csv", "plot -o out.svg",
        "record -o new.ndjson --stream",
    ]) func manyDamagedLines(command: String) throws {
        try writeWalk()
        expectDone(try bench.shell("(cat walk.ndjson; yes '{\"time\"' | head -n 500) > cut.ndjson"))
        let run = try bench.shell("wayreel streams \(command) cut.ndjson --skip-damaged")
        expectDone(run)
        let warnings = run.errors.split(separator: "\n").filter { $0.hasPrefix("warning: ") && $0.contains(" line") }
        try #require(warnings.count == 21, "\(run.errors)")
        #expect(warnings[0].contains("line 41") && warnings[19].contains("line 60"))
        #expect(warnings[20] == "warning: 480 more damaged lines are left out")
    }

    @Test(
        arguments: [
            ("replay none.ndjson", 1, "no such file"), ("replay photo.jpg -o out.ndjson", 1, "line 1"),
            ("replay walk.ndjson -o walk.ndjson", 2, "is the input"), ("replay - -o out.csv", 2, "write .ndjson"),
            ("replay walk.ndjson --filter heading:smoth=1s -o out.ndjson", 2, "did you mean 'smooth'?"),
            ("replay walk.ndjson --speed max -o no/out.ndjson", 1, "create the folder"), ("show Media", 1, "Media"),
            ("filters smoth", 2, "did you mean 'smooth'?"), ("view none.csv", 1, "no such file"),
            ("view none.csv --record out.ndjson", 1, "no such file"),
            ("record --stream none.csv -o out.ndjson", 1, "no such file"),
        ] as [(String, Int32, String)]) func refusesInOneLine(line: String, status: Int32, words: String) throws
    {
        try writeWalk()
        expectRefused(try bench.shell("wayreel streams \(line)"), status, words)
        #expect(bench.listing() == ["walk.ndjson"])
    }

    @Test(arguments: ["--speed 0", "--speed fast", "--speed nan", "-o out.gpx", "--json"])
    func refusesWrongUsage(option: String) throws {
        try writeWalk()
        let run = try bench.shell("wayreel streams replay walk.ndjson \(option)")
        #expect(run.ending == .exited(2) && !run.errors.isEmpty)
    }

    /// The documentation contains the table of the catalogue.
    @Test(arguments: SensorFilterCatalog.all.map(\.name)) func isDocumented(name: String) throws {
        let page = try Fixture.text("\(Fixture.root)/Documentation/streams.md")
        let filter = try SensorFilterCatalog.requireDescriptor(named: name)
        #expect(page.contains("### `\(name)`\n\n\(filter.summary). `\(filter.source)`\n"))
        for parameter in filter.parameters {
            let row = [
                "`\(parameter.key)`", parameter.expectation, parameter.defaultValue ?? "required", parameter.summary,
            ]
            #expect(page.contains("| \(row.joined(separator: " | ")) |\n"), "\(row)")
        }
        let run = try bench.wayreel("streams", "filters", name)
        #expect(run.text.contains(filter.summary))
    }
}
