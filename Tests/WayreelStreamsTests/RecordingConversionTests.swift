import TestSupport
import Testing
import WayreelCore
import WayreelStreams

/// Conversions, read again. `StreamsConvertCommandTests` has other programs read them.
@Suite struct RecordingConversionTests {
    private let folder = TemporaryFolder()
    private static let fixtures = "\(Fixture.root)/Tests/Fixtures/streams"

    private func path(_ name: String) -> String { "\(folder.path)/\(name)" }

    private func file(_ text: String, _ name: String) throws -> String { try folder.write(text, to: name) }

    private func convert(
        _ input: String, _ output: String, _ change: (inout RecordingConversion) -> Void = { _ in }
    ) throws -> (head: RecordingHead, channels: [String: [CollectedSamples.Sample]]) {
        var conversion = RecordingConversion()
        change(&conversion)
        let format = try #require(RecordingConversion.Format(path: output))
        try conversion.convert(input, to: path(output), as: format)
        return try CollectedSamples.read(path(output))
    }

    /// Text keeps all that the binary formats say.
    @Test(
        arguments: ["plus.edf", "gaps.edf", "w212.hea", "frames.hea", "explicit.dcm"], ["csv", "tidy.csv", "ndjson"])
    func textKeepsAll(name: String, ending: String) throws {
        let wanted = try CollectedSamples.read("\(Self.fixtures)/\(name)")
        let found = try convert("\(Self.fixtures)/\(name)", "out.\(ending)") { $0.isTidy = ending == "tidy.csv" }
        #expect(found.channels == wanted.channels)
        #expect(found.head.marks == wanted.head.marks.sorted { $0.time < $1.time })
        #expect(found.head.notation == wanted.head.notation)
        // Rows of streams have no place for units.
        if ending != "tidy.csv" {
            let units = { (head: RecordingHead) in head.channels.map { "\($0.name) \($0.unit ?? "")" }.sorted() }
            #expect(units(found.head) == units(wanted.head))
        }
    }

    /// EDF+ has 65536 steps from the least to the greatest value, in numbers of 8 characters.
    @Test func edfOfTheElectrocardiogram() throws {
        let input = Fixture.media("streams/ecg-12-lead.csv")
        let wanted = try CollectedSamples.read(input)
        let found = try convert(input, "ecg.edf")
        #expect(found.head.channels.map(\.name) == wanted.head.channels.map(\.name))
        for (name, samples) in wanted.channels {
            let values = samples.map(\.value)
            let step = ((values.max() ?? 0) - (values.min() ?? 0) + 1e-4) / 65535
            let again = try #require(found.channels[name])
            #expect(again.map(\.time) == samples.map(\.time))
            for (sample, value) in zip(again, values) { #expect(abs(sample.value - value) <= step / 2 + 1e-9) }
        }
    }

    /// DICOM has steps of 0.1 µV for values up to 3.2 mV, which hold the 0.1 µV of the table.
    @Test func dicomOfTheElectrocardiogram() throws {
        let text = try Fixture.text(Fixture.media("streams/ecg-12-lead.csv"))
        let lines = text.split(separator: "\n")
        let names = lines[0].split(separator: ",").map { $0 == "seconds" ? "seconds" : "\($0) [mV]" }
        let input = try file(
            ([names.joined(separator: ",")] + lines.dropFirst().map(String.init)).joined(separator: "\n"), "e.csv")
        _ = try file("{\"time\":1.5,\"seconds\":0.5,\"mark\":\"noise\",\"channel\":\"ecg.v2\"}\n", "e.csv.marks.ndjson")
        let wanted = try CollectedSamples.read(input)
        let found = try convert(input, "e.dcm")
        for (name, samples) in wanted.channels {
            let again = try #require(found.channels[name])
            #expect(again.map(\.time) == samples.map(\.time))
            for (sample, old) in zip(again, samples) { #expect(abs(sample.value - old.value * 1000) < 1e-6) }
        }
        #expect(found.head.channels.allSatisfy { $0.unit == "uV" && $0.rate == 250 })
        #expect(found.head.marks == wanted.head.marks)
        // PS3.10, 7.1: after the preamble and the length of group 2, the version has the two bytes 0 and 1.
        let version = try Fixture.bytes(path("e.dcm"))[144..<158]
        #expect(Array(version) == [2, 0, 1, 0] + Array("OB".utf8) + [0, 0, 2, 0, 0, 0, 0, 1])
    }

    /// One stream starts late and ends early, and both pause: EDF+ leaves out the pause, and names what is missing.
    @Test func gapsInEDF() throws {
        var lines = ""
        for index in 0..<1000 where !(400..<700).contains(index) {
            let time = 100.25 + Double(index) / 50
            lines += "{\"time\":\(time.shortText),\"stream\":\"ecg\",\"values\":{\"ii\":\(index)}}\n"
            if index % 5 == 0, (100..<800).contains(index) {
                lines += "{\"time\":\(time.shortText),\"stream\":\"temp\",\"values\":{\"skin\":36}}\n"
            }
        }
        let input = try file(lines, "g.ndjson")
        let found = try convert(input, "g.edf")
        let texts = found.head.marks.map { "\($0.time.text(.seconds)) \($0.seconds) \($0.text)" }
        #expect(
            texts == [
                "0.25 2.0 no signal: temp.skin", "8.25 6.0 no signal: ecg.ii", "8.25 6.0 no signal: temp.skin",
                "16.25 4.0 no signal: temp.skin",
            ])
        let ecg = try #require(found.channels["ecg.ii"])
        #expect(
            ecg.count == 700
                && ecg.map(\.time)
                    == (0..<1000).filter { !(400..<700).contains($0) }.map { 250_000 + Int64($0) * 20_000 }
        )
        #expect(Set(try #require(found.channels["temp.skin"]).map { ($0.value * 10).rounded() / 10 }) == [36])
    }

    /// What has no sample, has none after EDF either: neither the numbers in its place, nor those after the end of all.
    @Test(arguments: [(987, 4), (971, 5)]) func gapsReturnFromEDF(count: Int, marks: Int) throws {
        var lines = ""
        for index in 0..<count {
            let time = Double(index) / 100
            if !(123..<456).contains(index) {
                lines += "{\"time\":\(time.shortText),\"stream\":\"ecg\",\"values\":{\"ii\":\(index + 5)}}\n"
            }
            if index % 25 == 0, index > 300, index != 700 {
                lines += "{\"time\":\(time.shortText),\"stream\":\"temp\",\"values\":{\"skin\":\(30 + index)}}\n"
            }
        }
        let input = try file(lines, "g.ndjson")
        let wanted = try CollectedSamples.read(input)
        let found = try convert(input, "g.edf")
        for name in ["ecg.ii", "temp.skin"] {
            let (old, new) = (try #require(wanted.channels[name]), try #require(found.channels[name]))
            #expect(Set(new.map(\.time)).symmetricDifference(old.map(\.time)).sorted() == [])
            #expect(new.count == old.count)
            for (sample, before) in zip(new, old) { #expect(abs(sample.value - before.value) < 0.02) }
        }
        // Once more, the annotations are not there twice.
        let again = try convert(path("g.edf"), "h.edf")
        #expect(again.head.marks == found.head.marks && again.head.marks.count == marks)
        #expect(again.channels.mapValues { $0.map(\.time) } == found.channels.mapValues { $0.map(\.time) })
    }

    @Test func parts() throws {
        let input = Fixture.media("streams/ecg-12-lead.csv")
        let found = try convert(input, "part.csv") {
            $0.streams = ["ecg.v*", "ecg.ii"]
            ($0.from, $0.length) = (2, 0.5)
        }
        #expect(found.head.channels.map(\.name) == ["ecg.ii"] + (1...6).map { "ecg.v\($0)" })
        // 125 of 250 a second.
        #expect(found.channels["ecg.v3"]?.count == 125 && found.channels["ecg.v3"]?.first?.time == 2_000_000)
    }

    @Test(arguments: [
        (
            "time,a.x\n0,1\n0.1,2\n0.25,3\n0.3,4\n0.4,5\n", "out.edf",
            "a.x is not even: its sample 0.25 s after the start"
        ),
        ("time,a.x\n0,1\n0.1,1e12\n", "out.edf", "need more than 8 characters"),
        ("time,a.x\n0,1\n0.1,2\n", "out.dcm", "a.x is no lead"), ("time,ecg.ii\n0,1\n0.1,2\n", "out.dcm", "in no unit"),
        ("time,a.x\n", "out.csv", "has no samples"), ("time,a.x\n0,\n", "out.ndjson", "has no samples"),
        ("time,a.x\n1,1\n0,1\n2,1\n", "out.edf", "is not even"),
    ]) func refusesInOneLine(text: String, output: String, words: String) throws {
        let input = try file(text, "r.csv")
        #expect {
            _ = try convert(input, output)
        } throws: { "\($0)".contains(words) && !"\($0)".contains("\n") }
        #expect(RegularFile.byteCount(path(output)) == nil)
    }

    @Test func namesWhatThereIs() throws {
        let input = try file("time,a.x,b.y\n0,1,2\n", "r.csv")
        #expect {
            _ = try convert(input, "out.csv") { $0.streams = ["c"] }
        } throws: { "\($0)".contains("has no 'c'") && "\($0)".contains("it has a.x, b.y") }
    }

    /// After the end, in a gap, of no length, and of a channel that has its samples elsewhere.
    @Test(arguments: ["csv", "tidy.csv", "ndjson", "edf", "dcm"]) func timesWithoutSamples(ending: String) throws {
        let input = try file("seconds,ecg.i [mV],ecg.ii [mV]\n0,1,\n1,1,\n8,1,2\n9,1,2\n", "r.csv")
        for (from, length, stream) in [(10, 5, "*"), (3, 2, "*"), (0, 0, "*"), (0, 4, "ecg.ii")] {
            #expect {
                _ = try convert(input, "out.\(ending)") {
                    ($0.from, $0.length, $0.streams) = (Double(from), Double(length), [stream])
                    $0.isTidy = ending == "tidy.csv"
                }
            } throws: {
                ($0 as? MediaError)?.kind == .parameter && "\($0)".contains("r.csv: read: the streams have no samples")
            }
            #expect(RegularFile.byteCount(path("out.\(ending)")) == nil)
        }
    }
}

extension Double {
    fileprivate var shortText: String { decimalText(places: 6, minus: "-") }
}
