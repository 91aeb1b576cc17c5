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

/// Values that are read at each scrape.
struct Gauges {
    var queue: (count: Int, bytes: Int, refused: Int)
    var liveStreams: Int
    /// nil without jobs.
    var jobs: (queued: Int, running: Int, bytes: Int)?
    /// nil without a cache.
    var cache: (bytes: Int, hits: Int, misses: Int)?
    /// nil without a collector.
    var spans: (sent: Int, dropped: Int, queued: Int)?

    private struct Metric {
        var name: String
        var type = "gauge"
        var help: String
        /// nil if the metric does not apply.
        var value: @Sendable (Gauges) -> Int?
    }

    private static let metrics = [
        Metric(
            name: "wayreel_queue_requests", help: "The number of running and queued requests.",
            value: { $0.queue.count }),
        Metric(
            name: "wayreel_queue_bytes", help: "The size in bytes of the inputs of running and queued requests.",
            value: { $0.queue.bytes }),
        Metric(
            name: "wayreel_queue_refused_total", type: "counter",
            help: "The number of requests that were refused because the queue was full.",
            value: { $0.queue.refused }),
        Metric(
            name: "process_resident_memory_bytes", help: "The resident memory of the process in bytes.",
            value: { _ in Metrics.residentBytes }),
        Metric(
            name: "wayreel_live_streams", help: "The number of open streams of live levels.",
            value: { $0.liveStreams }),
        Metric(name: "wayreel_jobs_queued", help: "The number of queued jobs.", value: { $0.jobs?.queued }),
        Metric(name: "wayreel_jobs_running", help: "The number of running jobs.", value: { $0.jobs?.running }),
        Metric(
            name: "wayreel_jobs_bytes", help: "The size in bytes of the inputs and results of jobs.",
            value: { $0.jobs?.bytes }),
        Metric(
            name: "wayreel_cache_bytes", help: "The size in bytes of the cached results.",
            value: { $0.cache?.bytes }),
        Metric(
            name: "wayreel_cache_hits_total", type: "counter",
            help: "The number of results that were found in the cache.", value: { $0.cache?.hits }),
        Metric(
            name: "wayreel_cache_misses_total", type: "counter",
            help: "The number of results that were not found in the cache.", value: { $0.cache?.misses }),
        Metric(
            name: "wayreel_spans_sent_total", type: "counter",
            help: "The number of spans that the OpenTelemetry collector has taken.", value: { $0.spans?.sent }),
        Metric(
            name: "wayreel_spans_dropped_total", type: "counter",
            help:
                "The number of spans that were dropped because the queue was full or the collector did not take them.",
            value: { $0.spans?.dropped }),
        Metric(
            name: "wayreel_spans_queued", help: "The number of spans that wait to be sent.", value: { $0.spans?.queued }
        ),
    ]

    /// The lines of Prometheus's text format.
    var lines: [String] {
        Self.metrics.flatMap { metric in
            guard let value = metric.value(self) else { return [String]() }
            return [
                "# HELP \(metric.name) \(metric.help)", "# TYPE \(metric.name) \(metric.type)",
                "\(metric.name) \(Double(value))",
            ]
        }
    }
}
