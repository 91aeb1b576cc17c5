internal import Glibc

/// The ballistics of a meter, which determine how it follows the audio.
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
    /// Sample peak with a fall of 20 dB in 1.7 seconds.
    case digital

    /// Properties of the meter.
    public var definition: MeterDefinition { MeterDefinition.all.first { $0.ballistics == self }! }
}

/// A meter: its detector, its ballistics and its peak hold.
public struct MeterDefinition: Sendable {
    /// A fall rate: decibels in seconds.
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

    /// The way in which the meter state follows the sample magnitude.
    enum Movement: Sendable {
        /// Follows immediately.
        case instant
        /// √2 times the root of an exponentially averaged mean square with this time constant in seconds, so that a
        /// sine reads its peak; limited to the peak hold.
        case power(seconds: Double)
        /// The mean of two detectors that charge with these time constants in seconds while the magnitude exceeds them.
        /// The gain normalises a steady tone to its peak.
        case quasiPeak(seconds: (Double, Double), gain: Double)
        /// A damped oscillator with the natural frequency in radians per second and the damping ratio. The gain applies
        /// to the displayed mean magnitude.
        case swing(frequency: Double, damping: Double, gain: Double)
    }

    public let ballistics: MeterBallistics
    /// The displayed quantity.
    public let summary: String
    /// The rise behaviour.
    public let rise: String
    /// The fall rate; nil if the meter falls as it rises.
    public let fall: Fall?
    /// Peak hold time in seconds.
    public let holdSeconds: Double
    public let holdFall: Fall
    /// Source of the ballistics.
    public let source: String
    let movement: Movement

    /// All meters, in the order of ``MeterBallistics``.
    public static let all: [MeterDefinition] = [
        MeterDefinition(
            ballistics: .peak, summary: "the largest magnitude of the bucket", rise: "instantly", fall: nil,
            holdSeconds: 1.5, holdFall: Fall(decibels: 20, seconds: 1), source: "none: no ballistics",
            movement: .instant),
        MeterDefinition(
            ballistics: .apple,
            summary: "average power in the style of AVAudioPlayer, with its peak power as the held peak",
            rise: "instantly", fall: Fall(decibels: 60, seconds: 1.24),
            holdSeconds: 0.9, holdFall: Fall(decibels: 60, seconds: 2.5),
            source: "Apple's PowerMeter sample; AVAudioPlayer's own ballistics are not documented",
            // A weight of 1/32 per sample at 44.1 kHz.
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
            rise: "99 % in 0.3 s, 1.25 % overshoot", fall: nil,
            holdSeconds: 1.5, holdFall: Fall(decibels: 20, seconds: 1), source: "IEC 60268-17",
            // From the two figures: damping = -ln 0.0125 / √(π² + ln² 0.0125); the step response reaches 0.99 at 0.3 s.
            movement: .swing(frequency: 13.5119, damping: 0.812717, gain: .pi / 8.squareRoot())),
        MeterDefinition(
            ballistics: .digital, summary: "sample peak", rise: "instantly", fall: Fall(decibels: 20, seconds: 1.7),
            holdSeconds: 1.5, holdFall: Fall(decibels: 20, seconds: 1.7),
            // pcmPi also says 1.7 s ± 0.3 s, and 1 s ± 0.5 s for the hold.
            source: "Traverso's VUMeterLevel.cpp and pcmPi's pcmPi.c, which cite IEC 60268-18; that was not read",
            movement: .instant),
    ]
}

extension MeterDefinition.Fall {
    /// Remaining fraction of an amplitude after one sample.
    func factor(sampleRate: Double) -> Double { pow(10, -decibels / 20 / (seconds * sampleRate)) }
}
