import Glibc
import TestSupport
import Testing
import WayreelCore
import WayreelLevels

@Suite struct LevelsFileTests {
    static let textFormats: [LevelsFormat] = [.json, .audiowaveform, .dat]

    private func read(_ bytes: [UInt8]) throws -> LevelsFile { try LevelsFile.read(MemorySource(bytes)) }

    private static func bunny() throws -> PlainAudio { try PlainAudio(wav: Fixture.media("radio/bunny-4s.wav")) }

    /// A pipe without a writer, and one whose writer is idle.
    @Test(arguments: [nil, "{\"ver"]) func silentPipesEndWithTheTimeLimit(_ start: String?) throws {
        let folder = TemporaryFolder()
        let path = "\(folder.path)/pipe"
        #expect(mkfifo(path, 0o600) == 0)
        // Opened for both ends, so that opening does not wait.
        let writer = start == nil ? -1 : open(path, O_RDWR | O_CLOEXEC)
        defer { if writer >= 0 { close(writer) } }
        if let start { #expect(write(writer, start, start.utf8.count) == start.utf8.count) }
        let error = #expect(throws: MediaError.self) {
            try LevelsFile.read(path: path, limits: AudioLimits(seconds: 0.3))
        }
        #expect(error?.code == .timedOut && error?.subject == path)
    }

    /// Every golden is written back unchanged.
    @Test(arguments: Fixture.listing(Fixture.goldenLevels("")))
    func goldensRoundTrip(name: String) throws {
        let bytes = try Fixture.bytes(Fixture.goldenLevels(name))
        #expect(LevelsFile.recognizes(Array(bytes.prefix(LevelsFile.prefixLength))))
        let file = try read(bytes)
        let format = try #require(LevelsFormat(named: "audiowaveform", fileName: name))
        #expect(file.format == format)
        #expect(try file.document(as: LevelsEncoding(format)).bytes() == bytes)
    }

    /// Coarser buckets of a file equal those measured from the audio.
    @Test(arguments: [64, 128])
    func zoomsAsTheAudioDoes(zoom: Int) throws {
        let fine = try LevelsDocument(Self.bunny().levels(.samples(zoom)), as: LevelsEncoding(.dat, bits: 16)).bytes()
        let coarse = try read(fine).document(as: LevelsEncoding(.dat, grid: .samples(256))).bytes()
        #expect(try coarse == Fixture.bytes(Fixture.goldenLevels("bunny-4s.wav.z256.b16.split.dat")))
    }

    /// If edges do not coincide, a bucket belongs to the one with its last sample.
    @Test func zoomsToNoMultiple() throws {
        let samples = (0..<40).map { $0 * 10 }
        let zoomed = try PlainAudio([samples]).levels(.samples(4)).zoomed(to: .samples(6))
        let lastSamples = (0..<10).map { $0 * 4 + 3 }
        let expected: [Int] = stride(from: 0, to: 40, by: 6).map { start in
            // The samples rise, so that the highest of a bucket is its last.
            samples[lastSamples.last { $0 >= start && $0 < start + 6 }!]
        }
        #expect(try zoomed.values(.maximum, channel: 0).map { Int($0 * 32_768) } == expected)
    }

    /// The same for grids measured from the audio, including RMS.
    @Test(arguments: [
        LevelGrid.rate(15), .rate(Rational(29_97, 200)!), .points(60), .points(1), .samples(9000),
    ])
    func zoomedReadingsAreThoseOfTheirParts(grid: LevelGrid) throws {
        let audio = try Self.bunny()
        let zoomed = try audio.levels(.samples(1)).zoomed(to: grid)
        let direct = try audio.levels(grid)
        #expect(zoomed.bucketCount == direct.bucketCount)
        for channel in 0...1 {
            for field in [LevelField.minimum, .maximum] {
                #expect(try zoomed.values(field, channel: channel) == direct.values(field, channel: channel))
            }
            for (a, b) in try zip(zoomed.values(.rms, channel: channel), direct.values(.rms, channel: channel)) {
                #expect(abs(a - b) < 1e-6)
            }
        }
    }

    @Test func rejectsFinerBuckets() throws {
        let file = try read(Fixture.bytes(Fixture.goldenLevels("bunny-4s.wav.z256.b16.split.dat")))
        let error = #expect(throws: MediaError.self) {
            try file.document(as: LevelsEncoding(.dat, grid: .samples(64)))
        }
        #expect(
            error?.description
                == "zoom: the file has 256 samples per bucket; 64 would be finer; use the audio as input")
        let meterError = #expect(throws: MediaError.self) { try file.document(as: LevelsEncoding(meter: .vu)) }
        #expect(meterError?.kind == .parameter)
        #expect(throws: MediaError.self) { try file.document(as: LevelsEncoding(.dat, channels: .mono)) }
        #expect(throws: Never.self) { try file.document(as: LevelsEncoding(.soundcloud)).bytes() }
    }

    /// A file with less information than the audio can still be written in every format.
    @Test(arguments: LevelsFormat.allCases.filter { !$0.isImage })
    func convertsToEveryFormat(format: LevelsFormat) throws {
        let path = Fixture.goldenLevels("bunny-4s.wav.z256.b16.split.dat")
        let text = try LevelsFile.read(path: path).encoded(as: LevelsEncoding(format))
        guard format == .csv else { return #expect(text.count > 1000) }
        #expect(String(decoding: text, as: UTF8.self).hasPrefix("time,samples,left_peak,right_peak\n0,256,"))
    }

    /// The meter is kept when the buckets become larger.
    @Test func keepsTheMeter() throws {
        let fields: [LevelField] = [.minimum, .maximum, .rms, .meter, .hold]
        let document = try LevelsDocument(
            Self.bunny().levels(.rate(60), fields: fields), as: LevelsEncoding(meter: .apple))
        let coarse = try read(read(document.bytes()).encoded(as: LevelsEncoding(grid: .rate(20))))
        #expect(coarse.meter == .apple && coarse.levels.fields == fields)
        let peaks = try read(read(document.bytes()).encoded(as: LevelsEncoding(readings: [.peak])))
        #expect(peaks.meter == nil && peaks.levels.fields == [.minimum, .maximum])
    }

    @Test func namesTheFileThatIsMissing() {
        let error = #expect(throws: MediaError.self) { try LevelsFile.read(path: "/nowhere/a.dat") }
        #expect(error?.description == "/nowhere/a.dat: read: no such file or directory")
    }

    /// JSON that never ends.
    @Test func stopsAtTheDeadline() {
        final class Spaces: ByteSource {
            var isFirst = true
            func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
                buffer.initializeMemory(as: UInt8.self, repeating: UInt8(ascii: isFirst ? "{" : " "))
                defer { isFirst = false }
                return isFirst ? 1 : buffer.count
            }
        }
        let error = #expect(throws: MediaError.self) {
            try LevelsFile.read(Spaces(), task: TaskContext(seconds: 0.05))
        }
        #expect(error?.kind == .limit)
    }

    /// JSON with endless values: at most 2²³ are kept, which are 32 MB.
    @Test func stopsAtTheLimit() {
        final class Zeros: ByteSource {
            var pattern = Array("{\"data\":[".utf8)
            func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
                defer { pattern = Array("0,".utf8) }
                let count = pattern.count == 2 ? buffer.count & ~1 : min(pattern.count, buffer.count)
                for index in 0..<count { buffer[index] = pattern[index % pattern.count] }
                return count
            }
        }
        let error = #expect(throws: MediaError.self) { try LevelsFile.read(Zeros(), task: TaskContext(seconds: 30)) }
        #expect(error?.kind == .limit && error?.reason == "the JSON contains more than 8388608 levels")
    }

    /// The content of Wayreel's JSON is read back to its last written digit.
    @Test(
        arguments: LevelUnit.allCases,
        [LevelGrid.rate(Rational(30_000, 1001)!), .samples(441), .points(77)])
    func ownJSONRoundTrips(unit: LevelUnit, grid: LevelGrid) throws {
        let fields: [LevelField] = [.minimum, .maximum, .rms, .meter, .hold]
        let levels = try Self.bunny().levels(grid, fields: fields)
        var document = LevelsDocument(
            levels, as: LevelsEncoding(unit: unit, meter: .ppm2),
            source: LevelsSource(file: "a \"b\"\\\u{1}é🎵.wav", codec: "pcm"))
        document.loudness = [NamedFigure("integratedLUFS", -16.25), NamedFigure("rangeLU", nil)]
        let file = try read(document.bytes())
        #expect(file.format == .json)
        #expect(file.meter == .ppm2)
        #expect(file.source == document.source)
        #expect(file.loudness == document.loudness)
        let back = file.levels
        #expect(back.format == levels.format && back.grid == grid && back.sampleCount == levels.sampleCount)
        #expect(back.fields == fields && back.bucketCount == levels.bucketCount)
        // Half of the last digit, computed by hand.
        let isClose = { (a: Float, b: Float) in
            switch unit {
            case .dBFS: abs(a - b) <= abs(b) * 0.000_6 + 2e-8
            case .linear: abs(a - b) <= 0.000_005_1
            case .int8: abs(a - b) <= 1.01 / 256
            case .int16: abs(a - b) <= 1.01 / 65_536
            }
        }
        for channel in 0...1 {
            let (low, high) = try (levels.values(.minimum, channel: channel), levels.values(.maximum, channel: channel))
            let peaks = zip(low, high).map { max(-$0, $1) }
            for field in fields {
                var expected = try levels.values(field, channel: channel)
                if unit == .dBFS, field == .minimum { expected = peaks.map { -$0 } }
                if unit == .dBFS, field == .maximum { expected = peaks }
                #expect(try zip(back.values(field, channel: channel), expected).allSatisfy(isClose), "\(field)")
            }
        }
    }

    /// The members of a JSON document may be in any order and layout, with other members in between.
    @Test func takesAnyOrderAndLayout() throws {
        let bytes = try LevelsDocument(Self.bunny().levels(.samples(4410)), as: LevelsEncoding()).bytes()
        let expected = try read(bytes).levels
        var command = Command("/usr/bin/env", ["python3", "-c", Self.reorder])
        command.input = bytes
        let file = try read(command.run().output)
        #expect(try file.levels.values(.maximum, channel: 1) == expected.values(.maximum, channel: 1))
    }

    private static let reorder = """
        import json, sys
        document = json.load(sys.stdin)
        document["x"] = [[1, {"channels": [None]}], "\\ud83c\\udfb5", True, -1.5e-3]
        print("\\ufeff" + json.dumps(dict(sorted(document.items())), indent=3), end="  \\n\\t")
        """

    @Test func readsSignsExponentsAndManyDigits() throws {
        let text = """
            {"length":1, "bits" : 16,"samples_per_pixel":2e1,"sample_rate":4.41E+4,
            "data":[-100.0000000000000000000000000000, 10000000000000000000000000000e-24]}
            """
        let levels = try read(Array(text.utf8)).levels
        #expect(try levels.values(.minimum, channel: 0) == [-100.0 / 32_768])
        #expect(try levels.values(.maximum, channel: 0) == [10_000.0 / 32_768])
        #expect(levels.grid == .samples(20) && levels.format == AudioFormat(sampleRate: 44_100, channels: [.mono]))
    }
}

/// Invalid files, and files that contradict themselves.
@Suite struct BrokenLevelsFileTests {
    static let broken: [(String, String)] = [
        ("", "it is not a supported levels file"),
        ("{", "the JSON is truncated after 1 bytes"),
        ("{}", "it is JSON without levels in the format of Wayreel or audiowaveform"),
        ("{\"data\":[1,2,]}", "the JSON is invalid at byte 13: no number"),
        ("{\"data\":[1 2]}", "the JSON is invalid at byte 12: no comma"),
        ("{\"data\":[-]}", "the JSON is invalid at byte 10: no number"),
        ("{\"data\":[1]} x", "the JSON is invalid at byte 13: more after its end"),
        ("{\"a\":\"\u{1}\"}", "the JSON is invalid at byte 7: a control character in a text"),
        (
            "{\"x\":" + String(repeating: "[", count: 100_000),
            "the JSON is invalid at byte 69: values nested deeper than 64"
        ),
        (
            "{\"samples_per_pixel\":2,\"sample_rate\":8000,\"bits\":8,\"length\":4294967295,\"data\":[1,2]}",
            "the levels cover 1073741.82375 s; the limit is 604800"
        ),
        (
            "{\"samples_per_pixel\":2,\"sample_rate\":8000,\"bits\":8,\"length\":2,\"data\":[1,2]}",
            "it declares 2 buckets of 1 channels, but contains 2 samples"
        ),
        (
            "{\"samples_per_pixel\":2,\"sample_rate\":8000,\"bits\":8,\"length\":1,\"data\":[1,128]}",
            "128.0 is not a sample of 8 bits"
        ),
        (
            "{\"samples_per_pixel\":2,\"sample_rate\":1e20,\"bits\":8,\"length\":1,\"data\":[1,1]}",
            "its 'sample_rate' is 1e+20"
        ),
        (own(version: 2), "version 2 of wayreel.levels; use a newer version of Wayreel"),
        (own(bucketCount: 4), "the number of levels per channel differs from the number of buckets"),
        (own(sampleCount: 5), "3 buckets do not match 5 samples"),
        (own(sampleCount: 0), "it contains no audio"),
        (own(rate: "1/999999999"), "3 buckets do not match 30 samples"),
        (own(rate: "x"), "the bucket grid is missing"),
        (own(unit: "furlongs"), "its unit is missing"),
        (own(levels: "[0,0,9e9]"), "a level is out of range"),
        (own(channel: "a,b"), "'a,b' is not a channel name"),
        (own(reading: "rms"), "a channel has no peaks"),
    ]

    private static func own(
        version: Int = 1, sampleCount: Int = 30, bucketCount: Int = 3, rate: String = "800", unit: String = "dBFS",
        channel: String = "left", reading: String = "peak", levels: String = "[-1,-2,-3]"
    ) -> String {
        """
        {"schema":"wayreel.levels","version":\(version),"sampleRate":8000,"sampleCount":\(sampleCount),
        "bucketCount":\(bucketCount),"bucketsBy":"rate","rateExact":"\(rate)","unit":"\(unit)",
        "channels":[{"name":"\(channel)","\(reading)":\(levels)}]}
        """
    }

    @Test func validFormsOfTheseAreRead() throws {
        #expect(throws: Never.self) { try LevelsFile.read(MemorySource(Array(Self.own().utf8))) }
    }

    @Test(arguments: broken)
    func reportsTheError(text: String, reason: String) throws {
        let error = #expect(throws: MediaError.self) { try LevelsFile.read(MemorySource(Array(text.utf8))) }
        #expect(error?.description == "read: \(reason)")
    }

    @Test(arguments: [
        (0, "it is not a supported levels file"), (19, "it is not a supported levels file"),
        (23, "it ends within its header"), (24, "it ends within bucket 1 of 690"),
        (5543, "it ends within bucket 690 of 690"), (5545, "data follow its 690 buckets"),
    ])
    func reportsATruncatedDat(length: Int, reason: String) throws {
        let bytes = try Fixture.bytes(Fixture.goldenLevels("bunny-4s.wav.z256.b16.split.dat")) + [0]
        let error = #expect(throws: MediaError.self) { try LevelsFile.read(MemorySource(Array(bytes.prefix(length)))) }
        #expect(error?.reason == reason)
    }

    /// Any damage results in an error or in usable levels.
    @Test(arguments: ["dat", "audiowaveform", "json"])
    func survivesDamage(name: String) throws {
        let format = try #require(LevelsFormat(rawValue: name))
        let audio = PlainAudio([(0..<300).map { $0 * 7 % 900 - 300 }, (0..<300).map { $0 }], sampleRate: 8000)
        let whole = try LevelsDocument(
            audio.levels(.rate(800)), as: LevelsEncoding(format), source: LevelsSource(file: "x")
        ).bytes()
        var random = SeededRandom(seed: 20)
        var readable = 0
        for _ in 0..<6000 {
            var bytes = whole
            for _ in 0...Int.random(in: 0..<4, using: &random) {
                let offset = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0..<5, using: &random) {
                case 0: bytes[offset] = UInt8.random(in: 0...255, using: &random)
                case 1: bytes.remove(at: offset)
                case 2: bytes.insert(contentsOf: "9e9\"]}-,.".utf8.shuffled(using: &random).prefix(2), at: offset)
                case 3: bytes[offset] ^= 1 << UInt8.random(in: 0..<8, using: &random)
                default: if Bool.random(using: &random) { bytes.removeLast(min(offset, bytes.count - 1)) }
                }
                if bytes.isEmpty { bytes = [0] }
            }
            guard let file = try? LevelsFile.read(MemorySource(bytes)) else { continue }
            readable += 1
            for format in LevelsFormat.allCases where !format.isImage {
                _ = try? file.document(as: LevelsEncoding(format)).bytes()
                _ = try? file.document(as: LevelsEncoding(format, grid: .points(7))).bytes()
            }
        }
        // Otherwise the loop would have tested nothing.
        #expect(readable > 50)
    }
}
