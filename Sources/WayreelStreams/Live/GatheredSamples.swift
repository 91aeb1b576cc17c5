internal import WayreelCore

/// Samples of channels that are put together again: the values of one stream at one time are one sample.
struct GatheredSamples: Sendable {
    private struct Value {
        var time: Int64
        var channel: Int
        var number: Double
    }

    private var values: [Value] = []

    var isEmpty: Bool { values.isEmpty }

    /// Adds samples of a channel; those that are not finite are gaps.
    mutating func add(_ channel: Int, times: Span<Int64>, values: Span<Double>) {
        for index in times.indices where values[index].isFinite {
            self.values.append(Value(time: times[index], channel: channel, number: values[index]))
        }
    }

    /// Gives all samples in the order of their times, and forgets them. Those of a channel at the same time stay in their
    /// order.
    mutating func take<Failure: Error>(
        of channels: [SensorChannel], _ body: (SensorSample) throws(Failure) -> Void
    ) throws(Failure) {
        let order = values.indices.sorted { (values[$0].time, $0) < (values[$1].time, $1) }
        defer { values.removeAll(keepingCapacity: true) }
        var next = 0
        while next < order.count {
            let time = values[order[next]].time
            var samples: [SensorSample] = []
            while next < order.count, values[order[next]].time == time {
                let value = values[order[next]]
                let channel = channels[value.channel]
                // A value that comes twice at the same time is another sample.
                if let place = samples.lastIndex(where: { $0.stream == channel.stream }),
                    samples[place].values[channel.component] == nil
                {
                    samples[place].values[channel.component] = value.number
                } else {
                    samples.append(
                        SensorSample(
                            SensorTime(microseconds: time), stream: channel.stream,
                            values: [channel.component: value.number]))
                }
                next += 1
            }
            for sample in samples { try body(sample) }
        }
    }
}

/// Samples of a recording that wait for their time, by channel.
package struct PendingSamples: SampleSink, Sendable {
    private struct Column {
        var times: [Int64] = []
        var values: [Double] = []
        /// The index of the first that waits.
        var first = 0
    }

    private var columns: [Column] = []
    /// How many wait.
    package private(set) var count = 0
    /// The latest time that was ever added.
    package private(set) var latest: Int64?
    /// Samples before this time are left out.
    var start = Int64.min

    package init() {}

    package mutating func add(_ channel: Int, times: Span<Int64>, values: Span<Double>) {
        while columns.count <= channel { columns.append(Column()) }
        for index in times.indices {
            latest = max(latest ?? times[index], times[index])
            guard times[index] >= start else { continue }
            columns[channel].times.append(times[index])
            columns[channel].values.append(values[index])
            count += 1
        }
    }

    /// The earliest time of those that are next.
    var next: Int64? { columns.lazy.filter { $0.first < $0.times.count }.map { $0.times[$0.first] }.min() }

    /// Gives the samples up to a time, by channel, and forgets them. One whose time went backwards comes after those before
    /// it.
    package mutating func take<Failure: Error>(
        until end: Int64 = .max, _ body: (Int, Span<Int64>, Span<Double>) throws(Failure) -> Void
    ) throws(Failure) {
        for channel in columns.indices {
            let first = columns[channel].first
            let last = columns[channel].times[first...].firstIndex { $0 > end } ?? columns[channel].times.count
            guard last > first else { continue }
            let column = columns[channel]
            try body(
                channel, column.times.span.extracting(first..<last), column.values.span.extracting(first..<last))
            count -= last - first
            columns[channel].first = last
            guard last == columns[channel].times.count || last > 4096 else { continue }
            columns[channel].times.removeFirst(last)
            columns[channel].values.removeFirst(last)
            columns[channel].first = 0
        }
    }
}
