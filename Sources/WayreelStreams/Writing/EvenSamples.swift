internal import WayreelCore
internal import WayreelEngine

/// A channel with its samples at even places: place i is `start` + i / `rate` seconds.
struct EvenSignal {
    var channel: SensorChannel
    /// The index of the channel.
    var index: Int
    var measure: RecordingMeasure.Channel
    var start: Int64
    var rate: Double

    /// The rate is the one that the channel says; else that of the median interval, made exact by the whole length, and
    /// rounded to thousandths if it is nearly such a number.
    init(_ channel: SensorChannel, _ index: Int, _ measure: RecordingMeasure.Channel, start: Int64) {
        (self.channel, self.index, self.measure, self.start) = (channel, index, measure, start)
        rate = channel.rate ?? Self.rate(measure)
    }

    private static func rate(_ measure: RecordingMeasure.Channel) -> Double {
        let intervals = measure.intervals.sorted()
        guard !intervals.isEmpty, intervals[intervals.count / 2] > 0 else { return 1 }
        let median = 1e6 / Double(intervals[intervals.count / 2])
        let seconds = Double(measure.last &- measure.first) / 1e6
        let exact = (seconds * median).rounded() / seconds
        let found = abs(exact - median) <= 1e-3 * median ? exact : median
        let rounded = found.rounded(places: 3)
        return abs(rounded - found) <= 1e-5 * found ? rounded : found
    }

    func place(_ time: Int64) -> Double { Double(time &- start) / 1e6 * rate }
}

extension MeasuredRecording {
    /// The first time of a sample.
    var start: Int64? { measures.compactMap { $0?.first }.min() }
    /// The last time of a sample.
    var end: Int64? { measures.compactMap { $0?.last }.max() }

    /// Whether a date can say when it begins.
    var beginsInYears: Bool {
        guard recording.notation == .date, let start else { return true }
        return Timestamp.range.contains(SensorTime(microseconds: start).timestamp)
    }

    /// The channels that have samples, whose places begin together.
    var signals: [EvenSignal] {
        guard let start else { return [] }
        return zip(recording.channels, measures).enumerated().compactMap { index, channel in
            channel.1.map { EvenSignal(channel.0, index, $0, start: start) }
        }
    }
}

/// Puts the samples of a recording at even places, for formats that have no other.
struct EvenSamples: SampleSink {
    let signals: [EvenSignal]
    /// The samples that were added and not taken, in the order of their places, by signal.
    private(set) var pending: [[(place: Int, value: Double)]]
    /// The first place of each signal that may still come.
    private(set) var next: [Int]
    private(set) var fault: String?
    /// The signals by the index of a channel.
    private var slots: [Int: Int] = [:]
    /// The most samples of a signal that wait for those of others.
    private static let limit = 1 << 25

    init(_ signals: [EvenSignal]) {
        self.signals = signals
        pending = Array(repeating: [], count: signals.count)
        next = Array(repeating: 0, count: signals.count)
        for (slot, signal) in signals.enumerated() { slots[signal.index] = slot }
    }

    mutating func add(_ channel: Int, times: Span<Int64>, values: Span<Double>) {
        guard fault == nil, let slot = slots[channel] else { return }
        let signal = signals[slot]
        for index in times.indices {
            let exact = signal.place(times[index])
            guard exact.magnitude < 1e15, abs(exact - exact.rounded()) <= 0.25, Int(exact.rounded()) >= next[slot]
            else {
                let time = SensorTime(microseconds: times[index] &- signal.start).text(.seconds)
                fault =
                    "\(signal.channel.name) is not even: its sample \(time) s after the start is between the places of "
                    + "\(signal.rate.shortDescription) samples a second"
                return
            }
            next[slot] = Int(exact.rounded()) + 1
            pending[slot].append((Int(exact.rounded()), values[index]))
        }
        if pending[slot].count > Self.limit { fault = "\(signal.channel.name) is too far ahead of the others" }
    }

    /// Takes the samples of a signal before a place.
    mutating func take(_ slot: Int, before end: Int) -> [(place: Int, value: Double)] {
        let count = pending[slot].firstIndex { $0.place >= end } ?? pending[slot].count
        let taken = Array(pending[slot].prefix(count))
        pending[slot].removeFirst(count)
        return taken
    }
}
