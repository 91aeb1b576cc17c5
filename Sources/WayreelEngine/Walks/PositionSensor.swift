internal import Glibc
internal import WayreelCore
internal import WayreelStory

/// The accuracy of position measurements on a synthetic walk.
public struct SensorOptions: Hashable, Sendable, Codable {
    /// The radius in metres that contains 95 % of the fixes, which is also the accuracy that they report. 0 is exact.
    public var noise: Double
    /// The share of fixes that are outliers, 0 ... 1.
    public var outliers: Double
    /// The duration of signal losses in seconds, which occur once in five minutes of walking on average. 0 is never.
    public var dropouts: Double
    /// The seed; the same seed gives the same walk.
    public var seed: UInt64

    public init(noise: Double = 0, outliers: Double = 0, dropouts: Double = 0, seed: UInt64 = 1) {
        self.noise = noise
        self.outliers = outliers
        self.dropouts = dropouts
        self.seed = seed
    }
}

/// Simulates position measurements of a phone in a town.
///
/// The east and north errors are first-order Gauss–Markov processes: after Δt seconds the error is e^(−Δt/τ) of its
/// previous value, plus a normal random number of the variance σ²·(1 − e^(−2Δt/τ)). So the error drifts instead of
/// jumping, like the errors of satellites and reflections.
struct PositionSensor {
    /// τ: the time in seconds after which an error has decayed to 1/e.
    private static let correlationTime = 30.0
    /// The radius that contains 95 % of a two-dimensional normal distribution, in standard deviations: √(−2·ln 0.05).
    private static let radiusOf95 = 2.4477468306808166
    private static let secondsBetweenDropouts = 300.0
    /// The distance in metres of an outlier, and of the first fix, which is often an old one or that of a radio mast.
    private static let outlierDistance = 50.0..<300.0
    private static let firstFixDistance = 300.0..<1000.0

    private let options: SensorOptions
    private let interval: Double
    private var random: SeededGenerator
    private var error = (east: 0.0, north: 0.0)
    private var lostUntil = -1.0
    private var time = 0.0
    private var isFirst = true

    init(_ options: SensorOptions, interval: Double) {
        self.options = options
        self.interval = interval
        random = SeededGenerator(seed: options.seed)
        if options.noise > 0 { error = (random.normal() * sigma, random.normal() * sigma) }
    }

    private var sigma: Double { options.noise / Self.radiusOf95 }

    /// Measures a position one interval after the previous one. Returns nil if there is no signal.
    mutating func measure(_ position: GeoPoint) -> (position: GeoPoint, accuracy: Double?)? {
        defer {
            time += interval
            isFirst = false
        }
        advanceError()
        if losesSignal() { return nil }
        guard options.noise > 0 || options.outliers > 0 else { return (position, nil) }
        var measured = position.moved(
            by: (error.east * error.east + error.north * error.north).squareRoot(),
            bearing: atan2(error.east, error.north) * 180 / .pi)
        let jumps = random.uniform() < options.outliers
        if jumps || isFirst && options.noise > 0 {
            let distance = random.uniform(in: isFirst ? Self.firstFixDistance : Self.outlierDistance)
            measured = measured.moved(by: distance, bearing: random.uniform(in: 0..<360))
        }
        guard options.noise > 0 else { return (measured, nil) }
        let accuracy = options.noise * random.uniform(in: 0.8..<1.2)
        return (measured, max(0.1, accuracy.rounded(toMultipleOf: 0.1)))
    }

    private mutating func advanceError() {
        guard options.noise > 0, !isFirst else { return }
        let kept = exp(-interval / Self.correlationTime)
        let added = sigma * (1 - kept * kept).squareRoot()
        error.east = error.east * kept + random.normal() * added
        error.north = error.north * kept + random.normal() * added
    }

    private mutating func losesSignal() -> Bool {
        guard options.dropouts > 0 else { return false }
        if time < lostUntil { return true }
        guard random.uniform() < interval / Self.secondsBetweenDropouts, !isFirst else { return false }
        lostUntil = time + options.dropouts
        return true
    }
}

extension SeededGenerator {
    /// Returns a number that is at least 0 and below 1.
    mutating func uniform() -> Double { Double(next() >> 11) * 0x1p-53 }

    mutating func uniform(in range: Range<Double>) -> Double {
        range.lowerBound + uniform() * (range.upperBound - range.lowerBound)
    }

    /// Returns a number with approximately the standard normal distribution, within -6 ... 6: a sum of twelve uniform
    /// numbers, which avoids functions that machines round differently.
    mutating func normal() -> Double { (0..<12).reduce(-6) { sum, _ in sum + uniform() } }
}
