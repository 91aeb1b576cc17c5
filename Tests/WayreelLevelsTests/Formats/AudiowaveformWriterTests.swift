import TestSupport
import Testing
import WayreelCore
import WayreelLevels

/// Compared with the output of audiowaveform 1.10.3 for the same samples, byte for byte.
@Suite struct AudiowaveformWriterTests {
    struct Golden: CustomTestStringConvertible, Sendable {
        var name: String
        var zoom: Int
        var bits: Int
        var isMono: Bool
        var scale: AmplitudeScale?

        var testDescription: String { name }
    }

    static let goldens = [
        Golden(name: "bunny-4s.wav.z256.b16.split.dat", zoom: 256, bits: 16, isMono: false),
        Golden(name: "bunny-4s.flac.z256.b16.split.dat", zoom: 256, bits: 16, isMono: false),
        Golden(name: "bunny-4s.wav.z64.b8.mono.dat", zoom: 64, bits: 8, isMono: true),
        Golden(name: "bunny-4s.flac.z64.b8.mono.dat", zoom: 64, bits: 8, isMono: true),
        Golden(name: "bunny-4s.wav.z256.b8.split.json", zoom: 256, bits: 8, isMono: false),
        Golden(name: "bunny-4s.wav.pps100.b8.mono.json", zoom: 441, bits: 8, isMono: true),
        Golden(name: "bunny-4s.wav.z256.b8.mono.autoscale.dat", zoom: 256, bits: 8, isMono: true, scale: .auto),
    ]

    @Test(arguments: goldens)
    func writesWhatAudiowaveformWrites(golden: Golden) throws {
        let audio = try PlainAudio(wav: Fixture.media("radio/bunny-4s.wav"))
        let levels = try (golden.isMono ? audio.mono : audio).levels(.samples(golden.zoom))
        let format = try #require(LevelsFormat(named: "audiowaveform", fileName: golden.name))
        let encoding = LevelsEncoding(format, bits: golden.bits, amplitudeScale: golden.scale)
        let expected = try Fixture.bytes(Fixture.goldenLevels(golden.name))
        #expect(try LevelsDocument(levels, as: encoding).bytes() == expected)
    }

    /// The samples per bucket for 100 pixels per second equal those of the golden.
    @Test func aRateIsRoundedDownToWholeSamples() throws {
        let grid = { (rate: String, sampleRate: Int) in
            try LevelsEncoding(.dat, grid: .rate(#require(Rational(rate)))).measurement(sampleRate: sampleRate).grid
        }
        #expect(try grid("100", 44_100) == .samples(441))
        #expect(try grid("29.97", 44_100) == .samples(1471))
        #expect(throws: MediaError.self) { try grid("44101", 44_100) }
    }

    /// Values scaled beyond 16 bits are clamped; automatic scaling never exceeds the range, for either sign of the
    /// peak.
    @Test func scalesAndClamps() throws {
        let levels = try PlainAudio([[-100, 50, 300, 7]]).levels(.samples(2))
        let data = { (scale: AmplitudeScale) in
            let encoding = LevelsEncoding(.audiowaveform, bits: 16, amplitudeScale: scale)
            let bytes = try LevelsDocument(levels, as: encoding).bytes()
            return String(decoding: bytes, as: UTF8.self).split(separator: "\"data\":").last
        }
        #expect(try data(.factor(1.5)) == "[-150,75,10,450]}\n")
        #expect(try data(.factor(-0.0)) == "[0,0,0,0]}\n")
        #expect(try data(.factor(400)) == "[-32768,20000,2800,32767]}\n")
        #expect(try data(.auto) == "[-10922,5461,764,32767]}\n")
        let silence = try PlainAudio([[0, 0]]).levels(.samples(2))
        let silent = LevelsDocument(silence, as: LevelsEncoding(.audiowaveform, amplitudeScale: .auto))
        #expect(try String(decoding: silent.bytes(), as: UTF8.self).hasSuffix("[0,0]}\n"))
    }

    @Test func rejectsWhatTheFormatCannotHold() throws {
        let audio = PlainAudio([[1, 2, 3, 4]])
        for grid in [LevelGrid.points(3), .rate(Rational(29_97, 100)!)] {
            #expect(throws: MediaError.self) {
                try LevelsDocument(audio.levels(grid), as: LevelsEncoding(.dat)).bytes()
            }
        }
        #expect(throws: MediaError.self) {
            try LevelsDocument(audio.levels(.samples(2), fields: [.rms]), as: LevelsEncoding(.dat)).bytes()
        }
    }
}
