import TestSupport
import WayreelBench
import WayreelCore

/// Random spans of one thread, like those of a task.
struct StepRandom {
    var numbers: SeededRandom

    init(seed: UInt64) { numbers = SeededRandom(seed: seed) }

    mutating func number(_ range: ClosedRange<Double>) -> Double { Double.random(in: range, using: &numbers) }

    /// Makes one span between two times and its nested spans, which touch or leave gaps.
    mutating func spans(
        from start: Double, to end: Double, depth: Int, on thread: Int = 1, called: String = "task"
    ) -> [TraceSpan] {
        var inside: [TraceSpan] = []
        var children = 0.0
        var time = start
        while depth > 0, time < end {
            let next = min(end, time + number(0.05...0.5) * (end - start))
            if number(0...1) < 0.7 {
                let part = spans(from: time, to: next, depth: depth - 1, on: thread, called: called)
                children += part[0].cpuMilliseconds ?? 0
                inside += part
            }
            time = next
        }
        let own = number(0...1) * max(0, end - start - children)
        let name = ["read", "decode", "filter", "scale", "encode"][depth % 5]
        return [StepRuns.span(name, start, end, cpu: children + own, on: thread, called: called)] + inside
    }
}
