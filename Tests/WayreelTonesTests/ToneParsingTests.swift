import Testing
import WayreelCore
import WayreelTones

/// The text form of tones.
@Suite struct ToneParsingTests {
    @Test(
        arguments: [
            ("sine:440", Tone(.sine(hertz: 440))), ("Square:1.5kHz", Tone(.square(hertz: 1500))),
            ("saw:441Hz", Tone(.sawtooth(hertz: 441))), ("triangle:2k", Tone(.triangle(hertz: 2000))),
            ("sweep:20..20k", Tone(.sweep(from: 20, to: 20_000))), ("noise:white", Tone(.whiteNoise)),
            ("noise:pink:seed=7", Tone(.pinkNoise, seed: 7)), ("impulse", Tone(.impulse)),
            ("clicks:0.5", Tone(.clicks(perSecond: 0.5))), ("silence", Tone(.silence)),
            (
                "sine:440:level=-23dBFS:phase=-90:channels=1+3:from=2s:for=500ms:fade-in=10ms:fade-out=1",
                Tone(
                    .sine(hertz: 440), level: .rms(-23), phase: -90, channels: [1, 3], start: 2, duration: 0.5,
                    fadeIn: 0.01, fadeOut: 1)
            ),
            (
                "sine:440:level=-6dBpeak:phase=45°:fade=2ms",
                Tone(.sine(hertz: 440), level: .peak(-6), phase: 45, fadeIn: 0.002, fadeOut: 0.002)
            ),
            ("sine:440:level=-6", Tone(.sine(hertz: 440), level: .rms(-6))),
        ] as [(String, Tone)])
    func parses(text: String, tone: Tone) throws { #expect(try Tone(parsing: text) == tone) }

    @Test func takesTheLevelOfTheCommand() throws {
        #expect(try Tone(parsing: "sine:440", level: .peak(-3)).level == .peak(-3))
        #expect(try Tone(parsing: "sine:440:level=-9", level: .peak(-3)).level == .rms(-9))
        #expect(Tone.Level("-23LUFS") == nil && Tone.Level("loud") == nil && Tone.Level("") == nil)
        #expect(
            Tone.Level("-23dBFS")?.description == "-23dBFS" && Tone.Level("-1.5DBPEAK")?.description == "-1.5dBpeak")
    }

    @Test(arguments: [
        ("sien:440", "did you mean 'sine'?"), ("", "use one of"), ("sine", "write it as sine:440"),
        ("sine:", "not ''"), ("sine:440:441", "'441' is no setting"), ("sine:440:lvel=3", "did you mean 'level'?"),
        ("sine:440:", "'' is no setting"), ("noise", "white or pink"), ("noise:blue", "white or pink"),
        ("sweep:20", "sweep:20..20000"), ("sweep:20..", "sweep:20..20000"), ("clicks", "clicks:2"),
        ("sine:440:for=-1s", "a time such as"), ("sine:440:for=inf", "a time such as"), ("sine:440:phase=x", "degrees"),
        ("sine:440:channels=a", "numbers"), ("sine:440:channels=1+", "numbers"), ("sine:440:level=x", "a level"),
        ("noise:pink:seed=-1", "whole number"), ("ebu3343:1", "did you mean 'ebu3341'?"),
        ("ebu3341", "is a set of signals; name it alone"), ("EBU3342:level=5", "is a set of signals"),
        ("level=5", "'level=5' is a setting, and no signal; write it after a signal"), ("lvl=5", "no signal 'lvl=5'"),
    ]) func namesTheTerm(text: String, words: String) throws {
        let error = try #require(throws: MediaError.self) { try Tone(parsing: text) }
        #expect(error.kind == .parameter && error.description.contains(words), "\(error)")
    }
}
