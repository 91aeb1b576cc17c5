package import WayreelCore

/// A span without its nested spans.
package struct OwnTime {
    package var name: String
    package var threadName: String
    /// Milliseconds on the monotonic clock.
    package var start: Double
    package var end: Double
    package var wall: Double
    package var cpu: Double

    /// Spans by thread and time. Spans of one thread are nested or disjoint up to clock errors: a span belongs to the
    /// one that contains its centre.
    package static func of(_ spans: [TraceSpan]) -> [OwnTime] {
        var result: [OwnTime] = []
        for (_, spans) in Dictionary(grouping: spans, by: \.thread).sorted(by: { $0.key < $1.key }) {
            var open: [Int] = []
            // Outer spans come first.
            let ordered = spans.sorted {
                ($0.startMilliseconds, -$0.milliseconds) < ($1.startMilliseconds, -$1.milliseconds)
            }
            for span in ordered {
                let middle = span.startMilliseconds + span.milliseconds / 2
                while let last = open.last, result[last].end <= middle { open.removeLast() }
                var own = OwnTime(
                    name: span.name, threadName: span.threadName, start: span.startMilliseconds,
                    end: span.startMilliseconds + span.milliseconds, wall: span.milliseconds,
                    cpu: span.cpuMilliseconds ?? 0)
                if let parent = open.last {
                    // Corrects clock errors.
                    own.end = min(own.end, result[parent].end)
                    own.wall = own.end - own.start
                    result[parent].wall = max(0, result[parent].wall - own.wall)
                    result[parent].cpu = max(0, result[parent].cpu - own.cpu)
                }
                open.append(result.count)
                result.append(own)
            }
        }
        return result
    }
}

/// An amount in consecutive time intervals.
package struct AmountOverTime: Equatable {
    /// Ascending bounds of the intervals.
    package let edges: [Double]
    package private(set) var amounts: [Double]

    /// Zero everywhere. `edges`: at least two.
    package init(edges: [Double]) {
        self.edges = edges
        amounts = [Double](repeating: 0, count: edges.count - 1)
    }

    package var sum: Double { amounts.reduce(0, +) }

    /// Adds an amount distributed evenly between two times. Times outside are clamped to the range, so nothing is lost.
    package mutating func add(_ amount: Double, from start: Double, to end: Double) {
        let low = within(start)
        let high = within(end)
        var part = part(at: low)
        guard high > low else { return amounts[part] += amount }
        while part < amounts.count, edges[part] < high {
            let overlap = min(high, edges[part + 1]) - max(low, edges[part])
            amounts[part] += amount * (overlap / (high - low))
            part += 1
        }
    }

    package mutating func add(_ amount: Double, toPart part: Int) { amounts[part] += amount }

    private func within(_ time: Double) -> Double { min(max(time, edges[0]), edges[edges.count - 1]) }

    /// Index of the last interval that starts at or before `time`.
    private func part(at time: Double) -> Int {
        var (low, high) = (0, amounts.count)
        while high - low > 1 {
            let middle = (low + high) / 2
            if edges[middle] <= time { low = middle } else { high = middle }
        }
        return low
    }
}
