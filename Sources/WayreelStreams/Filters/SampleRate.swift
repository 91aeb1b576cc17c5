internal import WayreelCore

/// Measures the interval of samples by their times, which may be irregular.
///
/// The interval is the mean of those that differ from their median by less than half of it: gaps and lost samples do not
/// count, and times that are rounded to milliseconds do no harm. A sample that is not later than the latest before it is
/// ignored.
struct SampleInterval: Sendable {
    /// The intervals that are enough, and those that are enough after a second.
    static let (enough, least) = (32, 4)

    private var intervals: [Int64] = []
    private var latest: SensorTime?
    private var microseconds: Int64 = 0

    /// Adds a sample. Returns whether enough is known: 32 intervals, or at least 4 in a second or more.
    mutating func add(_ time: SensorTime) -> Bool {
        guard let before = latest else {
            latest = time
            return false
        }
        let interval = before.microseconds(until: time)
        guard interval > 0 else { return false }
        latest = time
        intervals.append(interval)
        microseconds = microseconds.addingReportingOverflow(interval).partialValue
        return intervals.count >= Self.enough || intervals.count >= Self.least && microseconds >= 1_000_000
    }

    /// The interval in microseconds; nil before there are two times.
    var interval: Double? { intervals.isEmpty ? nil : Self.typical(intervals) }

    /// Returns the mean of the intervals that differ from their median by less than half of it.
    static func typical(_ intervals: [Int64]) -> Double {
        let median = intervals.sorted()[intervals.count / 2]
        let near = intervals.filter { $0 > median / 2 && $0 - median / 2 <= median }
        return near.reduce(0) { $0 + Double($1) / Double(near.count) }
    }
}

/// A filter whose coefficients depend on the rate of its samples.
protocol RatedFilter: Sendable {
    /// Begins anew, in the state in which a constant value leaves the filter.
    mutating func start(_ value: Double)
    mutating func next(_ value: Double) -> Double
}

/// A filter of samples at a constant rate, for times as sensors give them.
///
/// - After more than 8 intervals without a sample, the filter begins anew.
/// - A sample that is not later than the latest before it has no weight: it gets the latest result.
/// - If 32 intervals in a row show a rate that differs by more than 5 %, the filter is made and begun anew for that rate,
///   unless it cannot be made for it.
struct Rated<Filter: RatedFilter>: ComponentFilter {
    typealias Make = @Sendable (_ rate: Double) throws(MediaError) -> Filter

    private var filter: Filter
    /// In microseconds.
    private var interval: Double
    /// Makes the filter for another rate; nil if the rate was given.
    private let make: Make?
    private let wrapping: Wrapping
    /// The latest sample; the value is one that does not wrap around.
    private var latest: (time: SensorTime, value: Double, result: Double)?
    /// The latest intervals in microseconds.
    private var recent: [Int64] = []

    private static var longestGap: Double { 8 }

    /// `rate`: in samples a second.
    init(rate: Double, isMeasured: Bool, _ wrapping: Wrapping, _ make: @escaping Make) throws(MediaError) {
        filter = try make(rate)
        interval = 1e6 / rate
        self.make = isMeasured ? make : nil
        self.wrapping = wrapping
    }

    mutating func next(_ value: Double, at time: SensorTime) -> Double? {
        var value = value
        var begins = true
        if let latest {
            let since = latest.time.microseconds(until: time)
            guard since > 0 else { return latest.result }
            if let cycle = wrapping.cycle { value = latest.value + cycle.turn(from: latest.value, to: value) }
            begins = isMadeAnew(after: since) || Double(since) > Self.longestGap * interval
        }
        if begins { filter.start(value) }
        var result = filter.next(value)
        guard result.isFinite else {
            // Huge values leave a state that is of no use.
            latest = nil
            return nil
        }
        if case .value(let cycle) = wrapping { result = cycle.wrapped(result) }
        latest = (time, value, result)
        return result
    }

    /// Makes the filter for another rate if the intervals show one.
    private mutating func isMadeAnew(after since: Int64) -> Bool {
        guard let make else { return false }
        recent.append(since)
        guard recent.count == SampleInterval.enough else { return false }
        defer { recent.removeAll(keepingCapacity: true) }
        // The mean is quick; gaps change it, but not the typical interval.
        let mean = recent.reduce(0) { $0 + Double($1) } / Double(recent.count)
        guard abs(mean / interval - 1) > 0.05 else { return false }
        let typical = SampleInterval.typical(recent)
        guard abs(typical / interval - 1) > 0.05, let other = try? make(1e6 / typical) else { return false }
        (filter, interval) = (other, typical)
        return true
    }
}

/// What a filter makes of a component that wraps around, such as an angle.
enum Wrapping: Sendable {
    case none
    /// A value that wraps around as well.
    case value(Cycle)
    /// A difference of values, which may be negative or larger than the period.
    case difference(Cycle)

    var cycle: Cycle? {
        switch self {
        case .none: nil
        case .value(let cycle), .difference(let cycle): cycle
        }
    }
}

/// Runs a separate filter for each component, for the rate of its stream.
///
/// If the rate is not given, the first samples of a stream are held back until it is known.
struct AtRate<Filter: RatedFilter>: SensorFilterStep {
    typealias Make = @Sendable (_ rate: Double) throws(MediaError) -> Filter

    private let target: SensorFilter.Target
    private let rate: Double
    private let nominalRate: Double
    private let wrapping: @Sendable (String) -> Wrapping
    private let make: Make
    private var filters: ComponentStates<Rated<Filter>>
    /// The streams whose rate is not known yet.
    private var beginnings: [String: Beginning] = [:]
    /// The measured rates of streams.
    private var rates: [String: Double] = [:]

    private struct Beginning: Sendable {
        var interval = SampleInterval()
        var held: [SensorSample] = []
    }

    /// The most samples that are held back, for times that stand still.
    private static var mostHeld: Int { 256 }

    /// - Parameters:
    ///   - rate: In samples a second; 0: as measured.
    ///   - nominalRate: A rate for which the filter can be made, for times that show none.
    ///   - wrapping: Returns that of a component.
    ///   - make: Creates the filter for a rate. Throws an error if it cannot be made for that.
    /// - Throws: The error of `make` for a given rate.
    init(
        _ target: SensorFilter.Target, rate: Double, nominalRate: Double,
        _ wrapping: @escaping @Sendable (String) -> Wrapping, _ make: @escaping Make
    ) throws(MediaError) {
        self.target = target
        self.rate = rate
        self.nominalRate = nominalRate
        self.wrapping = wrapping
        self.make = make
        filters = ComponentStates(target)
        if rate > 0 { _ = try make(rate) }
    }

    mutating func apply(
        _ sample: inout SensorSample, _ others: inout [SensorSample]
    ) throws(MediaError) -> SensorFilterOutcome {
        if let places = filters.known(sample) { return run(&sample, places) }
        guard target.isIn(sample), rate == 0, rates[sample.stream] == nil else { return try begin(&sample) }
        let isKnown = beginnings[sample.stream, default: Beginning()].interval.add(sample.time)
        beginnings[sample.stream]?.held.append(sample)
        if isKnown || beginnings[sample.stream]?.held.count == Self.mostHeld { try release(sample.stream, &others) }
        return .hold
    }

    mutating func finish(_ others: inout [SensorSample]) throws(MediaError) {
        for stream in beginnings.keys.sorted() { try release(stream, &others) }
    }

    /// Filters the samples of a stream that were held back.
    private mutating func release(_ stream: String, _ others: inout [SensorSample]) throws(MediaError) {
        guard let beginning = beginnings.removeValue(forKey: stream) else { return }
        rates[stream] = beginning.interval.interval.map { 1e6 / $0 } ?? nominalRate
        for var sample in beginning.held {
            if case .pass = try begin(&sample) { others.append(sample) }
        }
    }

    /// Filters a sample that may be the first of its kind.
    private mutating func begin(_ sample: inout SensorSample) throws(MediaError) -> SensorFilterOutcome {
        let rate = rate > 0 ? rate : rates[sample.stream] ?? nominalRate
        let (wrapping, make, isMeasured) = (wrapping, make, self.rate == 0)
        do throws(MediaError) {
            let places = try filters.places(in: sample) { (name) throws(MediaError) in
                try Rated(rate: rate, isMeasured: isMeasured, wrapping(name), make)
            }
            return run(&sample, places)
        } catch {
            var error = error
            error.subject = "\(error.subject ?? ""), stream \(sample.stream)"
            throw error
        }
    }

    private mutating func run(
        _ sample: inout SensorSample, _ places: [ComponentStates<Rated<Filter>>.Place]
    ) -> SensorFilterOutcome {
        for place in places {
            guard let next = filters[place.state].next(sample.values[place.value], at: sample.time) else {
                return .drop
            }
            sample.values[place.value] = next
        }
        return .pass
    }
}
