internal import Glibc

/// The range of a component that wraps around after a period, such as an angle.
struct Cycle: Sendable {
    let period: Double
    let lowest: Double

    static let degrees = Cycle(period: 360, lowest: 0)

    private static let compass: Set<String> = ["degrees", "heading", "course", "bearing", "azimuth", "yaw"]

    private init(period: Double, lowest: Double) {
        self.period = period
        self.lowest = lowest
    }

    /// Creates the cycle of a component, or nil for one that does not wrap around. `period`: 0 for that of a known
    /// component, by its name.
    init?(of component: String, period: Double) {
        if period > 0 {
            (self.period, lowest) = (period, 0)
        } else if Self.compass.contains(component) {
            (self.period, lowest) = (360, 0)
        } else if component == "longitude" {
            (self.period, lowest) = (360, -180)
        } else {
            return nil
        }
    }

    /// The period of a channel in a picture: that of its unit if that is one of angles, or of a known component without a unit;
    /// nil for others. The page knows the same ones (chart-channels.js).
    static func period(of component: String, unit: String?) -> Double? {
        switch unit ?? "" {
        case "": Cycle(of: component, period: 0)?.period
        case "°", "deg": 360
        case "rad": 2 * .pi
        default: nil
        }
    }

    /// The filters whose results are differences of angles, which do not begin again.
    static let differences: Set<String> = ["highpass", "bandpass", "detrend", "derivative"]

    /// Returns the value wrapped to `lowest ..< lowest + period`.
    func wrapped(_ value: Double) -> Double {
        let rest = (value - lowest).truncatingRemainder(dividingBy: period)
        let offset = rest < 0 ? rest + period : rest
        // A tiny negative number rounds up to the period.
        return lowest + (offset == period ? 0 : offset)
    }

    /// Returns the signed difference along the shorter direction from one value to another.
    func turn(from a: Double, to b: Double) -> Double {
        let turn = (b - a).truncatingRemainder(dividingBy: period)
        return turn >= period / 2 ? turn - period : turn < -period / 2 ? turn + period : turn
    }

    /// Returns the circular mean, the direction of the sum of unit vectors, or `fallback` if they cancel out.
    func mean(_ values: some Sequence<Double>, otherwise fallback: Double) -> Double {
        let scale = 2 * Double.pi / period
        let sum = values.reduce(into: SIMD2(0.0, 0.0)) { $0 += SIMD2(cos($1 * scale), sin($1 * scale)) }
        return (sum * sum).sum() < 1e-18 ? wrapped(fallback) : wrapped(atan2(sum.y, sum.x) / scale)
    }
}

/// A first-order low-pass filter for samples at irregular times. It is exact for a value that is constant from the
/// last sample to this one.
///
/// A sample that is not later than the last one has no weight.
struct ExponentialSmoothing: ComponentFilter {
    private let seconds: Double
    private let cycle: Cycle?
    private var last: (time: SensorTime, value: Double)?

    /// `seconds`: the time constant.
    init(_ seconds: Double, _ cycle: Cycle?) {
        self.seconds = seconds
        self.cycle = cycle
    }

    mutating func next(_ value: Double, at time: SensorTime) -> Double? {
        guard let (lastTime, lastValue) = last else {
            let first = cycle?.wrapped(value) ?? value
            last = (time, first)
            return first
        }
        guard time > lastTime else { return lastValue }
        let weight = -expm1(-time.seconds(since: lastTime) / seconds)
        let step = cycle?.turn(from: lastValue, to: value) ?? value - lastValue
        let next = lastValue + weight * step
        let smoothed = cycle?.wrapped(next) ?? next
        last = (time, smoothed)
        return smoothed
    }
}

/// Drops values outside of a range.
struct Limit: ComponentFilter {
    let range: ClosedRange<Double>

    func next(_ value: Double, at time: SensorTime) -> Double? { range.contains(value) ? value : nil }
}

/// Limits values to a range.
struct Clamp: ComponentFilter {
    let range: ClosedRange<Double>

    func next(_ value: Double, at time: SensorTime) -> Double? {
        min(max(value, range.lowerBound), range.upperBound)
    }
}

/// The last `count` values, in no particular order.
struct MovingWindow: Sendable {
    private let count: Int
    private(set) var values: [Double] = []
    private var oldest = 0

    init(_ count: Int) { self.count = count }

    mutating func add(_ value: Double) {
        if values.count < count {
            values.append(value)
        } else {
            values[oldest] = value
            oldest = (oldest + 1) % count
        }
    }
}

struct MovingMean: ComponentFilter {
    var window: MovingWindow
    let cycle: Cycle?

    mutating func next(_ value: Double, at time: SensorTime) -> Double? {
        window.add(value)
        guard let cycle else { return window.values.reduce(0) { $0 + $1 / Double(window.values.count) } }
        return cycle.mean(window.values, otherwise: value)
    }
}

struct MovingMedian: ComponentFilter {
    var window: MovingWindow
    let cycle: Cycle?

    mutating func next(_ value: Double, at time: SensorTime) -> Double? {
        window.add(value)
        guard let cycle else { return Self.median(window.values) }
        let mean = cycle.mean(window.values, otherwise: value)
        return cycle.wrapped(mean + Self.median(window.values.map { cycle.turn(from: mean, to: $0) }))
    }

    private static func median(_ values: [Double]) -> Double {
        let sorted = values.sorted()
        let (middle, isOdd) = sorted.count.quotientAndRemainder(dividingBy: 2)
        return isOdd == 1 ? sorted[middle] : sorted[middle - 1] / 2 + sorted[middle] / 2
    }
}
