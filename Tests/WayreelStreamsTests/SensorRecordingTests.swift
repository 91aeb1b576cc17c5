import Glibc
import Synchronization
import TestSupport
import Testing
import WayreelCore
import WayreelEngine
import WayreelStory
import WayreelStreams

@Suite struct SensorRecordingTests {
    private let folder = TemporaryFolder()

    private func file(_ text: String, _ name: String = "r") throws -> String {
        try folder.write(text, to: name)
    }

    private func samples(_ path: String) throws -> [SensorSample] {
        let reader = try SensorReader(path)
        var found: [SensorSample] = []
        while let sample = try reader.next() { found.append(sample) }
        return found
    }

    // MARK: Files

    @Test func readsNDJSON() throws {
        let path = try file(
            """
            {"time": 0.5, "stream": "heading", "values": {"degrees": 271.5, "accuracy": null}}
            \r
            {"values":{"x":-1e-3},"more":[1],"stream":"s","time":1}\r
            """)
        #expect(
            try samples(path) == [
                SensorSample(SensorTime(microseconds: 500_000), stream: "heading", values: ["degrees": 271.5]),
                SensorSample(SensorTime(microseconds: 1_000_000), stream: "s", values: ["x": -0.001]),
            ])
    }

    @Test func readsCSV() throws {
        let path = try file(
            """
            \u{FEFF}"time","stream","degrees","x"
            2026-11-23T17:05:09.250125Z, heading, 271.5,
            2026-11-23T18:05:10+01:00,"s",,1e3

            """)
        #expect(
            try samples(path) == [
                SensorSample(
                    SensorTime(microseconds: 1_795_453_509_250_125), stream: "heading", values: ["degrees": 271.5]),
                SensorSample(SensorTime(microseconds: 1_795_453_510_000_000), stream: "s", values: ["x": 1000]),
            ])
    }

    @Test(arguments: SensorFormat.allCases, [SensorTime.Notation.date, .seconds])
    func roundTrip(format: SensorFormat, notation: SensorTime.Notation) throws {
        var random = SeededRandom(seed: 3)
        let values: [Double] = [0, 1, -1.5, 1e-300, 1.7e308, 1 / 3, 123_456_789.123_456_7, 1e15, 1e22]
        let components = ["a", "b", "c-1", "D_2"]
        let written = (0..<3000).map { index in
            var sample = SensorSample(
                SensorTime(microseconds: .random(in: -5_000_000_000...1_795_453_509_250_125, using: &random)),
                stream: ["s", "heading", "x-y_2"].randomElement(using: &random) ?? "", values: ["z": Double(index)])
            for name in components where Bool.random(using: &random) {
                sample.values[name] = values.randomElement(using: &random)
            }
            return sample
        }
        let writer = SensorWriter(format, components: components + ["z"])
        let lines = [writer.header].compactMap(\.self) + written.map { writer.line($0, notation) }
        #expect(try samples(file(lines.joined(separator: "\n"))) == written)
    }

    /// Expected values are from `date -u -d @SECONDS` of GNU coreutils.
    @Test(
        arguments: [
            (0, "1970-01-01T00:00:00Z", "0"), (-1, "1969-12-31T23:59:59.999999Z", "-0.000001"),
            (1_795_453_509_250_000, "2026-11-23T17:05:09.250Z", "1795453509.25"),
            (1_795_453_509_000_001, "2026-11-23T17:05:09.000001Z", "1795453509.000001"),
            (-1_500_000, "1969-12-31T23:59:58.500Z", "-1.5"),
        ] as [(Int64, String, String)]) func times(microseconds: Int64, date: String, seconds: String)
    {
        let time = SensorTime(microseconds: microseconds)
        #expect(time.text(.date) == date)
        #expect(time.text(.seconds) == seconds)
    }

    private static let good = #"{"time":1,"stream":"s","values":{"x":1}}"#

    @Test(arguments: [
        (#"{"time":1,"stream":"s","values":{"x":1}"#, "is not a JSON object"), ("[]", "is not an object"),
        (#"{"stream":"s","values":{"x":1}}"#, "has no \"time\""),
        (#"{"time":1,"values":{"x":1}}"#, "has no \"stream\""),
        (#"{"time":1,"stream":"s"}"#, "has no \"values\""), (#"{"time":1,"stream":"s","values":{}}"#, "has no values"),
        (#"{"time":"noon","stream":"s","values":{"x":1}}"#, "the time is neither a date"),
        (#"{"time":1e300,"stream":"s","values":{"x":1}}"#, "the time is neither a date"),
        (#"{"time":1,"stream":"s t","values":{"x":1}}"#, "the stream's name 's t'"),
        (#"{"time":1,"stream":"s","values":{"x.y":1}}"#, "the component's name 'x.y'"),
        (#"{"time":1,"stream":"s","values":{"x":"1"}}"#, "\"x\" is of the wrong type"),
        (#"{"time":1,"stream":"s","values":{"x":1e999}}"#, "is not a JSON object"),
        (#"{"time":1,"stream":"s","values":{"x":NaN}}"#, "is not a JSON object"),
        (#"{"time":"2026-11-23T17:05:09Z","stream":"s","values":{"x":1}}"#, "has a time in dates, others in seconds"),
        ("\u{1}\u{2}", "is not a JSON object"),
    ]) func namesDamagedLines(line: String, words: String) throws {
        try expectDamage("\(Self.good)\n\(line)\n\(Self.good)\n", words)
    }

    @Test(arguments: [
        ("1,s", "has 2 cells; the header has 3"), ("1,s,1,2", "has 4 cells"), ("1,s,", "has no values"),
        ("1,s,one", "x is 'one', which is not a number"), ("1,s,nan", "x is not a finite number"),
        ("1,s,inf", "x is not a finite number"), ("noon,s,1", "the time 'noon'"), ("1,,1", "the stream's name ''"),
        ("1,\"s,1", "a quotation mark"),
        // As Python's csv module reads them: s"t, 1" and "1,2".
        ("1,\"s\"\"t\",1", "the stream's name 's\"t'"), ("1,s,\"1\"\"\"", "x is '1\"'"),
        ("1,s,\"\"\"1,2\"\"\"", "x is '\"1,2\"'"), ("1,s,\"\"", "has no values"), ("nan,s,1", "the time 'nan'"),
    ]) func namesDamagedRows(line: String, words: String) throws {
        try expectDamage("time,stream,x\n\(line)\n1,s,1\n", words, kept: 1)
    }

    private func expectDamage(
        _ text: String, _ words: String, kept: Int = 2, location: SourceLocation = #_sourceLocation
    ) throws {
        let path = try file(text)
        #expect(sourceLocation: location) {
            _ = try samples(path)
        } throws: {
            guard let error = $0 as? MediaError else { return false }
            return error.kind == .decoding && "\(error)".contains("\(path), line 2: ") && "\(error)".contains(words)
        }
        // The damaged line is skipped and reported, and the rest is read.
        var told: [MediaError] = []
        let reader = try SensorReader(path, onDamage: { told.append($0) })
        var count = 0
        while try reader.next() != nil { count += 1 }
        #expect(count == kept && told.count == 1 && reader.skipped == 1, sourceLocation: location)
        #expect("\(told[0])".contains("; the line is left out"), sourceLocation: location)
    }

    @Test(arguments: [
        ("time,stream\n", "nor a CSV header"), ("t,stream,x\n", "nor a CSV header"),
        ("time,stream,x,x\n", "two columns 'x'"),
        ("time,stream,x y\n", "'x y'"), ("time,stream,\"x\"\"y\"\n", "'x\"y'"), ("<gpx>\n", "GPX"),
    ]) func refusesOtherFiles(text: String, words: String) throws {
        let path = try file(text)
        #expect {
            _ = try samples(path)
        } throws: { ($0 as? MediaError)?.kind == .decoding && "\($0)".contains("line 1") && "\($0)".contains(words) }
    }

    @Test func aLineWithoutEndIsRefused() throws {
        let path = try file(String(repeating: " ", count: 2 << 20))
        #expect { _ = try samples(path) } throws: { ($0 as? MediaError)?.kind == .limit }
    }

    @Test func summary() throws {
        let path = try file(
            """
            {"time":0,"stream":"s","values":{"x":1}}
            {"time":1,"stream":"s","values":{"x":5,"y":2}}
            {"time":1,"stream":"s","values":{"x":-3}}
            {"time":0.5,"stream":"s","values":{"x":0}}
            {"time":4,"stream":"s","values":{"x":0}}
            {"time":10,"stream":"t","values":{"z":0}}
            """)
        let found = try SensorSummary(SensorReader(path))
        let stream = try #require(found.streams["s"])
        #expect(found.samples == 6 && found.seconds == 10 && found.components == ["x", "y", "z"])
        #expect(stream.samples == 5 && stream.rate == 1 && stream.longestGap == 3)
        #expect(stream.outOfOrder == 1 && stream.repeatedTimes == 1)
        let x = try #require(stream.components["x"])
        #expect(x.minimum == -3 && x.maximum == 5 && x.samples == 5)
        #expect(found.streams["t"]?.rate == nil)
    }

    /// A table of columns: the values of a stream at one time are one sample, whichever of them a row has.
    @Test func summaryOfColumns() throws {
        let path = try file(
            """
            seconds,s.x [mV],s.y,t.z
            0,1,,
            1,5,2,-7
            1,,4,
            0.5,0,,9
            4,-3,,
            10,,,8
            """)
        let found = try SensorSummary(SensorReader(path))
        let stream = try #require(found.streams["s"])
        #expect(found.samples == 8 && found.seconds == 10 && found.components == ["x", "y", "z"])
        #expect(stream.samples == 5 && stream.seconds == 4 && stream.rate == 1 && stream.longestGap == 3)
        #expect(stream.outOfOrder == 1 && stream.repeatedTimes == 1)
        let (x, y) = (try #require(stream.components["x"]), try #require(stream.components["y"]))
        #expect(x.samples == 4 && x.minimum == -3 && x.maximum == 5 && x.unit == "mV")
        #expect(y.samples == 2 && y.minimum == 2 && y.maximum == 4 && y.unit == nil)
        let other = try #require(found.streams["t"])
        #expect(other.samples == 3 && other.outOfOrder == 1 && other.longestGap == 9 && other.seconds == 9.5)
    }

    // MARK: Playback

    @Test func fixesAndHeadings() throws {
        let time = SensorTime(microseconds: 1_795_453_509_250_999)
        let timestamp = Timestamp(milliseconds: 1_795_453_509_250)
        let fix = SensorSample(
            time, stream: "position", values: ["latitude": 1, "longitude": 2, "accuracy": 3, "speed": 4, "course": 5])
        #expect(
            PlaybackInput(fix)
                == .fix(
                    Fix(
                        GeoPoint(latitude: 1, longitude: 2), accuracy: 3, speed: 4, course: 5, timestamp: timestamp)))
        let heading = SensorSample(time, stream: "heading", values: ["degrees": -90])
        #expect(PlaybackInput(heading) == .heading(Heading(degrees: 270, timestamp: timestamp)))
        #expect(PlaybackInput(SensorSample(time, stream: "level", values: ["db": 1])) == nil)
        #expect(PlaybackInput(SensorSample(time, stream: "position", values: ["latitude": 1])) == nil)
    }

    // MARK: Replay

    /// Writes `streams` streams with `rate` samples per second, interleaved.
    private func recording(streams: Int, rate: Int, seconds: Int) throws -> String {
        let writer = SensorWriter(.ndjson)
        var lines = ""
        for index in 0..<rate * seconds {
            for stream in 0..<streams {
                let time = SensorTime(microseconds: Int64(index) * 1_000_000 / Int64(rate) + Int64(stream) * 100)
                lines +=
                    writer.line(SensorSample(time, stream: "s\(stream)", values: ["x": Double(index)]), .seconds) + "\n"
            }
        }
        return try file(lines)
    }

    private func delivered(
        _ path: String, _ speed: SensorReplay.Speed
    ) throws -> ([SensorSample], SensorReplay.Statistics) {
        var found: [SensorSample] = []
        let statistics = try SensorReplay(speed: speed, filters: SensorFilterChain()).run(SensorReader(path)) {
            (sample, _) throws(MediaError) in found.append(sample)
        }
        return (found, statistics)
    }

    @Test(arguments: [SensorReplay.Speed.max, .times(1e6)]) func losesNothing(speed: SensorReplay.Speed) throws {
        let path = try recording(streams: 5, rate: 1000, seconds: 1)
        let (found, statistics) = try delivered(path, speed)
        #expect(try found == samples(path))
        #expect(found.count == 5000 && statistics.read == 5000 && statistics.delivered == 5000)
    }

    /// 13 streams with 150 samples per second each, in real time.
    @Test func thirteenStreams() throws {
        let path = try recording(streams: 13, rate: 150, seconds: 2)
        let start = Clock.wall
        let (found, statistics) = try delivered(path, .times(1))
        let seconds = Clock.wall - start
        #expect(found.count == 13 * 300 && statistics.deliveredByStream.values.allSatisfy { $0 == 300 })
        #expect(statistics.lateness.count == 13 * 300)
        // The last sample is due after 299/150 s. A busy machine may take longer, but never less.
        #expect(seconds >= 299.0 / 150)
        #expect(seconds - 299.0 / 150 <= statistics.lateness.maximum + 1)
    }

    @Test func whatIsOverdueIsDeliveredAtOnce() throws {
        let path = try file(
            """
            {"time":1,"stream":"s","values":{"x":1}}
            {"time":1.2,"stream":"s","values":{"x":2}}
            {"time":-1000,"stream":"s","values":{"x":3}}
            {"time":1.2,"stream":"s","values":{"x":4}}
            """)
        let (found, statistics) = try delivered(path, .times(2))
        #expect(found.map { $0.values["x"] } == [1, 2, 3, 4])
        #expect(statistics.lateness.maximum > 400)
    }

    @Test func aFailureEndsIt() throws {
        let path = try recording(streams: 1, rate: 1000, seconds: 20)
        #expect {
            _ = try SensorReplay(speed: .times(1000), filters: SensorFilterChain()).run(SensorReader(path)) {
                (_, _) throws(MediaError) in throw MediaError(.io, step: .write, reason: "the display is gone")
            }
        } throws: { "\($0)".contains("the display is gone") }
    }

    @Test func aCancellationEndsIt() throws {
        let path = try file(
            "{\"time\":0,\"stream\":\"s\",\"values\":{\"x\":1}}\n{\"time\":9999,\"stream\":\"s\",\"values\":{\"x\":1}}\n"
        )
        let cancellation = Cancellation()
        #expect {
            _ = try SensorReplay(filters: SensorFilterChain()).run(SensorReader(path, cancellation: cancellation)) {
                (_, _) throws(MediaError) in cancellation.cancel()
            }
        } throws: { ($0 as? MediaError)?.kind == .cancelled }
    }

    /// Compared with the definition, on numbers of all sizes: the bucket's end is at most 1/32 above.
    @Test func latenessQuantiles() throws {
        let path = try file(
            (0..<1000).map { "{\"time\":\($0 == 0 ? 0 : -$0),\"stream\":\"s\",\"values\":{\"x\":1}}" }.joined(
                separator: "\n"))
        // Sample n is due n seconds before the start.
        let (_, statistics) = try delivered(path, .times(1))
        let median = try #require(statistics.lateness.quantile(0.5))
        #expect((499...525).contains(median))
        let p99 = try #require(statistics.lateness.quantile(0.99))
        #expect((989...1025).contains(p99))
        #expect((999...1010).contains(statistics.lateness.maximum))
    }
}
