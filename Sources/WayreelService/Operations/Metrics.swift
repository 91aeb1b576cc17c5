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
        for (name, help, count) in [
            ("sent", "answers, as far as they were sent.", \Traffic.sentBytes),
            ("received", "requests, as far as they were read.", \Traffic.receivedBytes),
        ] {
            let name = "wayreel_\(name)_bytes_total"
            lines += ["# HELP \(name) The size in bytes of the contents of \(help)", "# TYPE \(name) counter"]
            lines += all.map { "\(name){\($0.labels)} \($0.series.traffic[keyPath: count])" }
        }
        return (lines + gauges.lines).joined(separator: "\n") + "\n"
    }
}

/// Values that are read at each scrape.
struct Gauges {
    var queue: (count: Int, bytes: Int, refused: Int)
    var liveStreams: Int
    /// nil without live streams of sensors.
    var sensors: (senders: Int, viewers: Int)?
    /// nil where no recordings are kept.
    var recordings: (count: Int, lost: Int)?
    /// nil without jobs.
    var jobs: (queued: Int, running: Int, bytes: Int)?
    /// nil without a cache.
    var cache: (bytes: Int, hits: Int, misses: Int)?
    /// nil without a collector.
    var spans: (sent: Int, dropped: Int, queued: Int)?

    /// The lines of Prometheus's text format: those of metrics that apply.
    var lines: [String] {
        let metrics: [(name: String, help: String, value: Int?)] = [
            ("wayreel_queue_requests", "The number of running and queued requests.", queue.count),
            ("wayreel_queue_bytes", "The size in bytes of the inputs of running and queued requests.", queue.bytes),
            (
                "wayreel_queue_refused_total",
                "The number of requests that were refused because the queue was full.", queue.refused
            ),
            (
                "process_resident_memory_bytes", "The resident memory of the process in bytes.",
                ProcessMemory.residentBytes(of: "self") ?? 0
            ),
            ("wayreel_live_streams", "The number of open streams of live levels.", liveStreams),
            ("wayreel_sensor_senders", "The number of senders of live streams of sensors.", sensors?.senders),
            ("wayreel_sensor_viewers", "The number of viewers of live streams of sensors.", sensors?.viewers),
            ("wayreel_recordings", "The number of live streams that are being recorded.", recordings?.count),
            (
                "wayreel_recording_lost_samples_total",
                "The number of values that were left out of recordings because the disk was too slow.", recordings?.lost
            ),
            ("wayreel_jobs_queued", "The number of queued jobs.", jobs?.queued),
            ("wayreel_jobs_running", "The number of running jobs.", jobs?.running),
            ("wayreel_jobs_bytes", "The size in bytes of the inputs and results of jobs.", jobs?.bytes),
            ("wayreel_cache_bytes", "The size in bytes of the cached results.", cache?.bytes),
            ("wayreel_cache_hits_total", "The number of results that were found in the cache.", cache?.hits),
            ("wayreel_cache_misses_total", "The number of results that were not found in the cache.", cache?.misses),
            (
                "wayreel_spans_sent_total", "The number of spans that the OpenTelemetry collector has taken.",
                spans?.sent
            ),
            (
                "wayreel_spans_dropped_total",
                "The number of spans that were dropped because the queue was full or the collector did not take them.",
                spans?.dropped
            ),
            ("wayreel_spans_queued", "The number of spans that wait to be sent.", spans?.queued),
        ]
        return metrics.flatMap { name, help, value in
            guard let value else { return [String]() }
            // The names of counters end so.
            let type = name.hasSuffix("_total") ? "counter" : "gauge"
            return ["# HELP \(name) \(help)", "# TYPE \(name) \(type)", "\(name) \(Double(value))"]
        }
    }
}
