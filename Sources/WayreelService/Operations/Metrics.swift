internal import Synchronization
internal import WayreelCore

/// Counts of requests and their latencies, as Prometheus reads them (text format 0.0.4).
final class Metrics: Sendable {
    private struct Series: Hashable {
        var route: String
        var status: Int
    }

    private struct Histogram {
        var counts = [Int](repeating: 0, count: Metrics.bounds.count + 1)
        var sum = 0.0

        mutating func add(_ seconds: Double) {
            counts[Metrics.bounds.firstIndex { seconds <= $0 } ?? Metrics.bounds.count] += 1
            sum += seconds
        }
    }

    /// Upper bounds in seconds.
    private static let bounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

    private let histograms = Mutex<[Series: Histogram]>([:])

    func count(route: String, status: Int, seconds: Double) {
        histograms.withLock { $0[Series(route: route, status: status), default: Histogram()].add(seconds) }
    }

    func text(_ gauges: Gauges) -> String {
        var lines = [
            "# HELP wayreel_request_seconds The time in seconds from the head of a request to that of its answer.",
            "# TYPE wayreel_request_seconds histogram",
        ]
        let series = histograms.withLock { $0.sorted { ($0.key.route, $0.key.status) < ($1.key.route, $1.key.status) } }
        for (key, histogram) in series {
            let labels = "route=\"\(key.route)\",status=\"\(key.status)\""
            var sum = 0
            for (bound, count) in zip(Self.bounds.map { "\($0)" } + ["+Inf"], histogram.counts) {
                sum += count
                lines.append("wayreel_request_seconds_bucket{\(labels),le=\"\(bound)\"} \(sum)")
            }
            lines.append("wayreel_request_seconds_sum{\(labels)} \(histogram.sum)")
            lines.append("wayreel_request_seconds_count{\(labels)} \(sum)")
        }
        return (lines + gauges.lines).joined(separator: "\n") + "\n"
    }

    /// The resident memory of this process in bytes.
    static var residentBytes: Int { ProcessMemory.residentBytes(of: "self") ?? 0 }
}
