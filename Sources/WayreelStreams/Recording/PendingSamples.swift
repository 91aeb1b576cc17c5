internal import WayreelCore

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

    /// Adds even samples with their gaps, which viewers see.
    package mutating func add(_ channel: Int, start: SensorTime, rate: Double, first: Int, values: Span<Double>) {
        let times = values.indices.map { start.microseconds + Int64((Double(first + $0) / rate * 1e6).rounded()) }
        add(channel, times: times.span, values: values)
    }

    /// The earliest and the latest time of those that wait; nil without any.
    var extent: ClosedRange<Int64>? {
        let times = columns.lazy.flatMap { $0.times[$0.first...] }
        guard let earliest = times.min(), let latest = times.max() else { return nil }
        return earliest...latest
    }

    /// Changes the times of those that wait, and ``latest``. Later times have to stay later.
    mutating func changeTimes(_ body: (Int64) -> Int64) {
        latest = latest.map(body)
        for channel in columns.indices {
            for index in columns[channel].times.indices.dropFirst(columns[channel].first) {
                columns[channel].times[index] = body(columns[channel].times[index])
            }
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
