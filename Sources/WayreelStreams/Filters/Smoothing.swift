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

    /// The unit vector in the direction of a value.
    func vector(_ value: Double) -> SIMD2<Double> {
        let angle = value * (2 * Double.pi / period)
        return SIMD2(cos(angle), sin(angle))
    }

    /// Returns the circular mean, the direction of the sum of unit vectors, or `fallback` if they cancel out.
    func mean(_ vectors: some Sequence<SIMD2<Double>>, otherwise fallback: Double) -> Double {
        let sum = vectors.reduce(into: SIMD2(0.0, 0.0)) { $0 += $1 }
        return (sum * sum).sum() < 1e-18
            ? wrapped(fallback) : wrapped(atan2(sum.y, sum.x) / (2 * Double.pi / period))
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
struct MovingWindow<Value: Sendable>: Sendable {
    private let count: Int
    private(set) var values: [Value] = []
    private var oldest = 0

    init(_ count: Int) { self.count = count }

    /// Returns the value that is no longer one of the last.
    @discardableResult
    mutating func add(_ value: Value) -> Value? {
        guard values.count == count else {
            values.append(value)
            return nil
        }
        let last = values[oldest]
        values[oldest] = value
        oldest = (oldest + 1) % count
        return last
    }
}

struct MovingMean: ComponentFilter {
    private let cycle: Cycle?
    private var values: MovingWindow<Double>
    private var vectors: MovingWindow<SIMD2<Double>>

    init(_ count: Int, _ cycle: Cycle?) {
        (self.cycle, values, vectors) = (cycle, MovingWindow(count), MovingWindow(count))
    }

    mutating func next(_ value: Double, at time: SensorTime) -> Double? {
        guard let cycle else {
            values.add(value)
            return values.values.reduce(0) { $0 + $1 / Double(values.values.count) }
        }
        vectors.add(cycle.vector(value))
        return cycle.mean(vectors.values, otherwise: value)
    }
}

/// Keeps its window in order, so that a sample is no more than two searches and a move of memory; of angles also a sum.
struct MovingMedian: ComponentFilter {
    private let cycle: Cycle?
    private var values: MovingWindow<Double>
    private var vectors: MovingWindow<SIMD2<Double>>
    /// The values of the window in ascending order. Angles are within their period, also in the window.
    private var sorted: [Double] = []

    init(_ count: Int, _ cycle: Cycle?) {
        (self.cycle, values, vectors) = (cycle, MovingWindow(count), MovingWindow(count))
    }

    mutating func next(_ value: Double, at time: SensorTime) -> Double? {
        let new = cycle?.wrapped(value) ?? value
        if let oldest = values.add(new) { sorted.remove(at: place(of: oldest)) }
        sorted.insert(new, at: place(of: new))
        guard let cycle else { return median(from: 0) { $0 } }
        vectors.add(cycle.vector(value))
        let mean = cycle.mean(vectors.values, otherwise: value)
        let turn = { (value: Double) in cycle.turn(from: mean, to: value) }
        // Turns ascend with the values, but for one place at which they fall by a period.
        let first = turn(sorted[0])
        let least = sorted.partitionPoint { turn($0) < first }
        return cycle.wrapped(mean + median(from: least, turn))
    }

    /// The index of the first value that does not come before `value`. What is not a number comes last.
    private func place(of value: Double) -> Int {
        sorted.partitionPoint { !($0 < value || value.isNaN && !$0.isNaN) }
    }

    /// The median of what `value` makes of the values, of which the one at `least` is the least, and that before it the
    /// greatest.
    private func median(from least: Int, _ value: (Double) -> Double) -> Double {
        let (middle, isOdd) = sorted.count.quotientAndRemainder(dividingBy: 2)
        let upper = value(sorted[(least + middle) % sorted.count])
        return isOdd == 1 ? upper : value(sorted[(least + middle - 1) % sorted.count]) / 2 + upper / 2
    }
}

extension [Double] {
    /// The index of the first element for which `isAfter` is true, as it is for all further ones; the count if for none.
    fileprivate func partitionPoint(_ isAfter: (Double) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if isAfter(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
