internal import Glibc
internal import Synchronization
internal import WayreelCore

/// Takes spans that have ended, as members of OTLP JSON. It must not wait.
protocol SpanExporter: Sendable {
    func export(_ span: String)
}

/// A request of OTLP with spans (opentelemetry-proto, `ExportTraceServiceRequest`).
enum SpanEnvelope {
    static func text(_ spans: some Sequence<String>) -> String {
        """
        {"resourceSpans":[{"resource":{"attributes":[{"key":"service.name","value":{"stringValue":"wayreel"}},\
        {"key":"service.version","value":{"stringValue":\(WayreelVersion.text.jsonQuoted)}}]},\
        "scopeSpans":[{"scope":{"name":"wayreel"},"spans":[\(spans.joined(separator: ","))]}]}]}
        """
    }
}

/// Appends each span as a line to a file, which the OpenTelemetry collector's receiver `otlpjsonfile` reads.
struct SpanFile: SpanExporter {
    private let descriptor: Int32

    /// Opens the file for appending. Throws an `io` error if it cannot be written.
    init(_ path: String) throws(MediaError) {
        descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw MediaError(.io, step: .traces, subject: path, reason: systemReason(errno))
        }
    }

    func export(_ span: String) {
        let line = Array("\(SpanEnvelope.text([span]))\n".utf8)
        // One write of a line, so that lines of several threads stay whole.
        _ = line.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
    }
}

/// Sends spans to an OpenTelemetry collector by OTLP over HTTP, as JSON, in batches.
///
/// Requests never wait for it: spans stand in a queue of limited length, beyond which they are dropped and counted, as are
/// those of a batch that the collector does not take. A batch that may succeed later, after 429, 502, 503, 504 or no
/// answer, is sent once more.
final class SpanSender: SpanExporter {
    private struct State {
        var queue: [String] = []
        var sent = 0
        var dropped = 0
        /// Of the queue.
        var bytes = 0
    }

    private let url: String
    private let state = Mutex(State())

    private static let maxQueue = 4096
    private static let maxBytes = 4 << 20
    private static let maxBatch = 512
    private static let pause = Duration.seconds(1)

    /// `collector`: its address, `http://127.0.0.1:4318`; the path `/v1/traces` is added.
    init(collector: String) {
        url = (collector.hasSuffix("/") ? String(collector.dropLast()) : collector) + "/v1/traces"
    }

    /// The numbers of spans that were sent and dropped, and the length of the queue.
    var load: (sent: Int, dropped: Int, queued: Int) {
        state.withLock { ($0.sent, $0.dropped, $0.queue.count) }
    }

    func export(_ span: String) {
        state.withLock { state in
            guard state.queue.count < Self.maxQueue, state.bytes + span.utf8.count <= Self.maxBytes else {
                state.dropped += 1
                return
            }
            state.bytes += span.utf8.count
            state.queue.append(span)
        }
    }

    /// Sends what stands in the queue every second until the task is cancelled.
    func run() async {
        while (try? await Task.sleep(for: Self.pause)) != nil { await flush() }
    }

    /// Sends what stands in the queue, and not what comes meanwhile. Each of the `attempts` for a batch may take a number of
    /// seconds.
    func flush(seconds: Double = 10, attempts: Int = 2) async {
        var rest = state.withLock { $0.queue.count }
        while rest > 0, let batch = next() {
            rest -= batch.count
            let isSent = await send(batch, seconds: seconds, attempts: attempts)
            state.withLock { state in
                if isSent { state.sent += batch.count } else { state.dropped += batch.count }
            }
            // A collector that is away should not be asked for every batch.
            guard isSent else { return }
        }
    }

    private func next() -> [String]? {
        state.withLock { state in
            guard !state.queue.isEmpty else { return nil }
            let batch = Array(state.queue.prefix(Self.maxBatch))
            state.queue.removeFirst(batch.count)
            state.bytes -= batch.reduce(0) { $0 + $1.utf8.count }
            return batch
        }
    }

    private func send(_ batch: [String], seconds: Double, attempts: Int) async -> Bool {
        let body = Array(SpanEnvelope.text(batch).utf8)
        for attempt in 0..<attempts {
            if attempt > 0 { try? await Task.sleep(for: Self.pause) }
            let status = try? await HTTPFetcher.post(body, type: "application/json", to: url, seconds: seconds)
            if let status, (200..<300).contains(status) { return true }
            if let status, ![429, 502, 503, 504].contains(status) { return false }
        }
        return false
    }
}
