internal import WayreelCore

/// The difference from the line that fits the last samples best: the value, less its mean and its linear trend.
///
/// The line is that of least squares through the samples of the last seconds, taken at the newest of them. A sample that
/// is not later than the newest is compared with the same line, and has no weight.
struct Detrending: ComponentFilter {
    private var line: SlidingLine
    private var unwrapping: Unwrapping

    init(_ seconds: Double, _ cycle: Cycle?) {
        line = SlidingLine(seconds: seconds)
        unwrapping = Unwrapping(cycle)
    }

    mutating func next(_ value: Double, at time: SensorTime) -> Double? {
        let value = unwrapping.next(value)
        line.add(value, at: time)
        let rest = value - line.end
        if rest.isFinite { return rest }
        line.removeAll()
        return nil
    }
}

/// The slope of the line that fits the last samples best, in units a second.
///
/// It is 0 for the first sample. A sample that is not later than the newest gets the latest slope.
struct Derivative: ComponentFilter {
    private var line: SlidingLine
    private var unwrapping: Unwrapping

    /// `seconds`: those of the samples; 0: the slope from the sample before.
    init(_ seconds: Double, _ cycle: Cycle?) {
        line = SlidingLine(seconds: seconds)
        unwrapping = Unwrapping(cycle)
    }

    mutating func next(_ value: Double, at time: SensorTime) -> Double? {
        line.add(unwrapping.next(value), at: time)
        if line.slope.isFinite { return line.slope }
        line.removeAll()
        return nil
    }
}

/// Continues a value that wraps around after a period beyond it.
struct Unwrapping: Sendable {
    private let cycle: Cycle?
    private var latest: Double?

    /// `cycle`: nil for a value that does not wrap around.
    init(_ cycle: Cycle?) { self.cycle = cycle }

    mutating func next(_ value: Double) -> Double {
        guard let cycle else { return value }
        let next = latest.map { $0 + cycle.turn(from: $0, to: value) } ?? value
        latest = next
        return next
    }
}

/// The line of least squares through the samples of the last seconds, at least two of them.
private struct SlidingLine: Sendable {
    /// The slope in units a second; 0 for a single sample.
    private(set) var slope = 0.0
    /// The value of the line at the time of the newest sample.
    private(set) var end = 0.0

    private let seconds: Double
    /// The samples, in seconds since `origin` and as differences from `offset`.
    private var samples: [SIMD2<Double>] = []
    /// The index of the oldest sample of the window.
    private var first = 0
    private var origin = SensorTime(microseconds: 0)
    private var offset = 0.0
    private var newest: SensorTime?
    /// The sums of t and x, and those of t·t and t·x, of the samples of the window.
    private var sums = SIMD2(0.0, 0.0)
    private var products = SIMD2(0.0, 0.0)

    private static let mostSamples = 1 << 20

    init(seconds: Double) { self.seconds = seconds }

    mutating func removeAll() {
        samples.removeAll()
        (first, newest, slope, end) = (0, nil, 0, 0)
        (sums, products) = (.zero, .zero)
    }

    /// Adds a sample, unless it is not later than the newest.
    mutating func add(_ value: Double, at time: SensorTime) {
        if let newest, time <= newest { return }
        if newest == nil { (origin, offset) = (time, value) }
        newest = time
        let sample = SIMD2(time.seconds(since: origin), value - offset)
        samples.append(sample)
        (sums, products) = (sums + sample, products + sample * sample.x)
        // Half a microsecond, so that rounding errors do not decide about a sample at the beginning of the window.
        while samples.count - first > 2,
            samples[first].x < sample.x - seconds - 5e-7 || samples.count - first > Self.mostSamples
        {
            sums -= samples[first]
            products -= samples[first] * samples[first].x
            first += 1
        }
        // The sums are made anew from time to time, so that neither rounding errors nor times grow.
        if first > samples.count - first { rebase() }
        fit()
    }

    private mutating func rebase() {
        samples.removeFirst(first)
        first = 0
        let base = samples[0]
        // At most what no recording has, so that huge times do not overflow.
        origin.microseconds &+= Int64(min(base.x * 1e6, 9e18).rounded())
        offset += base.y
        (sums, products) = (.zero, .zero)
        for index in samples.indices {
            samples[index] -= base
            sums += samples[index]
            products += samples[index] * samples[index].x
        }
    }

    private mutating func fit() {
        let count = Double(samples.count - first)
        let mean = sums / count
        let newest = samples[samples.count - 1]
        if count == 2 {
            // Exact also for times that are far apart.
            let difference = newest - samples[first]
            slope = difference.y / difference.x
            end = newest.y + offset
        } else if count > 2 {
            let centred = products - sums * mean.x
            slope = centred.y / centred.x
            end = mean.y + slope * (newest.x - mean.x) + offset
        } else {
            end = newest.y + offset
        }
    }
}
