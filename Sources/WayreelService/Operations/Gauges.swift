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
