internal import Synchronization
internal import WayreelCore

/// Counts of requests, their latencies and bytes, as Prometheus reads them (text format 0.0.4).
final class Metrics: Sendable {
    private struct Key: Hashable {
        var route: String
        var status: Int
    }

    /// The bytes of the contents of requests and answers of one route and status. Those of answers are counted while they
    /// are sent, so that a long stream does not wait for its end.
    final class Traffic: Sendable {
        private let sent = Atomic(0)
        private let received = Atomic(0)

        func count(sent bytes: Int) { sent.wrappingAdd(bytes, ordering: .relaxed) }
        func count(received bytes: Int) { received.wrappingAdd(bytes, ordering: .relaxed) }

        fileprivate var sentBytes: Int { sent.load(ordering: .relaxed) }
        fileprivate var receivedBytes: Int { received.load(ordering: .relaxed) }
    }

    private struct Series {
        var histogram = Histogram()
        let traffic = Traffic()
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

    private let series = Mutex<[Key: Series]>([:])

    func count(route: String, status: Int, seconds: Double) {
        series.withLock { $0[Key(route: route, status: status), default: Series()].histogram.add(seconds) }
    }

    /// Where the bytes of a request and its answer are counted.
    func traffic(route: String, status: Int) -> Traffic {
        series.withLock { series in
            let key = Key(route: route, status: status)
            let found = series[key] ?? Series()
            series[key] = found
            return found.traffic
        }
    }

    func text(_ gauges: Gauges) -> String {
        var lines = [
            "# HELP wayreel_request_seconds The time in seconds from the head of a request to that of its answer.",
            "# TYPE wayreel_request_seconds histogram",
        ]
        let all = series.withLock { series in
            series.sorted { ($0.key.route, $0.key.status) < ($1.key.route, $1.key.status) }.map { key, series in
                (labels: "route=\"\(key.route)\",status=\"\(key.status)\"", series: series)
            }
        }
        for (labels, series) in all {
            let histogram = series.histogram
            var sum = 0
            for (bound, count) in zip(Self.bounds.map { "\($0)" } + ["+Inf"], histogram.counts) {
                sum += count
                lines.append("wayreel_request_seconds_bucket{\(labels),le=\"\(bound)\"} \(sum)")
            }
            lines.append("wayreel_request_seconds_sum{\(labels)} \(histogram.sum)")
            lines.append("wayreel_request_seconds_count{\(labels)} \(sum)")
        }
        let bytes: [(name: String, help: String, count: @Sendable (Traffic) -> Int)] = [
            ("sent", "The size in bytes of the contents of answers, as far as they were sent.", { $0.sentBytes }),
            (
                "received", "The size in bytes of the contents of requests, as far as they were read.",
                { $0.receivedBytes }
            ),
        ]
        for (name, help, count) in bytes {
            let name = "wayreel_\(name)_bytes_total"
            lines += ["# HELP \(name) \(help)", "# TYPE \(name) counter"]
            lines += all.map { "\(name){\($0.labels)} \(count($0.series.traffic))" }
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
