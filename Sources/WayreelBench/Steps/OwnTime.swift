package import WayreelCore

/// A span without those inside it.
package struct OwnTime {
    package var name: String
    package var threadName: String
    /// On the monotonic clock, in milliseconds, as the others are.
    package var start: Double
    package var end: Double
    package var wall: Double
    package var cpu: Double

    /// Of spans of any threads, in the order of the threads and of time. Those of one thread lie within one another or apart,
    /// but for what the clocks read: a span lies in the one that holds its middle.
    package static func of(_ spans: [TraceSpan]) -> [OwnTime] {
        var result: [OwnTime] = []
        for (_, spans) in Dictionary(grouping: spans, by: \.thread).sorted(by: { $0.key < $1.key }) {
            var open: [Int] = []
            // The one that holds others comes before them.
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
                    // Clocks are read one after the other.
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
