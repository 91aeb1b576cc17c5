public import WayreelCore

/// A validated list of filters, with their state.
///
///     var filters = try SensorFilterChain([SensorFilter(parsing: "heading:smooth=0.5s")])
///     var filtered: [SensorSample] = []
///     try filters.apply(sample, to: &filtered)
///     try filters.finish(to: &filtered)
public struct SensorFilterChain: Sendable {
    private var steps: [any SensorFilterStep]
    /// The filters whose target has not occurred in any sample so far.
    public private(set) var idle: [SensorFilter]
    /// The number of samples that filters dropped, and of those with a value that is not finite.
    public private(set) var dropped = 0
    /// The number of samples that came, and that filters have made of them: those of another rate, or that were held.
    private(set) var passed = 0

    /// The most samples that filters may make of one, or of those that a viewer is sent at once. Several filters with rates of
    /// their own could make any number, and no memory is reserved for them.
    package static let mostMade = 250_000

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

    /// The components that filters may add to those of the recording, sorted: those of events.
    public var addedComponents: [String] { Set(steps.flatMap(\.addedComponents)).sorted() }

    /// Applies all filters in order and appends what comes of the sample to `output`.
    ///
    /// That is usually the sample with other values. It is nothing if a filter drops the sample or holds it back, or
    /// if a value is not finite. It is several samples if a filter adds events, has another rate, or gives back
    /// what it held.
    ///
    /// Throws a `parameter` error if a filter does not fit the rate of the samples that it gets, and a `limit` error if
    /// more than 250,000 samples come of one.
    public mutating func apply(
        _ sample: consuming SensorSample, to output: inout [SensorSample]
    ) throws(MediaError) {
        guard sample.values.areFinite else {
            dropped += 1
            return
        }
        try apply(sample, from: 0, to: &output, until: passed + Self.mostMade)
    }

    /// Ends the input: appends what the filters held back.
    ///
    /// Throws a `parameter` error if a filter does not fit the rate of the samples that it got.
    public mutating func finish(to output: inout [SensorSample]) throws(MediaError) {
        for index in steps.indices {
            var held: [SensorSample] = []
            try steps[index].finish(&held)
            for sample in held { try apply(sample, from: index + 1, to: &output, until: passed + Self.mostMade) }
        }
    }

    /// `most`: what ``passed`` may become.
    private mutating func apply(
        _ sample: consuming SensorSample, from first: Int, to output: inout [SensorSample], until most: Int
    ) throws(MediaError) {
        passed += 1
        guard passed <= most else {
            throw MediaError(
                .limit, step: .filter, reason: "the filters make more than \(Self.mostMade) samples of one",
                advice: "choose lower rates")
        }
        if !idle.isEmpty {
            // A copy for the closure, which cannot capture a consumed parameter.
            let known = copy sample
            idle.removeAll { $0.target.isIn(known) }
        }
        var others: [SensorSample] = []
        for index in first..<steps.count {
            let outcome = try steps[index].apply(&sample, &others)
            if !others.isEmpty {
                for other in others { try apply(other, from: index + 1, to: &output, until: most) }
                others.removeAll()
            }
            switch outcome {
            case .pass: continue
            case .drop:
                dropped += 1
                return
            case .hold: return
            }
        }
        output.append(sample)
    }
}
