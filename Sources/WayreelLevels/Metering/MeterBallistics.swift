internal import Glibc

/// How a meter follows the sound.
public enum MeterBallistics: String, Hashable, Sendable, Codable, CaseIterable {
    /// The largest magnitude of the bucket.
    case peak
    /// In the style of AVAudioPlayer's metering.
    case apple
    /// IEC 60268-10 type I.
    case ppm1
    /// IEC 60268-10 type IIa.
    case ppm2
    /// IEC 60268-17.
    case vu
    /// Sample peak with a return of 20 dB a second.
    case digital

    /// What is known of the meter.
    public var definition: MeterDefinition { MeterDefinition.all.first { $0.ballistics == self }! }
}

/// A meter: what it shows, how its needle moves, how long it holds a peak.
public struct MeterDefinition: Sendable {
    /// A fall at so many decibels in so many seconds.
    public struct Fall: Hashable, Sendable, CustomStringConvertible {
        public let decibels: Double
        public let seconds: Double

        public var description: String {
            "\(Self.short(decibels)) dB in \(Self.short(seconds)) s"
        }

        private static func short(_ value: Double) -> String {
            value == value.rounded() ? "\(Int(value))" : "\(value)"
        }
    }

    /// How the needle follows the magnitude of the samples.
    enum Movement: Sendable {
        /// It is there at once.
        case instant
        /// It is at once at √2 times the root of a mean square that runs with this time constant, in seconds; a sine
        /// reads its peak. It is never above the held peak, which is that of the samples.
        case power(seconds: Double)
        /// The mean of two detectors that charge with these time constants, in seconds, while the magnitude is above
        /// them. The gain makes up for what they are below a steady tone's peak.
        case quasiPeak(seconds: (Double, Double), gain: Double)
        /// A mass on a spring, with the natural frequency in radians per second and the damping ratio. The gain is
        /// that of what the mean magnitude is shown as.
        case swing(frequency: Double, damping: Double, gain: Double)
    }

    public let ballistics: MeterBallistics
    /// What the meter shows.
    public let summary: String
    /// How its needle rises.
    public let rise: String
    /// How it falls; nil where it falls as it rises.
    public let fall: Fall?
    /// How long a peak is held, in seconds, before the mark of it falls.
    public let holdSeconds: Double
    public let holdFall: Fall
    /// Where the ballistics are from.
    public let source: String
    let movement: Movement

    /// Every meter, in the order of ``MeterBallistics``.
    public static let all: [MeterDefinition] = [
        MeterDefinition(
            ballistics: .peak, summary: "the largest magnitude of the bucket", rise: "at once", fall: nil,
            holdSeconds: 1.5, holdFall: Fall(decibels: 20, seconds: 1), source: "none: no ballistics",
            movement: .instant),
        MeterDefinition(
            ballistics: .apple,
            summary: "average power in the style of AVAudioPlayer, with its peak power as the held peak",
            rise: "at once", fall: Fall(decibels: 60, seconds: 1.24),
            holdSeconds: 0.9, holdFall: Fall(decibels: 60, seconds: 2.5),
            source: "Apple's PowerMeter sample; AVAudioPlayer's own ballistics are not documented",
            // A share of 1/32 a sample at 44.1 kHz.
            movement: .power(seconds: 32 / 44_100)),
        MeterDefinition(
            ballistics: .ppm1, summary: "quasi-peak of DIN and Nordic broadcasters",
            rise: "a burst of 5 ms reads -2 dB, of 10 ms -1 dB", fall: Fall(decibels: 20, seconds: 1.7),
            holdSeconds: 1.5, holdFall: Fall(decibels: 20, seconds: 1.7), source: "IEC 60268-10 type I",
            // Fitted to the standard's table of bursts.
            movement: .quasiPeak(seconds: (0.831e-3, 2.405e-3), gain: 1.0208)),
        MeterDefinition(
            ballistics: .ppm2, summary: "quasi-peak of the BBC and the EBU",
            rise: "a burst of 10 ms reads -2.5 dB, of 5 ms -4 dB", fall: Fall(decibels: 24, seconds: 2.8),
            holdSeconds: 1.5, holdFall: Fall(decibels: 24, seconds: 2.8), source: "IEC 60268-10 type IIa",
            movement: .quasiPeak(seconds: (0.991e-3, 6.493e-3), gain: 1.0276)),
        MeterDefinition(
            ballistics: .vu, summary: "mean magnitude, scaled so that a sine reads its RMS",
            rise: "99 % in 0.3 s, 1.25 % too far", fall: nil,
            holdSeconds: 1.5, holdFall: Fall(decibels: 20, seconds: 1), source: "IEC 60268-17",
            // From the two figures: damping = -ln 0.0125 / √(π² + ln² 0.0125); the step response reaches 0.99 at 0.3 s.
            movement: .swing(frequency: 13.5119, damping: 0.812717, gain: .pi / 8.squareRoot())),
        MeterDefinition(
            ballistics: .digital, summary: "sample peak", rise: "at once", fall: Fall(decibels: 20, seconds: 1),
            holdSeconds: 1.5, holdFall: Fall(decibels: 20, seconds: 1), source: "IEC 60268-18",
            movement: .instant),
    ]
}

extension MeterDefinition.Fall {
    /// What is left of an amplitude after one sample.
    func factor(sampleRate: Double) -> Double { pow(10, -decibels / 20 / (seconds * sampleRate)) }
}
