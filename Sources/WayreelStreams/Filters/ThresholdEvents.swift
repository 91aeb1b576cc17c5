internal import WayreelCore

/// Events when a component crosses a threshold, with hysteresis. The samples themselves stay as they are.
///
/// An event is a sample of the stream `STREAM-above` or `STREAM-below`, at the time of the sample that crossed. It has the
/// component with its value; the component `above` or `below`, 1 for the beginning and 0 for the end; and for the end, its
/// duration in `seconds`.
struct ThresholdEvents: SensorFilterStep {
    enum Side: String, Sendable {
        case above, below

        fileprivate var kind: SensorEvent.Kind { self == .above ? .above : .below }
    }

    private let side: Side
    /// The value from which on the component is beyond the threshold, and the one at which it is no more.
    private let limits: (begin: Double, end: Double)
    private var states: ComponentStates<State>

    private struct State: Sendable {
        /// When the component went beyond the threshold; nil while it is not.
        var since: SensorTime?
        var latest: SensorTime?
    }

    /// `hysteresis`: how far a value must be back behind the threshold to end what an event began.
    init(_ target: SensorFilter.Target, _ side: Side, threshold: Double, hysteresis: Double) {
        self.side = side
        limits = (threshold, side == .above ? threshold - hysteresis : threshold + hysteresis)
        states = ComponentStates(target)
    }

    var addedComponents: [String] { [side.rawValue, "seconds"] }

    mutating func apply(_ sample: inout SensorSample, _ others: inout [SensorSample]) -> SensorFilterOutcome {
        for place in states.places(in: sample, { _ in State() }) {
            let state = states[place.state]
            // A time that goes backwards or stands still is that of no new event.
            if let latest = state.latest, sample.time <= latest { continue }
            states[place.state].latest = sample.time
            let value = sample.values[place.value]
            let isBeyond: Bool
            switch (side, state.since) {
            case (.above, nil): isBeyond = value >= limits.begin
            case (.above, _): isBeyond = value >= limits.end
            case (.below, nil): isBeyond = value <= limits.begin
            case (.below, _): isBeyond = value <= limits.end
            }
            guard isBeyond != (state.since != nil) else { continue }
            states[place.state].since = isBeyond ? sample.time : nil
            var values: SensorSample.Values = [side.rawValue: isBeyond ? 1 : 0]
            if let since = state.since { values["seconds"] = sample.time.seconds(since: since) }
            values[sample.values.names[place.value]] = value
            others.append(SensorSample(sample.time, stream: side.kind.stream(of: sample.stream), values: values))
        }
        return .pass
    }
}
