internal import Glibc
public import WayreelCore

/// Test signals that are added up, and the format of the samples.
///
///     let chord = ToneMix([Tone(.sine(hertz: 440)), Tone(.sine(hertz: 554.37))], seconds: 5)
///     try ToneFile(.wav).write(chord, to: "chord.wav")
public struct ToneMix: Hashable, Sendable {
    public var tones: [Tone]
    /// Samples per second and channel, 100 to 1,000,000.
    public var sampleRate: Int
    /// 1 to 64.
    public var channelCount: Int
    /// Above 0, up to 24 hours; rounded to whole samples.
    public var seconds: Double
    /// Takes samples of the ideal waves, without a limit of their band: frequencies above half the sample rate alias.
    public var isNaive: Bool
    /// Decibels that are added to all levels.
    public var gain: Double
    /// Of noise without a seed of its own, and of dither. The same mixture gives the same samples.
    public var seed: UInt64

    public init(
        _ tones: [Tone], sampleRate: Int = 48_000, channelCount: Int = 1, seconds: Double, isNaive: Bool = false,
        gain: Double = 0, seed: UInt64 = 1
    ) {
        self.tones = tones
        self.sampleRate = sampleRate
        self.channelCount = channelCount
        self.seconds = seconds
        self.isNaive = isNaive
        self.gain = gain
        self.seed = seed
    }

    /// Samples of each channel.
    public var frameCount: Int {
        guard seconds > 0, Self.sampleRates.contains(sampleRate) else { return 0 }
        return Int((min(seconds, Self.maxSeconds) * Double(sampleRate)).rounded())
    }

    /// The frequency in hertz, from 0 to half the sample rate, at which samples of a sine of `hertz` sound: the distance
    /// to the nearest multiple of the sample rate.
    public static func alias(of hertz: Double, sampleRate: Int) -> Double {
        let rate = Double(sampleRate)
        let rest = abs(hertz).truncatingRemainder(dividingBy: rate)
        return min(rest, rate - rest)
    }

    static let maxSeconds = 86_400.0
    private static let sampleRates = 100...1_000_000
    private static let maxHertz = 1e9
    private static let toneLimit = 1000
    /// Bounds the memory of all tables to 100 MB.
    private static let harmonicLimit = 400_000
    private static let fault = ErrorSite(.parameter, step: .tone)

    /// Returns what is surprising about the signals: a level that depends on the phase, a wave that is only a sine, with
    /// ``isNaive`` what is heard instead of a frequency.
    ///
    /// Throws a `parameter` error for values out of range, and for a frequency above half the sample rate, which says what
    /// would be heard.
    public func warnings() throws(MediaError) -> [MediaWarning] {
        guard Self.sampleRates.contains(sampleRate) else {
            throw Self.fault("a sample rate of \(sampleRate) Hz", "use 100 to 1000000")
        }
        guard (1...64).contains(channelCount) else {
            throw Self.fault("\(channelCount) channels", "use 1 to 64")
        }
        guard seconds > 0, seconds <= Self.maxSeconds, frameCount > 0 else {
            throw Self.fault(
                "a length of \(seconds.shortDescription) seconds", "use at least one sample and at most 24 hours")
        }
        guard (-300...300).contains(gain) else {
            throw Self.fault("a gain of \(gain.shortDescription) dB", "use -300 to 300")
        }
        guard !tones.isEmpty, tones.count <= Self.toneLimit else {
            throw Self.fault("\(tones.count) signals", "use 1 to \(Self.toneLimit)")
        }
        var found: [MediaWarning] = []
        for tone in tones { found += try warnings(of: tone).map { MediaWarning(step: .tone, "\(tone.wave): \($0)") } }
        let harmonics = isNaive ? 0 : tones.reduce(0) { $0 + ($1.wave.hasHarmonics ? harmonicCount(of: $1.wave) : 1) }
        guard harmonics <= Self.harmonicLimit else {
            throw Self.fault("\(harmonics) harmonics in all", "use higher frequencies or fewer signals")
        }
        return found
    }

    private func warnings(of tone: Tone) throws(MediaError) -> [String] {
        let fault = ErrorSite(.parameter, step: .tone, subject: "\(tone.wave)")
        try check(tone, fault)
        let nyquist = Double(sampleRate) / 2
        let half = "half the sample rate of \(sampleRate) Hz"
        switch tone.wave {
        case .whiteNoise, .impulse, .silence: return []
        case .pinkNoise:
            guard case .rms = tone.level else { throw fault("pink noise has no peak level", "give its level in dBFS") }
            return []
        case .clicks(let rate):
            guard rate > 0, rate <= Double(sampleRate) else {
                throw fault("clicks need a rate above 0 and up to the sample rate of \(sampleRate) Hz")
            }
            return []
        case .sweep(let from, let to):
            guard min(from, to) >= 0.001, from != to, max(from, to) <= Self.maxHertz else {
                throw fault("a sweep needs two frequencies from 0.001 Hz on", "write it as sweep:20..20000")
            }
            let top = max(from, to)
            guard top > nyquist else { return [] }
            let text =
                "\(top.inHertz) is above \(half), so from \(nyquist.inHertz) on it would be heard to turn back, as far as \(heard(top))"
            guard isNaive else {
                throw fault(text, "end at \(nyquist.inHertz), or raise the sample rate above \((2 * top).inHertz)")
            }
            return [text]
        case .sine(let hertz), .square(let hertz), .sawtooth(let hertz), .triangle(let hertz):
            guard hertz > 0, hertz <= Self.maxHertz else {
                throw fault("a frequency must be above 0 Hz, and up to 1 GHz")
            }
            let lowest = Double(sampleRate) / Double(2 * HarmonicTable.harmonicLimit)
            if tone.wave.hasHarmonics, !isNaive, hertz < lowest {
                throw fault(
                    "has more than \(HarmonicTable.harmonicLimit) harmonics below \(half)",
                    "use at least \(lowest.inHertz)")
            }
            if hertz > nyquist {
                let text = "\(hertz.inHertz) is above \(half), so \(heard(hertz)) would be heard"
                guard isNaive else {
                    throw fault(
                        text, "use at most \(nyquist.inHertz), or raise the sample rate above \((2 * hertz).inHertz)")
                }
                return [text]
            }
            if hertz == nyquist { return [levelAtNyquist(of: tone)] }
            if tone.wave.hasHarmonics, !isNaive, hasOnlyFundamental(tone.wave) {
                return ["its harmonics are at or above \(nyquist.inHertz), so it is a sine"]
            }
            return []
        }
    }

    private func heard(_ hertz: Double) -> String {
        let alias = Self.alias(of: hertz, sampleRate: sampleRate)
        return alias == 0 ? "0 Hz, which is silence or a constant," : alias.inHertz
    }

    /// Two samples a wave: A · sin(phase) · (−1)ⁿ.
    private func levelAtNyquist(of tone: Tone) -> String {
        let share = abs(sin(tone.phase / 180 * .pi))
        let text =
            "is half the sample rate, two samples a wave, so the level depends on the phase: at \(tone.phase.inDegrees) "
        if share < 1e-9 { return text + "all samples are 0, which is silence; at 90° they are at the peaks" }
        return text + "the samples are at \((share * 100).formatted(1)) % of the peaks"
    }

    private func check(_ tone: Tone, _ fault: ErrorSite) throws(MediaError) {
        guard (-300...60).contains(tone.level.decibels) else {
            throw fault("a level of \(tone.level.decibels.shortDescription) dB", "use -300 to 60")
        }
        guard abs(tone.phase) <= 1e6 else { throw fault("a phase of \(tone.phase.shortDescription)°") }
        if let channel = tone.channels.first(where: { !(1...channelCount).contains($0) }) {
            throw fault("there is no channel \(channel) of \(channelCount)", "raise the number of channels")
        }
        guard Set(tone.channels).count == tone.channels.count else { throw fault("names a channel twice") }
        guard tone.start >= 0, tone.start < seconds else {
            throw fault("starts at \(tone.start.shortDescription) s of \(seconds.shortDescription) s")
        }
        let duration = tone.duration ?? seconds - tone.start
        guard duration > 0, tone.start + duration <= seconds + 0.5 / Double(sampleRate) else {
            throw fault(
                "lasts from \(tone.start.shortDescription) s for \(duration.shortDescription) s "
                    + "of \(seconds.shortDescription) s")
        }
        guard tone.fadeIn >= 0, tone.fadeOut >= 0, tone.fadeIn + tone.fadeOut <= duration * (1 + 1e-9) else {
            throw fault("its fades take longer than its \(duration.shortDescription) s")
        }
    }

    /// The harmonics of a wave below half the sample rate, at least 1.
    func harmonicCount(of wave: Tone.Wave) -> Int {
        guard wave.hasHarmonics, let hertz = wave.hertz else { return 1 }
        let ratio = Double(sampleRate) / (2 * hertz)
        return max(1, Int(min(ratio, 2 * Double(HarmonicTable.harmonicLimit)).rounded(.up)) - 1)
    }

    private func hasOnlyFundamental(_ wave: Tone.Wave) -> Bool {
        (2...max(2, min(harmonicCount(of: wave), 3))).allSatisfy {
            $0 > harmonicCount(of: wave) || wave.amplitude(ofHarmonic: $0) == 0
        }
    }
}

extension Double {
    /// `440 Hz`, `27.5 Hz`, with at most three decimals.
    fileprivate var inHertz: String { "\(DecimalNumber.text(rounded(places: 3))) Hz" }
    fileprivate var inDegrees: String { "\(DecimalNumber.text(rounded(places: 3)))°" }
}

extension MediaError.Step {
    public static let tone = MediaError.Step(rawValue: "tone")
}
