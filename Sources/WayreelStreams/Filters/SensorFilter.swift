internal import Glibc
public import WayreelCore

/// A filter of sensor samples: its name, target and arguments.
///
///     try SensorFilter(parsing: "heading:smooth=0.5s")
///     try SensorFilter(parsing: "position.accuracy:max=50")
///     try SensorFilter(parsing: "heading:gyro=rotation.z,interval=2s")
///
/// ``SensorFilterCatalog`` defines and checks names and arguments.
public struct SensorFilter: Hashable, Sendable {
    /// The streams or components that the filter is applied to.
    public var target: Target
    public var name: String
    /// The arguments by the keys of the filter's parameters; the first parameter has the name of the filter.
    public var arguments: [String: String]

    public init(_ target: Target, _ name: String, _ arguments: [String: String]) {
        self.target = target
        self.name = name
        self.arguments = arguments
    }

    /// Parses `TARGET:FILTER=VALUE,KEY=VALUE,…`; the target is a stream, a component or `stream.component`.
    ///
    /// Throws a `parameter` error if the text is not a filter.
    public init(parsing text: String) throws(MediaError) {
        let fault = ErrorSite(
            .parameter, step: .filter, subject: text,
            advice: "write it as in heading:smooth=0.5s or accuracy:max=50")
        guard let colon = text.firstIndex(of: ":") else { throw fault("has no ':' after the stream or component") }
        guard let target = Target(text[..<colon]) else {
            throw fault("'\(text[..<colon])' is neither a stream nor a component nor a stream.component")
        }
        var arguments: [String: String] = [:]
        var name: String?
        for part in text[text.index(after: colon)...].split(separator: ",", omittingEmptySubsequences: false) {
            let sides = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard sides.count == 2, !sides[0].isEmpty, !sides[1].isEmpty else {
                throw fault("'\(part)' is not a key with a value")
            }
            let key = String(sides[0])
            guard arguments[key] == nil else { throw fault("\(key) is given twice") }
            if name == nil { name = key }
            arguments[key] = String(sides[1])
        }
        self.init(target, name ?? "", arguments)
    }

    /// The components that a filter is applied to.
    public struct Target: Hashable, Sendable, CustomStringConvertible {
        private let first: String
        private let component: String?

        /// Parses a target: a stream, which means all of its components except `accuracy`; a component, in any
        /// stream; or `stream.component`.
        public init?(_ text: some StringProtocol) {
            let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.allSatisfy({ SensorSample.isName($0) }), let first = parts.first else { return nil }
            self.first = String(first)
            component = parts.count > 1 ? String(parts[1]) : nil
        }

        func includes(_ component: String, of stream: String) -> Bool {
            if let only = self.component { return stream == first && component == only }
            return component == first || stream == first && component != "accuracy"
        }

        func isIn(_ sample: SensorSample) -> Bool {
            sample.values.names.contains { includes($0, of: sample.stream) }
        }

        public var description: String { component.map { "\(first).\($0)" } ?? first }
    }
}

/// A validated list of filters, with their state.
///
///     var filters = try SensorFilterChain([SensorFilter(parsing: "heading:smooth=0.5s")])
///     if let smoothed = filters.apply(sample) { … }
public struct SensorFilterChain: Sendable {
    private var steps: [any SensorFilterStep]
    /// The filters whose target has not occurred in any sample so far.
    public private(set) var idle: [SensorFilter]

    /// Throws a `parameter` error for an unknown filter or an invalid argument.
    public init(_ filters: [SensorFilter] = []) throws(MediaError) {
        var steps: [any SensorFilterStep] = []
        for filter in filters {
            let descriptor = try SensorFilterCatalog.requireDescriptor(named: filter.name)
            steps.append(try descriptor.step(filter.target, SensorFilterValues(filter, descriptor)))
        }
        self.steps = steps
        idle = filters
    }

    /// Applies all filters in order. Returns nil if a filter drops the sample, or if a value is not finite.
    public mutating func apply(_ sample: SensorSample) -> SensorSample? {
        if !idle.isEmpty {
            idle.removeAll { $0.target.isIn(sample) }
        }
        guard sample.values.areFinite else { return nil }
        var sample = sample
        for index in steps.indices {
            guard steps[index].apply(&sample) else { return nil }
        }
        return sample
    }
}

/// A running filter.
protocol SensorFilterStep: Sendable {
    /// Changes the sample; returns false to drop it.
    mutating func apply(_ sample: inout SensorSample) -> Bool
}

/// A filter for the values of one component of one stream.
protocol ComponentFilter: Sendable {
    /// Returns the filtered value, or nil to drop the sample.
    mutating func next(_ value: Double, at time: SensorTime) -> Double?
}

/// Runs a separate filter for each component.
struct EachComponent: SensorFilterStep {
    let target: SensorFilter.Target
    /// Creates the filter of a component, given its name.
    let make: @Sendable (String) -> any ComponentFilter
    private var filters: [Key: any ComponentFilter] = [:]

    private struct Key: Hashable {
        var stream: String
        var component: String
    }

    init(_ target: SensorFilter.Target, _ make: @escaping @Sendable (String) -> any ComponentFilter) {
        self.target = target
        self.make = make
    }

    mutating func apply(_ sample: inout SensorSample) -> Bool {
        for name in sample.values.names where target.includes(name, of: sample.stream) {
            guard let value = sample.values[name] else { continue }
            let key = Key(stream: sample.stream, component: name)
            var filter = filters[key] ?? make(name)
            let next = filter.next(value, at: sample.time)
            filters[key] = filter
            guard let next else { return false }
            sample.values[name] = next
        }
        return true
    }
}

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
