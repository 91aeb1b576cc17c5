import Foundation
import TestSupport
import Testing
import WayreelCore
import WayreelLevels

@Suite struct LevelsDocumentTests {
    /// 25 samples in buckets of 10, the last one half as long; the right channel alternates between full scale and
    /// silence.
    private static let audio = PlainAudio(
        [(0..<25).map { ($0 - 12) * 2000 }, (0..<25).map { $0 < 10 ? -32_768 : 0 }], sampleRate: 300)
    private static let grid = LevelGrid.rate(30)

    private func text(_ encoding: LevelsEncoding, fields: [LevelField] = [.minimum, .maximum, .rms]) throws -> String {
        let levels = try Self.audio.levels(Self.grid, fields: fields)
        let document = LevelsDocument(
            levels, as: encoding, source: LevelsSource(file: "a.wav"),
            loudness: [NamedFigure("integratedLUFS", -23.456)])
        return try String(decoding: document.bytes(), as: UTF8.self)
    }

    private func object(_ text: some StringProtocol) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    }

    private func checkHeader(_ header: [String: Any]) {
        #expect(header["schema"] as? String == "wayreel.levels")
        #expect(header["version"] as? Int == 1)
        #expect((header["source"] as? [String: Any])?["file"] as? String == "a.wav")
        #expect((header["source"] as? [String: Any])?["codec"] is NSNull)
        #expect(header["sampleRate"] as? Int == 300)
        #expect(header["sampleCount"] as? Int == 25)
        #expect(header["duration"] as? Double == 0.083_333)
        #expect(header["bucketCount"] as? Int == 3)
        #expect(header["bucketsBy"] as? String == "rate")
        #expect(header["rate"] as? Double == 30)
        #expect(header["rateExact"] as? String == "30")
        #expect(header["samplesPerBucket"] as? Double == 10)
        #expect(header["lastBucketSamples"] as? Int == 5)
        #expect(header["lastBucketIsPartial"] as? Bool == true)
        #expect(header["unit"] as? String == "dBFS")
        #expect(header["floor"] as? Double == -160)
        #expect(header["clamped"] as? Bool == false)
        #expect(header["loudness"] as? [String: Double] == ["integratedLUFS": -23.46])
    }

    @Test func writesItsOwnJSON() throws {
        let object = try object(text(LevelsEncoding(.json)))
        checkHeader(object)
        let channels = try #require(object["channels"] as? [[String: Any]])
        #expect(channels.map { $0["name"] as? String } == ["left", "right"])
        // 20 log10(24000 / 32768), 20 log10(14000 / 32768), 20 log10(24000 / 32768)
        #expect(channels[0]["peak"] as? [Double] == [-2.7, -7.39, -2.7])
        #expect(channels[1]["peak"] as? [Double] == [0, -160, -160])
        // The root of the mean of the squares of −24 to −6, −4 to 14 and 16 to 24 thousand.
        #expect(channels[0]["rms"] as? [Double] == [-6.19, -12.67, -4.2])
        #expect(Set(channels[0].keys) == ["name", "peak", "rms"])
    }

    @Test func writesLinearJSON() throws {
        let encoding = LevelsEncoding(.json, unit: .linear, decimals: 3, meter: .vu)
        let object = try object(text(encoding, fields: [.minimum, .maximum, .rms, .meter, .hold]))
        #expect(object["meter"] as? String == "vu" && object["floor"] == nil)
        let left = try #require((object["channels"] as? [[String: Any]])?.first)
        #expect(left["min"] as? [Double] == [-0.732, -0.122, 0.488])
        #expect(left["max"] as? [Double] == [-0.183, 0.427, 0.732])
        #expect(left["peak"] as? [Double] == [0.732, 0.427, 0.732])
        #expect(left["hold"] as? [Double] == [0.732, 0.427, 0.732])
    }

    @Test(arguments: [(LevelUnit.int16, [-24_000, -4000, 16_000]), (.int8, [-94, -16, 62])])
    func writesWholeNumbers(unit: LevelUnit, expected: [Int]) throws {
        let object = try object(text(LevelsEncoding(.json, unit: unit, readings: [.minimum])))
        #expect((object["channels"] as? [[String: Any]])?.first?["min"] as? [Int] == expected)
    }

    @Test func writesNDJSON() throws {
        let lines = try text(LevelsEncoding(.ndjson)).split(separator: "\n").map { try object($0) }
        try #require(lines.count == 4)
        checkHeader(lines[0])
        #expect(lines[0]["channels"] as? [String] == ["left", "right"])
        #expect(lines[0]["readings"] as? [String] == ["peak", "rms"])
        #expect(lines.dropFirst().map { $0["time"] as? Double } == [0, 0.033_333, 0.066_667])
        #expect(lines[1]["peak"] as? [Double] == [-2.7, 0])
        #expect(lines[3]["peak"] as? [Double] == [-2.7, -160])
        #expect(lines.map { $0["partial"] as? Bool } == [nil, nil, nil, true])
    }

    @Test func writesCSV() throws {
        #expect(
            try text(LevelsEncoding(.csv))
                == """
                time,samples,left_peak,left_rms,right_peak,right_rms
                0,10,-2.7,-6.19,0,0
                0.033333,10,-7.39,-12.67,-160,-160
                0.066667,5,-2.7,-4.2,-160,-160

                """)
    }

    @Test func writesWavesurfer() throws {
        let object = try object(text(LevelsEncoding(.wavesurfer)))
        #expect(object["duration"] as? Double == 0.083_333)
        #expect(object["peaks"] as? [[Double]] == [[-0.7324, 0.4272, 0.7324], [-1, 0, 0]])
    }

    @Test func writesSoundCloud() throws {
        let mono = try PlainAudio([[0, 16_384, -32_768, -117, 118, 0]]).levels(.samples(1))
        let text = try String(decoding: LevelsDocument(mono, as: LevelsEncoding(.soundcloud)).bytes(), as: UTF8.self)
        #expect(text == "{\"width\":6,\"height\":140,\"samples\":[0,70,140,0,1,0]}\n")
    }

    /// Overs are kept unless they are clamped, and are valid numbers at any magnitude.
    @Test func tellsOvers() throws {
        var log = LevelLog(columnCount: 2)
        for level in [Float(2), 3.4e38, 0x1p-20] { try log.append([-level, level]) }
        let levels = Levels(
            format: AudioFormat(sampleRate: 8, channels: [.mono]), grid: .samples(1), sampleCount: 3,
            fields: [.minimum, .maximum], log: log)
        func peaks(_ unit: LevelUnit, clamp: Bool) throws -> [Double]? {
            let encoding = LevelsEncoding(.json, unit: unit, clamp: clamp, readings: [.peak])
            let text = try String(decoding: LevelsDocument(levels, as: encoding).bytes(), as: UTF8.self)
            return (try object(text)["channels"] as? [[String: Any]])?.first?["peak"] as? [Double]
        }
        #expect(try peaks(.dBFS, clamp: false) == [6.02, 770.63, -120.41])
        #expect(try peaks(.dBFS, clamp: true) == [0, 0, -120.41])
        #expect(try peaks(.linear, clamp: false) == [2, 3.4e38, 0])
        #expect(try peaks(.linear, clamp: true) == [1, 1, 0])
        #expect(try peaks(.int16, clamp: false) == [32_767, 32_767, 0])
    }

    @Test(arguments: LevelsFormat.allCases.filter { !$0.isImage })
    func emptyLevelsAreAnError(format: LevelsFormat) {
        let levels = Levels(
            format: AudioFormat(sampleRate: 8000, channels: [.mono]), grid: .samples(80), sampleCount: 0,
            fields: [.minimum, .maximum, .rms], log: LevelLog(columnCount: 3))
        let error = #expect(throws: MediaError.self) {
            try LevelsDocument(levels, as: LevelsEncoding(format)).bytes()
        }
        #expect(error?.kind == .decoding)
    }

    /// Output larger than one buffer, and not a multiple of its size, is complete.
    @Test func gathersAllThatIsWritten() throws {
        final class Pieces: ByteSink {
            var sizes: [Int] = []
            func write(_ bytes: UnsafeRawBufferPointer) { sizes.append(bytes.count) }
        }
        let levels = try PlainAudio([(0..<40_000).map { $0 % 1999 }]).levels(.samples(1), fields: [.minimum, .maximum])
        let document = LevelsDocument(levels, as: LevelsEncoding(.json, readings: [.peak]))
        let pieces = Pieces()
        try document.write(to: pieces)
        #expect(pieces.sizes.reduce(0, +) == (try document.bytes().count))
        #expect(pieces.sizes.count > 1 && pieces.sizes.allSatisfy { $0 <= 65_536 })
    }
}

@Suite struct BufferedOutputTests {
    @Test func writesWholeNumbersAndTheirFractions() throws {
        var random = SeededRandom(seed: 7)
        for decimals in 0...9 {
            let edges = [0, 1, -1, 9, 10, -10, 99, 100, 12_300, 999_999_999, 1_000_000_000, 1 << 53, .max, .min]
            let scale = Foundation.pow(Decimal(10), decimals)
            let values =
                edges + (0..<500).map { _ in Int.random(in: .min ... .max, using: &random) >> Int.random(in: 0..<63) }
            for value in values {
                let sink = MemorySink()
                let output = BufferedOutput(sink)
                try output.append(value, decimals: decimals)
                try output.flush()
                let text = String(decoding: sink.bytes, as: UTF8.self)
                #expect(text == (Decimal(value) / scale).description)
            }
        }
    }

    /// Compared with printf, with trailing zeros removed.
    @Test func roundsLevelsAsPrintfDoes() throws {
        var random = SeededRandom(seed: 8)
        let levels =
            (0..<3000).map { _ in Float.random(in: -1.5...1.5, using: &random) } + [0.5, 0.000_005, -0.000_004, 1]
        var log = LevelLog(columnCount: 2)
        for level in levels { try log.append([level, level]) }
        for decimals in [0, 1, 4, 5, 9] {
            let document = LevelsDocument(
                Levels(
                    format: AudioFormat(sampleRate: 8000, channels: [.mono]), grid: .samples(1),
                    sampleCount: levels.count, fields: [.minimum, .maximum], log: log),
                as: LevelsEncoding(.csv, unit: .linear, decimals: decimals, readings: [.maximum]))
            let column = try String(decoding: document.bytes(), as: UTF8.self)
                .split(separator: "\n").dropFirst().map { $0.split(separator: ",")[2] }
            for (level, text) in zip(levels, column) {
                var expected = String(format: "%.\(decimals)f", Double(level))
                if expected.contains(".") {
                    while expected.hasSuffix("0") { expected.removeLast() }
                    if expected.hasSuffix(".") { expected.removeLast() }
                }
                #expect(text == (expected == "-0" ? "0" : expected))
            }
        }
    }
}
