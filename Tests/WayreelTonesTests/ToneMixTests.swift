import Glibc
import TestSupport
import Testing
import WayreelCore
import WayreelTones

/// When and where tones sound, what is said about half the sample rate, and what is refused.
@Suite struct ToneMixTests {
    private func warnings(_ tones: String..., isNaive: Bool = false) throws -> [String] {
        let tones = try tones.map { try Tone(parsing: $0) }
        return try ToneMix(tones, seconds: 1, isNaive: isNaive).warnings().map(\.message)
    }

    @Test(arguments: [
        (30_000.0, 18_000.0), (24_000, 24_000), (23_999, 23_999), (24_001, 23_999), (47_000, 1000), (48_000, 0),
        (49_000, 1000), (60_000, 12_000), (96_000, 0),
    ]) func aliasesAreFolded(hertz: Double, alias: Double) throws {
        #expect(ToneMix.alias(of: hertz, sampleRate: 48_000) == alias)
        // The samples of both are the same, but for the sign.
        for index in 0..<100 {
            let time = Double(index) / 48_000
            #expect(abs(cos(2 * .pi * hertz * time) - cos(2 * .pi * alias * time)) < 1e-9)
        }
    }

    @Test func aboveHalfTheSampleRateItSaysWhatWouldBeHeard() throws {
        let error = try #require(throws: MediaError.self) { try warnings("sine:30000") }
        #expect(error.kind == .parameter)
        #expect(error.reason == "30000 Hz is above half the sample rate of 48000 Hz, so 18000 Hz would be heard")
        #expect(error.advice?.description == "use at most 24000 Hz, or raise the sample rate above 60000 Hz")
        #expect(throws: MediaError.self) { try warnings("sweep:20..24001") }
        #expect(try warnings("sweep:20..24000").isEmpty)
        #expect(try warnings("sine:30000", isNaive: true).count == 1)
        // It is heard: −sin of 18 kHz.
        let samples = try render([Tone(.sine(hertz: 30_000), level: .peak(0))], seconds: 0.01, isNaive: true)[0]
        for (index, sample) in samples.enumerated() {
            #expect(abs(sample + sin(2 * .pi * 18_000 * Double(index) / 48_000)) < 1e-6)
        }
    }

    /// Two samples a wave: A · sin(phase) · (−1)ⁿ.
    @Test(arguments: [0.0, 30, 90, 180, -90]) func atHalfTheSampleRateThePhaseDecides(phase: Double) throws {
        let tone = Tone(.sine(hertz: 24_000), level: .peak(0), phase: phase)
        let samples = try render([tone], seconds: 0.01)[0]
        for (index, sample) in samples.enumerated() {
            #expect(abs(sample - sin(phase / 180 * .pi) * (index % 2 == 0 ? 1 : -1)) < 1e-6)
        }
        let warnings = try ToneMix([tone], seconds: 1).warnings()
        let text = try #require(warnings.first?.message)
        #expect(text.contains("two samples a wave") && text.contains("depends on the phase"))
        #expect(text.contains("silence") == (phase == 0 || phase == 180), "\(text)")
    }

    @Test func aSquareWaveWithoutHarmonicsIsASine() throws {
        #expect(try warnings("square:8000").first?.contains("it is a sine") == true)
        #expect(try warnings("square:7999").isEmpty)
        #expect(try warnings("saw:12000").first?.contains("it is a sine") == true)
        #expect(try warnings("saw:11999").isEmpty)
    }

    @Test func signalsAddUpOnTheirChannels() throws {
        let mixed = try render(
            [
                Tone(.sine(hertz: 1000), level: .peak(-6), channels: [1]),
                Tone(.sine(hertz: 1000), level: .peak(-6), phase: 90, channels: [2]),
                Tone(.sine(hertz: 3000), level: .peak(-20)),
            ], channels: 3, seconds: 0.01)
        let (six, twenty) = (pow(10, -6.0 / 20), 0.1)
        for index in 0..<480 {
            let angle = 2 * .pi * Double(index) / 48
            let third = twenty * sin(3 * angle)
            #expect(abs(mixed[0][index] - six * sin(angle) - third) < 1e-6)
            #expect(abs(mixed[1][index] - six * cos(angle) - third) < 1e-6)
            #expect(abs(mixed[2][index] - third) < 1e-6)
        }
    }

    @Test func tonesStartEndAndFade() throws {
        // 440 Hz do not end at the end of a wave.
        let tone = Tone(
            .sine(hertz: 440), level: .peak(0), phase: 90, start: 0.1, duration: 0.2, fadeIn: 0.02, fadeOut: 0.04)
        let samples = try render([tone], seconds: 0.5)[0]
        #expect(samples.count == 24_000)
        for (index, sample) in samples.enumerated() {
            let time = Double(index) / 48_000 - 0.1
            let gain =
                time < -1e-9 || time > 0.2 - 1e-9
                ? 0 : pow(sin(.pi / 2 * min(time / 0.02, 1)), 2) * pow(sin(.pi / 2 * min((0.2 - time) / 0.04, 1)), 2)
            #expect(abs(sample - gain * cos(2 * .pi * 440 * time)) < 1e-6, "\(index)")
        }
    }

    @Test func clicksAreSingleSamples() throws {
        let samples = try render([Tone(.clicks(perSecond: 7), level: .peak(-6), start: 0.5)], seconds: 2)[0]
        let places = samples.indices.filter { samples[$0] != 0 }
        #expect(places == (0...10).map { 24_000 + Int((Double($0) * 48_000 / 7).rounded()) })
        #expect(places.allSatisfy { abs(samples[$0] - pow(10, -6.0 / 20)) < 1e-6 })
        let impulse = try render([Tone(.impulse, level: .rms(-20))], seconds: 0.1)[0]
        #expect(abs(impulse[0] - 0.1) < 1e-6 && impulse.dropFirst().allSatisfy { $0 == 0 })
    }

    @Test func noiseDependsOnItsSeed() throws {
        let noise = { (tones: [Tone], seed: UInt64) in try render(tones, channels: 2, seconds: 0.1, seed: seed) }
        let same = try noise([Tone(.pinkNoise)], 1)
        #expect(same[0] == same[1])
        #expect(try noise([Tone(.pinkNoise)], 1) == same && noise([Tone(.pinkNoise)], 2) != same)
        let wide = try noise([Tone(.whiteNoise, channels: [1]), Tone(.whiteNoise, channels: [2])], 1)
        let product = zip(wide[0], wide[1]).reduce(0) { $0 + $1.0 * $1.1 } / Double(wide[0].count)
        #expect(abs(product) < 0.1 * rms(wide[0]) * rms(wide[1]))
        let given = try noise(
            [Tone(.whiteNoise, channels: [1], seed: 9), Tone(.whiteNoise, channels: [2], seed: 9)], 1)
        #expect(given[0] == given[1])
    }

    @Test(arguments: [
        ("sine:0", "above 0 Hz"), ("sine:-1", "above 0 Hz"), ("sine:1e300", "above 0 Hz"), ("sine:nan", "not 'nan'"),
        ("square:0.01", "harmonics"), ("clicks:0", "above 0"), ("clicks:1e9", "up to the sample rate"),
        ("sweep:5", "two frequencies"), ("sweep:0..5", "two frequencies"), ("sweep:5..5", "two frequencies"),
        ("sine:440:level=99999", "99999"), ("noise:pink:level=-3dBpeak", "no peak level"),
        ("sine:440:channels=2", "no channel 2 of 1"), ("sine:440:channels=1+1", "twice"),
        ("sine:440:from=1s", "starts at 1 s of 1 s"), ("sine:440:from=500ms:for=600ms", "lasts"),
        ("sine:440:for=0s", "lasts"), ("sine:440:for=10ms:fade=6ms", "fades"), ("sine:440:phase=1e300", "phase"),
    ]) func refuses(text: String, words: String) throws {
        let error = try #require(throws: MediaError.self) { try warnings(text) }
        #expect(error.kind == .parameter && error.reason.contains(words), "\(error)")
    }

    /// A sine of 997 Hz at 0 dBFS in one channel has −3.01 LUFS (ITU-R BS.1770); in two channels, 3.01 more.
    @Test func matchesALoudness() throws {
        let sine = ToneMix([Tone(.sine(hertz: 997), level: .rms(-20))], seconds: 2)
        func loudness(_ mix: ToneMix) throws -> Double { try #require(try mix.loudness()) }
        #expect(abs(try loudness(sine) + 23.01) < 0.01)
        let stereo = ToneMix([Tone(.sine(hertz: 997), level: .rms(-20))], channelCount: 2, seconds: 2)
        #expect(abs(try loudness(stereo) + 20) < 0.01)
        let matched = try stereo.matched(toLoudness: -33)
        #expect(abs(matched.gain + 13) < 0.06)
        #expect(abs(try loudness(matched) + 33) <= 0.05)
        // The centre of 5.1 counts once, the LFE channel not at all, surround channels with +1.5 dB.
        for (channel, level) in [(3, -23.01), (5, -21.52)] {
            let tone = Tone(.sine(hertz: 997), level: .rms(-20), channels: [channel])
            #expect(abs(try loudness(ToneMix([tone], channelCount: 6, seconds: 2)) - level) < 0.02)
        }
        #expect(try ToneMix([Tone(.sine(hertz: 997), channels: [4])], channelCount: 6, seconds: 2).loudness() == nil)
        for mix in [ToneMix([Tone(.silence)], seconds: 2), ToneMix([Tone(.whiteNoise)], seconds: 0.3)] {
            #expect(throws: MediaError.self) { try mix.matched(toLoudness: -23) }
        }
        for target in [-66, 21, .nan] { #expect(throws: MediaError.self) { try sine.matched(toLoudness: target) } }
    }

    @Test func refusesMixturesOutOfRange() throws {
        let tone = Tone(.sine(hertz: 100))
        let mixes = [
            ToneMix([], seconds: 1), ToneMix([tone], seconds: 0), ToneMix([tone], seconds: .nan),
            ToneMix([tone], seconds: 1e300), ToneMix([tone], seconds: 86_401), ToneMix([tone], seconds: 1e-9),
            ToneMix([tone], sampleRate: 0, seconds: 1), ToneMix([tone], sampleRate: .max, seconds: 1),
            ToneMix([tone], channelCount: 0, seconds: 1), ToneMix([tone], channelCount: 65, seconds: 1),
            ToneMix(Array(repeating: tone, count: 1001), seconds: 1),
            ToneMix(Array(repeating: Tone(.square(hertz: 1)), count: 50), seconds: 1),
        ]
        #expect(ToneMix([tone], seconds: .nan).frameCount == 0)
        #expect(ToneMix([tone], sampleRate: .max, seconds: 1).frameCount == 0)
        for mix in mixes {
            let error = try #require(throws: MediaError.self) { try mix.warnings() }
            #expect(error.kind == .parameter, "\(error)")
        }
    }
}
