internal import Glibc

/// One test signal: a wave with a level, on some channels, for some of the time. The signals of a ``ToneMix`` add up.
///
/// φ is the phase in cycles: frequency × time since ``start``, plus ``phase`` / 360. The ideal waves have the amplitude 1;
/// their harmonics end below half the sample rate.
public struct Tone: Hashable, Sendable {
    public enum Wave: Hashable, Sendable {
        /// sin 2πφ.
        case sine(hertz: Double)
        /// 1 in the first half of a cycle, −1 in the second: 4/π · Σ sin(2πkφ)/k over odd k.
        case square(hertz: Double)
        /// Rises from 0, falls from 1 to −1 in the middle of a cycle: 2/π · Σ (−1)ᵏ⁺¹ sin(2πkφ)/k.
        case sawtooth(hertz: Double)
        /// 0, 1, 0, −1, 0 in a cycle: 8/π² · Σ (−1)⁽ᵏ⁻¹⁾ᐟ² sin(2πkφ)/k² over odd k.
        case triangle(hertz: Double)
        /// A sine whose frequency changes exponentially with time, by the same interval each second:
        /// φ(t) = f₁T/ln(f₂/f₁) · ((f₂/f₁)^(t/T) − 1), with T as long as the signal.
        case sweep(from: Double, to: Double)
        /// Independent samples of a uniform distribution: the same power in each hertz.
        case whiteNoise
        /// White noise through a filter of −3.01 dB an octave: the same power in each octave.
        case pinkNoise
        /// One sample at the start.
        case impulse
        /// One sample at the start, and one at the sample nearest to each further 1/`perSecond` seconds.
        case clicks(perSecond: Double)
        case silence
    }

    /// A level in decibels.
    public enum Level: Hashable, Sendable {
        /// Of the RMS, relative to that of a sine whose peak is full scale (AES17): a sine at 0 dBFS has its peak at full
        /// scale, a square wave 3.01 dB below it. Impulses and clicks, which have no steady RMS, take it as `peak`.
        case rms(Double)
        /// Of the ideal wave's amplitude, relative to full scale. Band-limited squares and sawtooths overshoot it.
        case peak(Double)
    }

    public var wave: Wave
    public var level: Level
    /// In degrees, at ``start``. Noise, impulses and clicks have none.
    public var phase: Double
    /// Channels that it is added to, counted from 1; all if empty.
    public var channels: [Int]
    /// Seconds from the start of the mixture.
    public var start: Double
    /// In seconds; nil for up to the end of the mixture.
    public var duration: Double?
    /// Seconds in which it fades in and out, by a half cosine.
    public var fadeIn: Double
    public var fadeOut: Double
    /// Of noise; nil for one by its place in the mixture, so that two noises differ.
    public var seed: UInt64?

    public init(
        _ wave: Wave, level: Level = .rms(-20), phase: Double = 0, channels: [Int] = [], start: Double = 0,
        duration: Double? = nil, fadeIn: Double = 0, fadeOut: Double = 0, seed: UInt64? = nil
    ) {
        self.wave = wave
        self.level = level
        self.phase = phase
        self.channels = channels
        self.start = start
        self.duration = duration
        self.fadeIn = fadeIn
        self.fadeOut = fadeOut
        self.seed = seed
    }
}

extension Tone.Wave {
    /// The frequency of the fundamental in hertz, of a sweep the lowest; nil for waves without a period.
    package var hertz: Double? {
        switch self {
        case .sine(let hertz), .square(let hertz), .sawtooth(let hertz), .triangle(let hertz): hertz
        case .sweep(let from, let to): min(from, to)
        case .clicks(let rate): rate
        case .whiteNoise, .pinkNoise, .impulse, .silence: nil
        }
    }

    /// Whether it has a value at every moment, not only at samples.
    package var isContinuous: Bool {
        switch self {
        case .sine, .square, .sawtooth, .triangle, .sweep, .silence: true
        case .whiteNoise, .pinkNoise, .impulse, .clicks: false
        }
    }

    /// Whether an ideal one has harmonics.
    var hasHarmonics: Bool {
        switch self {
        case .square, .sawtooth, .triangle: true
        default: false
        }
    }

    /// The amplitude of harmonic `k` of the ideal wave with the amplitude 1, as the factor of sin 2πkφ.
    func amplitude(ofHarmonic k: Int) -> Double {
        let order = Double(k)
        switch self {
        case .sine: return k == 1 ? 1 : 0
        case .square: return k % 2 == 1 ? 4 / (.pi * order) : 0
        case .sawtooth: return (k % 2 == 1 ? 2 : -2) / (.pi * order)
        case .triangle: return k % 2 == 1 ? (k % 4 == 1 ? 8 : -8) / (.pi * .pi * order * order) : 0
        default: return 0
        }
    }

    /// The value of the ideal wave at a phase in units of 2⁻⁶⁴ cycles, without a limit of its band.
    func idealValue(at phase: UInt64) -> Double {
        // A jump belongs to what follows it, also where rounding has put the phase just before it.
        let signed = Double(Int64(bitPattern: phase &+ (1 << 24))) * 0x1p-63
        switch self {
        case .square: return signed < 0 ? -1 : 1
        case .sawtooth: return signed
        case .triangle: return signed.magnitude <= 0.5 ? 2 * signed : (signed < 0 ? -2 : 2) - 2 * signed
        default: return 0
        }
    }
}

extension Tone.Level {
    /// As a factor: 20 · log₁₀ of it are the decibels.
    var factor: Double {
        switch self {
        case .rms(let decibels), .peak(let decibels): pow(10, decibels / 20)
        }
    }

    var decibels: Double {
        switch self {
        case .rms(let decibels), .peak(let decibels): decibels
        }
    }
}
