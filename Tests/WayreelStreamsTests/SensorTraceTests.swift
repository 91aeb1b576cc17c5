import TestSupport
import Testing
import WayreelStreams

/// The reduction of samples, against all samples.
@Suite struct SensorTraceTests {
    private typealias Sample = SensorTrace.Sample

    /// Whatever the times, the trace has the same first, last, lowest and highest sample as the samples themselves, and
    /// each of its parts those of the samples in its time.
    @Test(arguments: 0..<40) func losesNoPeak(seed: Int) {
        var random = SeededRandom(seed: UInt64(seed))
        var samples: [Sample] = []
        var time = Int64.random(in: -1_000_000_000...1_000_000_000, using: &random)
        let isDisordered = seed % 3 == 0
        for _ in 0..<Int.random(in: 1...20_000, using: &random) {
            let step = Int64.random(in: 0...(seed % 2 == 0 ? 8000 : 100_000), using: &random)
            time += isDisordered && Int.random(in: 0..<4, using: &random) == 0 ? -3 * step : step
            let isSpike = Int.random(in: 0..<5000, using: &random) == 0
            samples.append(Sample(time: time, value: Double.random(in: isSpike ? 50...90 : -1...1, using: &random)))
        }
        let capacity = Int.random(in: 16...600, using: &random)
        var trace = SensorTrace(capacity: capacity)
        for sample in samples { trace.add(sample.time, sample.value) }
        let parts = trace.finished()
        #expect(trace.count == samples.count && parts.count <= capacity + 4096)
        var latest = Int64.min
        let late = samples.count { sample in
            defer { latest = max(latest, sample.time) }
            return sample.time < latest
        }
        #expect(trace.lateCount == late)
        // Parts are apart, and in order.
        for (one, next) in zip(parts, parts.dropFirst()) { #expect(one.last.time <= next.first.time) }
        var position = 0
        let sorted = samples.enumerated().sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }
            .map(\.element)
        for part in parts where position < sorted.count {
            // Without ties: samples of one time may be in two parts.
            let end = sorted[position...].firstIndex { $0.time > part.last.time } ?? sorted.count
            let inside = sorted[position..<end]
            if end < sorted.count, sorted[end].time == part.last.time { continue }
            #expect(inside.first?.time == part.first.time && inside.last?.time == part.last.time)
            position = end
        }
        #expect(parts.map(\.lowest.value).min() == samples.map(\.value).min())
        #expect(parts.map(\.highest.value).max() == samples.map(\.value).max())
        // Each spike is the highest sample of the part that has its time.
        for sample in samples where sample.value > 40 {
            let holders = parts.filter { $0.first.time <= sample.time && sample.time <= $0.last.time }
            #expect(holders.contains { $0.highest.value >= sample.value })
        }
    }

    @Test func aSpikeAmongAMillion() {
        var trace = SensorTrace(capacity: 4096)
        for index in 0..<1_000_000 { trace.add(Int64(index) * 100, index == 765_432 ? 9 : 0) }
        let parts = trace.finished()
        #expect(parts.count > 1500 && parts.count <= 4096)
        let spikes = parts.flatMap(\.samples).filter { $0.value == 9 }
        #expect(spikes == [SensorTrace.Sample(time: 76_543_200, value: 9)])
    }

    /// Ten million samples, of which one is high and the next one low.
    @Test func aSpikeAmongTenMillion() {
        var trace = SensorTrace(capacity: 4096)
        for index in 0..<10_000_000 {
            trace.add(Int64(index) * 100, index == 7_654_321 ? 9 : index == 7_654_322 ? -9 : 0)
        }
        let samples = trace.finished().flatMap(\.samples)
        #expect(trace.count == 10_000_000 && trace.lateCount == 0)
        #expect(samples.filter { $0.value > 0 } == [SensorTrace.Sample(time: 765_432_100, value: 9)])
        #expect(samples.filter { $0.value < 0 } == [SensorTrace.Sample(time: 765_432_200, value: -9)])
    }

    /// Time that stands still: the extremes of all samples of a moment stay, also beside others.
    @Test(arguments: [0, 1]) func timeThatStandsStill(others: Int) {
        var trace = SensorTrace(capacity: 64)
        for index in 0..<others * 1000 { trace.add(Int64(index), 0) }
        for index in 0..<100_000 { trace.add(5000, index == 70_000 ? 3 : index == 80_000 ? -3 : 1) }
        let parts = trace.finished()
        #expect(trace.count == 100_000 + others * 1000 && trace.lateCount == 0 && parts.count <= 65)
        #expect(parts.map(\.highest.value).max() == 3 && parts.map(\.lowest.value).min() == -3)
        #expect(parts.last?.last == SensorTrace.Sample(time: 5000, value: 1))
        #expect(others > 0 || trace.usualInterval == nil)
    }

    /// Few samples stay what they are.
    @Test func fewSamplesAreAllThere() {
        var trace = SensorTrace(capacity: 100)
        let samples = (0..<99).map { SensorTrace.Sample(time: Int64($0) * 4000, value: Double($0 % 7)) }
        for sample in samples { trace.add(sample.time, sample.value) }
        #expect(trace.finished().flatMap(\.samples) == samples)
        // To an eighth.
        #expect(abs((trace.usualInterval ?? 0) / 4000 - 1) < 0.13)
    }

    /// Time that always runs backwards ends soon, and is sorted.
    @Test func timeThatRunsBackwards() {
        var trace = SensorTrace(capacity: 256)
        for index in 0..<300_000 { trace.add(Int64(-index) * 1000, Double(index)) }
        let parts = trace.finished()
        #expect(parts.first?.first == SensorTrace.Sample(time: -299_999_000, value: 299_999))
        #expect(parts.last?.last == SensorTrace.Sample(time: 0, value: 0))
        #expect(trace.lateCount == 299_999)
    }

    @Test func extremeTimes() {
        var trace = SensorTrace(capacity: 16)
        for index in 0..<1000 { trace.add(index % 2 == 0 ? -1_000_000_000_000_000_000 : 1_000_000_000_000_000_000, 1) }
        for index in 0..<1000 { trace.add(Int64(index) * 1_000_000_000_000_000, -1) }
        let parts = trace.finished()
        #expect(parts.first?.first.time == -1_000_000_000_000_000_000)
        #expect(parts.last?.last.time == 1_000_000_000_000_000_000)
    }

    // MARK: Gaps

    private static func runs(_ times: [Int64], gap: Double?, rate: Double? = nil) -> [[Int64]] {
        var trace = SensorTrace(capacity: 1000)
        trace.rate = rate
        for time in times { trace.add(time, 0) }
        return SensorTrace.runs(trace.finished(), usualInterval: trace.usualInterval, gap: gap)
            .map { $0.map(\.first.time) }
    }

    @Test func linesEndAtGaps() {
        let times: [Int64] = [0, 10, 20, 30, 90, 100, 110, 400, 410]
        #expect(Self.runs(times, gap: 5) == [[0, 10, 20, 30], [90, 100, 110], [400, 410]])
        #expect(Self.runs(times, gap: 20) == [[0, 10, 20, 30, 90, 100, 110], [400, 410]])
        #expect(Self.runs(times, gap: nil) == [times])
        // A recording that says its rate: 1 MHz.
        #expect(Self.runs([0, 1, 2, 9], gap: 5, rate: 1_000_000) == [[0, 1, 2], [9]])
        #expect(Self.runs([5], gap: 5) == [[5]] && Self.runs([], gap: 5).isEmpty)
    }

    @Test func missingSamplesAreAGap() {
        var trace = SensorTrace(capacity: 100)
        trace.addGap()
        for index in 0..<10 { index == 4 ? trace.addGap() : trace.add(Int64(index) * 10, 1) }
        let runs = SensorTrace.runs(trace.finished(), usualInterval: 10, gap: 5)
        #expect(runs.map(\.count) == [4, 5])
    }
}
