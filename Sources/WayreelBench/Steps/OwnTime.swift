internal import WayreelCore

/// A span without those inside it.
struct OwnTime {
    var name: String
    var threadName: String
    /// On the monotonic clock, in milliseconds, as the others are.
    var start: Double
    var end: Double
    var wall: Double
    var cpu: Double

    /// Of spans of any threads. Those of one thread lie within one another or apart.
    static func of(_ spans: [TraceSpan]) -> [OwnTime] {
        var result: [OwnTime] = []
        for (_, spans) in Dictionary(grouping: spans, by: \.thread) {
            var open: [Int] = []
            // The one that holds others comes before them.
            let ordered = spans.sorted {
                ($0.startMilliseconds, -$0.milliseconds) < ($1.startMilliseconds, -$1.milliseconds)
            }
            for span in ordered {
                let end = span.startMilliseconds + span.milliseconds
                while let last = open.last, result[last].end <= span.startMilliseconds { open.removeLast() }
                if let parent = open.last {
                    result[parent].wall -= span.milliseconds
                    result[parent].cpu -= span.cpuMilliseconds ?? 0
                }
                open.append(result.count)
                result.append(
                    OwnTime(
                        name: span.name, threadName: span.threadName, start: span.startMilliseconds, end: end,
                        wall: span.milliseconds, cpu: span.cpuMilliseconds ?? 0))
            }
        }
        // Clocks are read one after the other.
        return result.map { span in
            var span = span
            (span.wall, span.cpu) = (max(0, span.wall), max(0, span.cpu))
            return span
        }
    }
}
