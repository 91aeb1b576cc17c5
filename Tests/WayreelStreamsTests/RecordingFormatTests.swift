import FoundationEssentials
import TestSupport
import Testing
import WayreelCore
import WayreelStreams

/// Collects the samples of a recording by channel.
struct CollectedSamples: SampleSink {
    var times: [Int: [Int64]] = [:]
    var values: [Int: [Double]] = [:]

    mutating func add(_ channel: Int, times: Span<Int64>, values: Span<Double>) {
        for index in times.indices {
            self.times[channel, default: []].append(times[index])
            self.values[channel, default: []].append(values[index])
        }
    }

    /// Reads a recording. Returns it with its samples by the names of channels.
    static func read(
        _ path: String, decodesAll: Bool = false, onDamage: ((MediaError) -> Void)? = nil
    ) throws(MediaError) -> (head: RecordingHead, channels: [String: [Sample]]) {
        let source = try RecordingFiles.open(path, decodesAll: decodesAll, onDamage: onDamage)
        var sink = CollectedSamples()
        while try source.read(into: &sink) {}
        var channels: [String: [Sample]] = [:]
        for (index, channel) in source.head.channels.enumerated() {
            channels[channel.name] = zip(sink.times[index] ?? [], sink.values[index] ?? []).map(Sample.init)
        }
        return (source.head, channels)
    }

    struct Sample: Equatable {
        var time: Int64
        var value: Double
    }
}

/// Recordings that pyedflib, wfdb and pydicom have written, against what they read (Tests/Fixtures/streams/make.py).
@Suite struct RecordingFormatTests {
    private static let folder = "\(Fixture.root)/Tests/Fixtures/streams"

    private struct Expected: Decodable {
        struct Channel: Decodable {
            var name: String
            var unit: String?
            var rate: Double
            var start: Double
            var values: [Double?]
        }

        struct Mark: Decodable {
            var time: Double
            var seconds: Double
            var text: String

            init(from decoder: any Decoder) throws {
                var list = try decoder.unkeyedContainer()
                time = try list.decode(Double.self)
                seconds = try list.decode(Double.self)
                text = try list.decode(String.self)
            }
        }

        var channels: [Channel]
        var marks: [Mark]
    }

    private static func expected(_ name: String) throws -> Expected {
        let text = try Fixture.text("\(folder)/expected.json")
        return try #require(try JSONDecoder().decode([String: Expected].self, from: Data(text.utf8))[name])
    }

    private static let names = [
        "plus.edf", "plus.bdf", "w16.hea", "w61.hea", "w160.hea", "w80.hea", "w24.hea", "w32.hea", "w212.hea",
        "w310.hea",
        "w311.hea", "frames.hea", "fixed.hea", "variable.hea", "explicit.dcm", "implicit.dcm", "big.dcm",
    ]

    @Test(arguments: names) func asTheReferenceReads(name: String) throws {
        let expected = try Self.expected(name.hasSuffix(".dcm") ? "explicit.dcm" : name)
        let (head, channels) = try CollectedSamples.read("\(Self.folder)/\(name)")
        #expect(head.channels.map(\.name) == expected.channels.map(\.name))
        #expect(head.channels.map(\.unit) == expected.channels.map(\.unit))
        #expect(head.channels.map(\.rate) == expected.channels.map(\.rate))
        for channel in expected.channels {
            let samples = try #require(channels[channel.name])
            let wanted = channel.values.enumerated().compactMap { index, value in value.map { (index, $0) } }
            #expect(samples.count == wanted.count)
            let scale = channel.values.compactMap { $0.map(abs) }.max() ?? 1
            for (sample, (index, value)) in zip(samples, wanted) {
                // In microseconds.
                #expect(abs(Double(sample.time) - (channel.start + Double(index) / channel.rate) * 1e6) <= 1)
                #expect(abs(sample.value - value) <= 1e-6 * scale)
            }
        }
        #expect(head.marks.map(\.text) == expected.marks.map(\.text))
        for (mark, wanted) in zip(head.marks, expected.marks) {
            #expect(abs(Double(mark.time.microseconds) - wanted.time * 1e6) <= 1)
            #expect(abs(mark.seconds - wanted.seconds) < 1e-9)
        }
        #expect(head.notation == (name == "frames.hea" ? .seconds : .date))
    }

    /// EDF+D: the values of plus.edf, of which the last two seconds are ten seconds later.
    @Test func gapsOfEDF() throws {
        let (_, whole) = try CollectedSamples.read("\(Self.folder)/plus.edf")
        let (_, gaps) = try CollectedSamples.read("\(Self.folder)/gaps.edf")
        for (name, samples) in whole {
            let begin = try #require(samples.first?.time)
            let moved = samples.map {
                CollectedSamples.Sample(
                    time: $0.time + ($0.time - begin >= 2_000_000 ? 10_000_000 : 0), value: $0.value)
            }
            #expect(gaps[name] == moved)
        }
    }

    /// The reader joins the values of one time, in the order of time.
    @Test(arguments: names) func readerInOrderOfTime(name: String) throws {
        let reader = try SensorReader("\(Self.folder)/\(name)")
        let (_, channels) = try CollectedSamples.read("\(Self.folder)/\(name)")
        var (count, last) = (0, Int64.min)
        while let sample = try reader.next() {
            #expect(sample.time.microseconds >= last)
            last = sample.time.microseconds
            count += sample.values.names.count
        }
        #expect(count == channels.values.reduce(0) { $0 + $1.count })
    }

    // MARK: Bad input

    /// Damaged bytes and cut files are errors in one line, or other values, but nothing worse.
    @Test(arguments: names + ["gaps.edf", "w212.atr"]) func damagedFiles(name: String) throws {
        let scratch = TemporaryFolder()
        let stem = try #require(name.stem)
        for file in Directory.entries(of: Self.folder) where file.stem == stem {
            try scratch.write(Fixture.bytes("\(Self.folder)/\(file)"), to: file)
        }
        let bytes = try Fixture.bytes("\(Self.folder)/\(name)")
        let opened = name.hasSuffix(".atr") ? "w212.hea" : name
        var random = SeededRandom(seed: 11)
        for round in 0..<120 {
            var damaged = bytes
            if round % 3 == 0 {
                damaged.removeLast(Int.random(in: 1...bytes.count, using: &random))
            } else {
                for _ in 0..<Int.random(in: 1...4, using: &random) {
                    let place = Int.random(
                        in: 0..<(round % 2 == 0 ? bytes.count : min(400, bytes.count)), using: &random)
                    damaged[place] = .random(in: 0...255, using: &random)
                }
            }
            try scratch.write(damaged, to: name)
            for onDamage in [nil, { _ in }] as [((MediaError) -> Void)?] {
                do {
                    _ = try CollectedSamples.read("\(scratch.path)/\(opened)", onDamage: onDamage)
                } catch { #expect(!"\(error)".contains("\n")) }
            }
        }
    }

    private func expectFault(
        _ bytes: [UInt8], _ name: String, _ words: String, location: SourceLocation = #_sourceLocation
    ) throws {
        let scratch = TemporaryFolder()
        try scratch.write(bytes, to: name)
        #expect(sourceLocation: location) {
            _ = try CollectedSamples.read("\(scratch.path)/\(name)")
        } throws: {
            "\($0)".contains(words) && "\($0)".contains(name)
        }
    }

    /// Counts of records of -1 are those of the file; others that it does not have are an error, or are left out.
    @Test func recordsOfEDF() throws {
        let bytes = try Fixture.bytes("\(Self.folder)/plus.edf")
        let scratch = TemporaryFolder()
        func patched(_ offset: Int, _ text: String) -> [UInt8] {
            Array(bytes[..<offset]) + Array(text.utf8) + Array(bytes[(offset + text.utf8.count)...])
        }
        try scratch.write(patched(236, "-1      "), to: "open.edf")
        let (_, open) = try CollectedSamples.read("\(scratch.path)/open.edf")
        #expect(open == (try CollectedSamples.read("\(Self.folder)/plus.edf").channels))
        try expectFault(patched(236, "9       "), "r.edf", "the file ends in record 5 of 9")
        try expectFault(Array(bytes.dropLast(10)), "r.edf", "the file ends in record 4 of 4")
        var told: [MediaError] = []
        try scratch.write(Array(bytes.dropLast(10)), to: "cut.edf")
        let (head, cut) = try CollectedSamples.read("\(scratch.path)/cut.edf", onDamage: { told.append($0) })
        #expect(told.count == 1 && head.skipped == 1 && cut["ecg.ii"]?.count == 150)
        #expect("\(try #require(told.first))".contains("; what is there is read"))
        try expectFault(patched(252, "9999"), "r.edf", "the number of signals is '9999', not 1 to 1024")
        try expectFault(patched(236, "many    "), "r.edf", "the number of records is 'many'")
        try expectFault(patched(244, "0       "), "r.edf", "a record lasts 0 seconds")
        try expectFault(Array(bytes.prefix(600)), "r.edf", "the file ends in its header")
    }

    @Test(arguments: [
        ("r 1 100 5\n/etc/passwd 16 200 16 0 0 0 0 I\n", "is not in the folder"),
        ("r 1 100 5\n../r.dat 16 200 16 0 0 0 0 I\n", "is not in the folder"),
        ("r 1 100 5\n", "has 0 of 1 signals"), ("r 0 100 5\n", "no number of signals"),
        ("r 1 -1 5\nr.dat 16\n", "the rate is '-1', not 0.000001 to 1000000000 a second"),
        ("r/3 1 100 5\n", "the header has 0 of 3 segments"), ("r/0 1 100 5\n", "not a name or NAME/SEGMENTS"),
        ("/2 1 100 5\n", "not a name or NAME/SEGMENTS"), ("r/2/2 1 100 5\n", "not a name or NAME/SEGMENTS"),
        ("r/99999999999999999999 1 100 5\n", "not a name or NAME/SEGMENTS"),
        ("r/1 1 100 5\n../s 5\n", "the segment '../s' is not in the folder"), ("r/1 1 100 5\ns\n", "is no segment"),
        ("r/1 1 100 5\ns -5\n", "is no segment"),
        ("r/1 1 100 5\ns 4\n", "the segments have 4 samples, and the record 5"),
        ("r/2 1 100\n~ 1099511627776\n~ 1\n", "the segments have 1099511627777 samples"),
        ("r/1 1 100 5\n~ 5\n", "the record has no segment with signals"), ("r/1 1 100 5\ns 5\n", "no such file"),
        ("r/1 1 100 5\nr 5\n", "the segment r has 0 of 1 signals"), ("r 1 100 5\n~ 16 200\n", "is not in the folder"),
        ("r 1 100 5\nr.dat 516\n", "the format 516 of r.dat is not read"), ("", "the header is empty"),
        ("r 1 100 5\nr.dat 16x99999\n", "the format is not FORMAT[xSAMPLES][:SKEW][+BYTES]"),
        ("r 1 100 5\nr.dat 16 1(x)\n", "the baseline"), ("r 1 100 5\nnone.dat 16 200\n", "no such file"),
    ]) func headersOfWFDB(text: String, words: String) throws {
        let scratch = TemporaryFolder()
        try scratch.write(text, to: "r.hea")
        try scratch.write([0, 0], to: "r.dat")
        #expect {
            _ = try CollectedSamples.read("\(scratch.path)/r.hea")
        } throws: { "\($0)".contains(words) }
    }

    @Test func unitsOfSegments() throws {
        let scratch = TemporaryFolder()
        for (name, unit) in [("a", "1/mV"), ("b", "1000/V"), ("c", "1/mmHg"), ("d", "0.001/uV")] {
            try scratch.write("\(name) 1 100 10\n\(name).dat 16 \(unit) 16 0 0 0 0 II\n", to: "\(name).hea")
            try scratch.write((0..<20).map { UInt8($0 % 2 == 0 ? $0 / 2 : 0) }, to: "\(name).dat")
        }
        // A volt has a thousand millivolts; a gap of a fifth of a second; a microvolt is a thousandth.
        let path = try scratch.write("r/4 1 100 50\na 10\n~ 20\nb 10\nd 10\n", to: "r.hea")
        let (head, channels) = try CollectedSamples.read(path)
        #expect(head.channels.map(\.name) == ["ecg.ii"] && head.channels.first?.unit == "mV")
        let samples = try #require(channels["ecg.ii"])
        let numbers = (0..<10).map(Double.init)
        #expect(samples.map(\.value) == numbers + numbers + numbers)
        #expect(samples.map(\.time) == (Array(0..<10) + Array(30..<50)).map { Int64($0) * 10_000 })
        // A unit that changes to that of another quantity is an error, or a gap.
        let changed = try scratch.write("r/3 1 100 30\na 10\nc 10\nb 10\n", to: "changed.hea")
        #expect { _ = try CollectedSamples.read(changed) } throws: {
            "\($0)".contains("c.hea: read: WFDB: 'II' has the unit 'mmHg', which was 'mV' before")
        }
        var told: [MediaError] = []
        let (rest, left) = try CollectedSamples.read(changed, onDamage: { told.append($0) })
        #expect(told.count == 1 && rest.skipped == 1)
        #expect(left["ecg.ii"]?.map(\.time) == (Array(0..<10) + Array(20..<30)).map { Int64($0) * 10_000 })
    }

    @Test(arguments: [
        ("s 2 100 10\ns.dat 16 1 16 0 0 0 0 II\ns.dat 16 1 16 0 0 0 0 V1", "the segment s has 2 of 1 signals"),
        ("s 1 50 10\ns.dat 16 1 16 0 0 0 0 II", "the segment has 50 samples a second, and the record 100"),
        ("s 1 100 9\ns.dat 16 1 16 0 0 0 0 II", "the segment has 9 samples, and in the record 10"),
        ("s 1 100 10\nnone.dat 16 1 16 0 0 0 0 II", "no such file"),
        ("s/1 1 100 10\ns 10", "the segment s has 0 of 1 signals"),
    ]) func damagedSegments(text: String, words: String) throws {
        let scratch = TemporaryFolder()
        try scratch.write(text, to: "s.hea")
        try scratch.write([UInt8](repeating: 0, count: 20), to: "s.dat")
        let path = try scratch.write("r/1 1 100 10\ns 10\n", to: "r.hea")
        #expect { _ = try CollectedSamples.read(path) } throws: { "\($0)".contains(words) }
    }

    /// In a record of variable layout, the labels tell which signals a segment has.
    @Test func segmentsOfVariableLayout() throws {
        let scratch = TemporaryFolder()
        func write(_ name: String, _ text: String) throws { try scratch.write("\(text)\n", to: "\(name).hea") }
        try write("layout", "layout 2 100 0\n~ 0 1/mV 16 0 0 0 0 II\n~ 0 1/mV 16 0 0 0 0 V1")
        try write("s", "s 1 100 10\ns.dat 16 1/mV 16 0 0 0 0 V1")
        try write("t", "t 1 100 10\ns.dat 16 1/mV 16 0 0 0 0 V2")
        try write("u", "u 1 100 10\ns.dat 16x2 1/mV 16 0 0 0 0 II")
        try scratch.write((0..<20).map { UInt8($0 % 2 == 0 ? $0 / 2 : 0) }, to: "s.dat")
        let good = try scratch.write("r/2 2 100 10\nlayout 0\ns 10\n", to: "r.hea")
        let (head, channels) = try CollectedSamples.read(good)
        #expect(head.channels.map(\.name) == ["ecg.ii", "ecg.v1"])
        #expect(channels["ecg.ii"]?.isEmpty == true && channels["ecg.v1"]?.count == 10)
        for (name, words) in [("t", "the record has no further signal 'V2'"), ("u", "has 2 samples in a frame")] {
            let path = try scratch.write("r/2 2 100 10\nlayout 0\n\(name) 10\n", to: "r.hea")
            #expect { _ = try CollectedSamples.read(path) } throws: { "\($0)".contains(words) }
        }
    }

    /// No line is drawn over a segment without samples, also where a plot draws lines over gaps.
    @Test func gapsBetweenSegments() throws {
        let source = try RecordingFiles.open("\(Self.folder)/variable.hea")
        var trace = PlottedGaps()
        while try source.read(into: &trace) {}
        // Segments of 40, 25 and 20 samples, with a gap of 15 after the first; each has some of the three signals.
        #expect(trace.gaps == [0: [40, 55], 1: [40, 80], 2: [0, 40, 80]])
    }

    private struct PlottedGaps: SampleSink {
        /// By channel: the places of values that are missing.
        var gaps: [Int: [Int]] = [:]

        mutating func add(_ channel: Int, times: Span<Int64>, values: Span<Double>) {}

        mutating func add(_ channel: Int, start: SensorTime, rate: Double, first: Int, values: Span<Double>) {
            for index in values.indices where values[index].isNaN { gaps[channel, default: []].append(first + index) }
        }
    }

    /// Damaged bytes in any file of a record of segments.
    @Test(arguments: ["fixed", "variable"]) func damagedRecordsOfSegments(name: String) throws {
        let scratch = TemporaryFolder()
        let files = Directory.entries(of: Self.folder).filter { $0.hasPrefix(name) }.sorted()
        #expect(files.count > 4)
        var random = SeededRandom(seed: 3)
        for round in 0..<150 {
            let hurt = files.randomElement(using: &random)
            for file in files {
                var bytes = try Fixture.bytes("\(Self.folder)/\(file)")
                if file == hurt { bytes = bytes.damaged(cut: round % 3 == 0, using: &random) }
                try scratch.write(bytes, to: file)
            }
            for onDamage in [nil, { _ in }] as [((MediaError) -> Void)?] {
                do {
                    _ = try CollectedSamples.read("\(scratch.path)/\(name).hea", onDamage: onDamage)
                } catch { #expect(!"\(error)".contains("\n")) }
            }
        }
    }

    @Test func otherDICOM() throws {
        let bytes = try Fixture.bytes("\(Self.folder)/explicit.dcm")
        let syntax = Array("1.2.840.10008.1.2.1".utf8)
        let at = try #require(bytes.indices.first { bytes[$0...].starts(with: syntax) })
        var other = bytes
        other[at + syntax.count - 1] = UInt8(ascii: "9")
        try expectFault(other, "r.dcm", "the transfer syntax '1.2.840.10008.1.2.9' is not read")
        try expectFault(Array(bytes.dropLast(100)), "r.dcm", "longer than the file")
        try expectFault(Array(bytes.prefix(140)), "r.dcm", "DICOM")
    }

    // MARK: GPX

    @Test func sensorsOfGPX() throws {
        let text = """
            <?xml version="1.0"?>
            <gpx version="1.1" creator="Device" xmlns="http://www.topografix.com/GPX/1/1"
                xmlns:gpxtpx="http://www.garmin.com/xmlschemas/TrackPointExtension/v1">
            <wpt lat="35.28" lon="-120.66"><time>2026-11-23T17:05:10Z</time><name>Mission</name></wpt>
            <trk><trkseg>
            <trkpt lat="35.28" lon="-120.66"><ele>70.5</ele><time>2026-11-23T17:05:09.250Z</time><extensions>
            <gpxtpx:TrackPointExtension><gpxtpx:atemp>21.5</gpxtpx:atemp><gpxtpx:hr>142</gpxtpx:hr><gpxtpx:cad>88</gpxtpx:cad>
            <gpxtpx:speed>3.5</gpxtpx:speed><gpxtpx:course>271</gpxtpx:course></gpxtpx:TrackPointExtension></extensions></trkpt>
            <trkpt lat="35.29" lon="-120.67"><time>2026-11-23T17:05:11Z</time><extensions><gpxtpx:TrackPointExtension>
            <gpxtpx:hr>143</gpxtpx:hr></gpxtpx:TrackPointExtension></extensions></trkpt>
            <trkpt lat="35.30" lon="-120.68"/>
            </trkseg></trk></gpx>
            """
        let scratch = TemporaryFolder()
        try scratch.write(text, to: "run.gpx")
        let reader = try SensorReader("\(scratch.path)/run.gpx")
        var found: [SensorSample] = []
        while let sample = try reader.next() { found.append(sample) }
        let first = SensorTime(microseconds: 1_795_453_509_250_000)
        let second = SensorTime(microseconds: 1_795_453_511_000_000)
        #expect(
            found == [
                SensorSample(
                    first, stream: "position",
                    values: [
                        "latitude": 35.28, "longitude": -120.66, "altitude": 70.5, "speed": 3.5, "course": 271,
                    ]),
                SensorSample(
                    first, stream: "fitness", values: ["temperature": 21.5, "heart-rate": 142, "cadence": 88]),
                SensorSample(second, stream: "position", values: ["latitude": 35.29, "longitude": -120.67]),
                SensorSample(second, stream: "fitness", values: ["heart-rate": 143]),
            ])
        #expect(reader.head.channels.first { $0.name == "fitness.heart-rate" }?.unit == "bpm")
        #expect(reader.head.marks == [SensorMark(SensorTime(microseconds: 1_795_453_510_000_000), text: "Mission")])
        try expectFault(Array(text.utf8.prefix(400)), "r.gpx", "line ")
        for start in ["<gpx version='1.1'>", "<gpx>", "\u{FEFF}<?xml version='1.0'?>\n<gpx>"] {
            try expectFault(Array("\(start)<trk/></gpx>".utf8), "r.gpx", "no point with a time")
        }
    }
}
