import Glibc
import TestSupport
import Testing
import WayreelCore
import WayreelStreams

/// Tables, NDJSON and marks.
@Suite struct RecordingTextTests {
    private let folder = TemporaryFolder()

    private func file(_ text: String, _ name: String = "r.csv") throws -> String {
        try folder.write(text, to: name)
    }

    private func pairs(_ channels: [String: [CollectedSamples.Sample]], _ name: String) -> [[Double]]? {
        channels[name]?.map { [Double($0.time) / 1e6, $0.value] }
    }

    // MARK: Wide tables

    @Test func aColumnForEachChannel() throws {
        let path = try file(
            """
            \u{FEFF}seconds,ecg.ii [mV],"ecg.avr [mV]",temperature (°C)
            0,0.5,-1e-3,36.6
            0.004, ,NaN,

            0.008,"1.25",+2,nan\r
            0.006,.5,16,1e3
            """, "night.csv")
        let (head, channels) = try CollectedSamples.read(path)
        #expect(head.channels.map(\.name) == ["ecg.ii", "ecg.avr", "night.temperature"])
        #expect(head.channels.map(\.unit) == ["mV", "mV", "°C"])
        #expect(head.notation == .seconds)
        #expect(pairs(channels, "ecg.ii") == [[0, 0.5], [0.008, 1.25], [0.006, 0.5]])
        #expect(pairs(channels, "ecg.avr") == [[0, -0.001], [0.008, 2], [0.006, 16]])
        #expect(pairs(channels, "night.temperature") == [[0, 36.6], [0.006, 1000]])
    }

    /// Semicolons and tabs, with decimal commas.
    @Test(arguments: [";", "\t"]) func otherSeparators(separator: String) throws {
        let lines = ["time [ms];a.x;a.y", "1500;-0,25;1.5", "1500,5;1,5e2;"]
        let text = lines.map { $0.split(separator: ";", omittingEmptySubsequences: false).joined(separator: separator) }
        let (_, channels) = try CollectedSamples.read(try file(text.joined(separator: "\n")))
        #expect(pairs(channels, "a.x") == [[1.5, -0.25], [1.5005, 150]])
        #expect(pairs(channels, "a.y") == [[1.5, 1.5]])
    }

    /// `date -u -d @1795453509.25`: 2026-11-23T17:05:09.25Z. The size of a number without a unit determines that.
    @Test(arguments: [
        ("time", "2026-11-23T17:05:09.250Z"), ("datetime", "2026-11-23 17:05:09.25"),
        ("date", "2026-11-23T18:05:09.25+01:00"), ("timestamp", "1795453509250"), ("timestamp", "1795453509250000"),
        ("time", "1795453509250000123"),
    ]) func dates(name: String, time: String) throws {
        let (head, channels) = try CollectedSamples.read(try file("\(name),a.x\n\(time),1\n"))
        #expect(head.notation == .date)
        #expect(channels["a.x"] == [.init(time: 1_795_453_509_250_000, value: 1)])
    }

    @Test(arguments: [
        ("0,1,2\n1,2\n2,3,4\n", "has 2 cells; the header has 3"), ("0,1,2\n1,x,2\n2,1,1\n", "a.x is 'x'"),
        ("0,1,2\n1,inf,2\n2,1,1\n", "a.x is not a finite number"), ("0,1,2\nnoon,1,2\n2,1,1\n", "the time 'noon'"),
        ("0,1,2\n,1,2\n2,1,1\n", "the time ''"),
        ("0,1,2\n2026-11-23T17:05:09Z,1,2\n2,1,1\n", "in dates, others in seconds"),
        ("0,1,2\n1,1e999,2\n2,1,1\n", "a.x is not a finite number"), ("0,1,2\n1,\"1,2\n2,1,1\n", "a quotation mark"),
        ("0,1,2\n1e300,1,2\n2,1,1\n", "the time '1e300'"), ("0,1,2\n1080000000000,1,2\n2,1,1\n", "seconds up to 10¹²"),
        ("0,1,2\n1,2\u{0},2\n2,1,1\n", "is not a number"), ("0,1,2\n1,2\u{0}x,2\n2,1,1\n", "is not a number"),
        ("0,1,2\n1\u{0},1,2\n2,1,1\n", "the time '1"), ("0,1,2\n1,0x10,2\n2,1,1\n", "a.x is '0x10'"),
    ]) func namesDamagedRows(rows: String, words: String) throws {
        let path = try file("time,a.x,a.y\n\(rows)")
        #expect {
            _ = try CollectedSamples.read(path)
        } throws: { "\($0)".contains(words) && "\($0)".contains("line 3") }
        var told: [MediaError] = []
        let (head, channels) = try CollectedSamples.read(path, onDamage: { told.append($0) })
        #expect(told.count == 1 && head.skipped == 1)
        #expect(channels["a.x"]?.map(\.time) == [0, 2_000_000] && channels["a.y"]?.count == 2)
    }

    @Test(arguments: [
        ("time,a.x,a.x\n", "two columns 'a.x'"), ("time,??\n", "'??'"), ("a,b\n", "nor a CSV header"),
        ("seconds,a.x\r1,2\r2,3\r", "a carriage return"),
        ("time\n", "nor a CSV header"), ("seconds,stream,x\n", "nor a CSV header"),
        ("time," + (0...1024).map { "a.c\($0)" }.joined(separator: ",") + "\n", "more than 1024 columns"),
    ]) func refusesHeaders(text: String, words: String) throws {
        let path = try file(text)
        #expect { _ = try CollectedSamples.read(path) } throws: {
            "\($0)".contains("line 1") && "\($0)".contains(words)
        }
    }

    /// The values of all channels at one time are one sample of each stream; times that go backwards stay.
    @Test func readerOfTables() throws {
        let reader = try SensorReader(try file("seconds,a.x,b.z,a.y\n1,1,2,3\n0.5,4,,6\n2,,8,\n"))
        var found: [SensorSample] = []
        while let sample = try reader.next() { found.append(sample) }
        let times = [1, 0.5, 2].compactMap(SensorTime.init(seconds:))
        #expect(
            found == [
                SensorSample(times[0], stream: "a", values: ["x": 1, "y": 3]),
                SensorSample(times[0], stream: "b", values: ["z": 2]),
                SensorSample(times[1], stream: "a", values: ["x": 4, "y": 6]),
                SensorSample(times[2], stream: "b", values: ["z": 8]),
            ])
        #expect(reader.notation == .seconds)
    }

    /// Numbers as `strtod` reads them, of all lengths.
    @Test func numbers() throws {
        var random = SeededRandom(seed: 21)
        var texts = ["0", "-0.0", "9007199254740993", "1e22", "1e23", "4.35", "0.000001", "123456789012345678.9"]
        for _ in 0..<20_000 {
            switch Int.random(in: 0..<4, using: &random) {
            case 0: texts.append("\(Double.random(in: -1...1, using: &random))")
            case 1: texts.append("\(Double(bitPattern: .random(in: 0...0x7FEF_FFFF_FFFF_FFFF, using: &random)))")
            case 2:
                let digits = String(UInt64.random(in: 0...(.max), using: &random))
                let point = Int.random(in: 0...digits.count, using: &random)
                texts.append("\(digits.prefix(point)).\(digits.dropFirst(point))")
            default:
                texts.append(
                    "\(Int.random(in: -99999...99999, using: &random))e\(Int.random(in: -30...30, using: &random))")
            }
        }
        let rows = texts.map { "0,\($0)" }.joined(separator: "\n")
        let (_, channels) = try CollectedSamples.read(try file("seconds,a.x\n\(rows)\n"))
        let found = try #require(channels["a.x"])
        #expect(found.count == texts.count)
        for (sample, text) in zip(found, texts) {
            #expect(sample.value.bitPattern == strtod(text, nil).bitPattern, "\(text)")
        }
    }

    // MARK: Sensor Logger and phyphox

    @Test func filesOfSensorLogger() throws {
        let accelerometer = try CollectedSamples.read(
            try file(
                "time,seconds_elapsed,z,y,x\n1698501144401773000,0.21677294921875,-0.10382747650146484,-0.0009566396474838257,"
                    + "0.06110857427120209\n", "Accelerometer.csv"))
        #expect(accelerometer.head.channels.map(\.name) == ["accelerometer.z", "accelerometer.y", "accelerometer.x"])
        #expect(accelerometer.head.channels.allSatisfy { $0.unit == "m/s²" } && accelerometer.head.notation == .date)
        #expect(
            accelerometer.channels["accelerometer.x"]
                == [.init(time: 1_698_501_144_401_773, value: 0.06110857427120209)])

        // Values below zero mean that they are not known.
        let location = try CollectedSamples.read(
            try file(
                "time,seconds_elapsed,bearingAccuracy,horizontalAccuracy,speed,bearing,altitude,longitude,latitude\n"
                    + "1698501145514000000,1.3,-1,15.1,-1,0,-3.5,-120.66,35.28\n", "Location.csv"))
        #expect(location.channels["position.latitude"]?.map(\.value) == [35.28])
        #expect(location.channels["position.accuracy"]?.map(\.value) == [15.1])
        #expect(location.channels["position.altitude"]?.map(\.value) == [-3.5])
        #expect(location.channels["position.speed"]?.isEmpty == true)

        let network = try CollectedSamples.read(
            try file("time,seconds_elapsed,type,strength\n1698501145514000000,1.3,wifi,60\n", "Network.csv"))
        #expect(network.channels["network.strength"]?.count == 1 && network.channels["network.type"]?.isEmpty == true)

        let notes = try CollectedSamples.read(
            try file(
                "time,seconds_elapsed,text,millisecond_press_duration\n1698501145514000000,1.3,\"left, then right\",12\n",
                "Annotation.csv"))
        #expect(
            notes.head.marks == [SensorMark(SensorTime(microseconds: 1_698_501_145_514_000), text: "left, then right")])
    }

    /// The table of all sensors.
    @Test func theTableOfSensorLogger() throws {
        let text = """
            sensor,time,seconds_elapsed,z,y,x,speed,text
            Accelerometer,1698501144401773000,0.2,1,2,3,,
            Location,1698501144501773000,0.3,,,,4.5,
            Annotation,1698501144601773000,0.4,,,,,turn
            """
        let reader = try SensorReader(try file(text, "all.csv"))
        let first = try #require(try reader.next())
        #expect(
            first
                == SensorSample(
                    SensorTime(microseconds: 1_698_501_144_401_773), stream: "accelerometer",
                    values: ["x": 3, "y": 2, "z": 1]))
        #expect(try reader.next()?.values["speed"] == 4.5)
        #expect(try reader.next() == nil)
        #expect(reader.head.marks.map(\.text) == ["turn"])
    }

    /// Two columns may be of one channel, as `bearing` and `course`: the last one that has a value counts.
    @Test func summaryOfSensorLogger() throws {
        let path = try file(
            """
            sensor,time,seconds_elapsed,bearing,course,speed
            Location,1795453509250000000,0,10,20,1
            Location,1795453510250000000,1,11,,2
            Location,1795453509750000000,0.5,,5,x
            """)
        let stream = try #require(try SensorSummary(SensorReader(path)).streams["position"])
        #expect((stream.samples, stream.outOfOrder) == (3, 1))
        let (course, speed) = (stream.components["course"], stream.components["speed"])
        #expect(course?.samples == 3 && course?.minimum == 5 && course?.maximum == 20)
        #expect(speed?.samples == 2 && speed?.minimum == 1 && speed?.maximum == 2)
    }

    /// The files of a folder are one recording, in the order of time.
    @Test func foldersOfSensorLogger() throws {
        try #require(mkdir("\(folder.path)/walk", 0o755) == 0)
        for (name, rate) in [("Accelerometer", 100), ("Gyroscope", 60)] {
            let rows = (0..<20_000).map { "\(1_698_501_144_000_000_000 + $0 * 1_000_000_000 / rate),0,1,2,\($0)\n" }
            _ = try file("time,seconds_elapsed,z,y,x\n\(rows.joined())", "walk/\(name).csv")
        }
        _ = try file("version,device name\n2,phone\n", "walk/Metadata.csv")
        _ = try file("time,seconds_elapsed,text\n1698501144500000000,0.5,go\n", "walk/Annotation.csv")
        let reader = try SensorReader("\(folder.path)/walk")
        var (count, last) = (0, SensorTime(microseconds: .min))
        while let sample = try reader.next() {
            #expect(sample.time >= last)
            (count, last) = (count + 1, sample.time)
        }
        #expect(count == 40_000 && reader.head.marks.map(\.text) == ["go"] && reader.head.channels.count == 6)
        try #require(mkdir("\(folder.path)/empty", 0o755) == 0)
        #expect { _ = try SensorReader("\(folder.path)/empty") } throws: { "\($0)".contains("without tables") }
    }

    @Test func filesOfPhyphox() throws {
        let (head, channels) = try CollectedSamples.read(
            try file(
                "\"Time (s)\",\"Linear Acceleration x (m/s^2)\",\"Linear Acceleration y (m/s^2)\",\"Absolute acceleration (m/s^2)\"\n"
                    + "9.364549000E-3,1.003170490E0,3.543418407E0,7.366958618E0\n", "Raw Data.csv"))
        #expect(
            head.channels.map(\.name) == ["linear-acceleration.x", "linear-acceleration.y", "acceleration.absolute"])
        #expect(head.channels.allSatisfy { $0.unit == "m/s^2" })
        #expect(channels["linear-acceleration.x"] == [.init(time: 9365, value: 1.003170490)])
        let (place, _) = try CollectedSamples.read(
            try file(
                "\"Time (s)\"\t\"Latitude (°)\"\t\"Longitude (°)\"\t\"Height (m)\"\t\"Velocity (m/s)\"\t\"Direction (°)\"\n"
                    + "0,5\t35,28\t-120,66\t70\t1,5\t90\n", "Location.csv"))
        #expect(
            place.channels.map(\.name) == [
                "position.latitude", "position.longitude", "position.altitude", "position.speed", "position.course",
            ])
    }

    // MARK: NDJSON

    @Test func headsAndMarks() throws {
        let path = try file(
            """
            {"format":"wayreel-recording","version":1,"units":{"ecg.ii":"mV"},"credit":"PTB","title":"rest"}
            {"time":1,"stream":"ecg","values":{"ii":0.25}}
            {"time":1.5,"seconds":0.4,"mark":"ectopic \\"beat\\"","channel":"ecg.ii"}
            {"time":2,"mark":"end"}
            """, "r.ndjson")
        let (head, channels) = try CollectedSamples.read(path)
        #expect(head.channels == [SensorChannel("ecg", "ii", unit: "mV")])
        #expect(head.credit == "PTB" && head.title == "rest" && channels["ecg.ii"]?.count == 1)
        let marks = [
            SensorMark(
                SensorTime(microseconds: 1_500_000), seconds: 0.4, text: "ectopic \"beat\"", channel: "ecg.ii"),
            SensorMark(SensorTime(microseconds: 2_000_000), text: "end"),
        ]
        #expect(head.marks == marks)
        let summary = try SensorSummary(SensorReader(path))
        #expect(
            summary.streams["ecg"]?.components["ii"]?.unit == "mV" && summary.marks.map(\.text) == marks.map(\.text))
        #expect(summary.credit == "PTB" && summary.marks.map(\.time) == ["1.5", "2"])
        #expect(
            SensorWriter.line(marks[0], .seconds)
                == #"{"time":1.5,"seconds":0.4,"mark":"ectopic \"beat\"","channel":"ecg.ii"}"#)
    }

    /// Marks of the file beside a recording.
    @Test func marksBeside() throws {
        let path = try file("seconds,a.x\n0,1\n")
        _ = try file("{\"time\":0.5,\"mark\":\"here\"}\n", "r.csv.marks.ndjson")
        #expect(try CollectedSamples.read(path).head.marks.map(\.text) == ["here"])
        let reader = try SensorReader(path)
        #expect(reader.head.marks.map(\.text) == ["here"])
    }

    /// The first line of that file says what the recording leaves open; saving marks keeps it.
    @Test func notesBeside() throws {
        let path = try file("seconds,a.x [V],a.y\n0,1,2\n")
        let line =
            #"{"format":"wayreel-recording","version":1,"units":{"a.x":"mV","a.y":"mV"},"title":"t","credit":"c"}"#
        let beside = try file("\(line)\n", "r.csv.marks.ndjson")
        for head in try [CollectedSamples.read(path).head, summaryHead(path)] {
            #expect(head.channels.map(\.unit) == ["V", "mV"] && head.title == "t" && head.credit == "c")
        }
        let marks = MarksFile(besides: path)
        try marks.save([SensorMark(SensorTime(microseconds: 500_000), text: "here")])
        #expect(
            try Fixture.text(beside)
                == "\(line)\n{\"time\":0.5,\"mark\":\"here\"}\n")
        try marks.save([])
        #expect(try Fixture.text(beside) == "\(line)\n")
    }

    private func summaryHead(_ path: String) throws -> RecordingHead {
        let reader = try SensorReader(path)
        _ = try SensorSummary(reader)
        return reader.head
    }

    @Test(arguments: [
        (#"{"format":"wayreel-recording","units":{"s.x":"V"}}"#, "gives s.x the unit 'V', which was 'mV' before"),
        (#"{"format":"wayreel-recording","version":2}"#, "is of version 2"),
        (#"{"format":"other"}"#, "the format 'other'"),
        (#"{"time":1,"mark":5}"#, "\"mark\" is of the wrong type"), (#"{"mark":"x"}"#, "has no \"time\""),
        (#"{"time":1,"seconds":-1,"mark":"x"}"#, "lasts -1"),
        (#"{"time":"2026-11-23T17:05:09Z","mark":"x"}"#, "in dates, others in seconds"),
    ]) func namesDamagedHeads(line: String, words: String) throws {
        let good = "{\"time\":1,\"stream\":\"s\",\"values\":{\"x\":1}}\n"
        let path = try file(
            "{\"format\":\"wayreel-recording\",\"units\":{\"s.x\":\"mV\"}}\n\(good)\(line)\n\(good)", "r.ndjson")
        #expect {
            _ = try CollectedSamples.read(path)
        } throws: { "\($0)".contains("line 3: ") && "\($0)".contains(words) }
        let (head, channels) = try CollectedSamples.read(path, onDamage: { _ in })
        #expect(head.skipped == 1 && channels["s.x"]?.count == 2 && head.channels[0].unit == "mV")
    }

    /// The scanner's verdicts are those of JSONDecoder: on lines in which characters were changed, left out and added.
    @Test func scannerAsDecoder() throws {
        let seeds = [
            #"{"time":"2026-11-23T17:05:09.250Z","stream":"position","values":{"accuracy":5,"latitude":35.28}}"#,
            #"{"time":12.5,"stream":"s","values":{"x":-1e-3,"y":0.1,"x":2}}"#,
            #"{ "values" : { "a" : 1 , "b" : null } , "time" : 3 , "stream" : "s" }"#,
            #"{"time":1,"stream":"a\u0062","values":{"x":12345678901234567890}}"#,
            #"{"time":-0.0,"stream":"s","values":{"x":1E+2,"y":1e400}}"#,
            #"{"time":1,"mark":"m","stream":"s","values":{"x":1},"more":[1,{"y":"}"}]}"#,
            #"{"time":1,"stream":"s","values":{}}"#,
            #"{"time":"2026-11-23T17:05:60.1234567Z","stream":"s","values":{"x":01}}"#,
        ]
        let alphabet = Array(#"{}[]":,.-+eE0123456789 nulxstimeZT\"#.utf8) + [9, 0xC3, 0x1F]
        var random = SeededRandom(seed: 5)
        var lines: [[UInt8]] = seeds.map { Array($0.utf8) }
        for _ in 0..<6000 {
            var line = Array(seeds[Int.random(in: 0..<seeds.count, using: &random)].utf8)
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                let place = Int.random(in: 0..<line.count, using: &random)
                switch Int.random(in: 0..<3, using: &random) {
                case 0: line[place] = alphabet.randomElement(using: &random) ?? 0
                case 1: line.insert(alphabet.randomElement(using: &random) ?? 0, at: place)
                default: line.remove(at: place)
                }
            }
            lines.append(line)
        }
        // The first line says what the file is.
        let first = Array("{\"format\":\"wayreel-recording\"}\n".utf8)
        let path = try folder.write(first + lines.flatMap { $0 + [10] }, to: "r.ndjson")
        var (fast, slow): ([String], [String]) = ([], [])
        let place = { (error: MediaError) in String("\(error.subject ?? "")") }
        let found = try CollectedSamples.read(path, onDamage: { fast.append(place($0)) })
        let wanted = try CollectedSamples.read(path, decodesAll: true, onDamage: { slow.append(place($0)) })
        #expect(fast == slow)
        for (name, samples) in wanted.channels { #expect(found.channels[name] ?? [] == samples, "\(name)") }
        for (name, samples) in found.channels where !samples.isEmpty {
            #expect(wanted.channels[name] == samples, "\(name)")
        }
        #expect(found.head.marks == wanted.head.marks)
        // Some lines stay good, and most do not.
        #expect(fast.count > 1000 && fast.count < lines.count)
    }

    @Test func tooManyChannels() throws {
        let lines = (0...1024).map { "{\"time\":1,\"stream\":\"s\",\"values\":{\"x\($0)\":1}}" }
        let path = try file(lines.joined(separator: "\n"), "r.ndjson")
        #expect {
            _ = try CollectedSamples.read(path)
        } throws: { "\($0)".contains("line 1025: ") && "\($0)".contains("more than 1024 channels") }
    }

    /// A message quotes a part of what is long.
    @Test(arguments: [
        ("{\"time\":1,\"stream\":\"LONG\",\"values\":{\"x\":1}}", "the stream's name 'xxx"),
        ("{\"time\":1,\"stream\":\"s\",\"values\":{\"LONG\":1}}", "the component's name 'xxx"),
        ("time,stream,LONG\n1,s,2", "the column's name 'xxx"),
        ("time,stream,x\n1,s,LONG", "x is 'xxx"), ("seconds,s.x\n1,LONG", "s.x is 'xxx"),
        ("seconds,s.x\nLONG,1", "the time 'xxx"),
    ])
    func longNames(text: String, words: String) throws {
        let long = String(repeating: "x", count: 10_000)
        let path = try file("\(text.replacing("LONG", with: long))\n", "r.txt")
        #expect {
            _ = try CollectedSamples.read(path)
        } throws: { "\($0)".contains(words) && "\($0)".utf8.count < 1000 }
    }

    /// A pipe: what was written is there at once, and the format is that of the first line.
    @Test(arguments: [
        "seconds,a.x\n1,2\n", "time,stream,x\n1,a,2\n", "{\"time\":1,\"stream\":\"a\",\"values\":{\"x\":2}}\n",
    ])
    func pipes(text: String) throws {
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        defer { for end in ends { close(end) } }
        let source = try RecordingFiles.open("/dev/fd/\(ends[0])")
        _ = text.withCString { write(ends[1], $0, strlen($0)) }
        var sink = CollectedSamples()
        #expect(try source.read(into: &sink))
        #expect(sink.values == [0: [2]] && source.head.channels.map(\.name).first?.hasSuffix(".x") == true)
    }
}
