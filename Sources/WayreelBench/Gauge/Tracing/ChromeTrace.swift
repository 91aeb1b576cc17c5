internal import FoundationEssentials
public import WayreelCore

/// Traces in Chrome's Trace Event Format (JSON Object Format), for <https://ui.perfetto.dev> and `chrome://tracing`;
/// see <https://docs.google.com/document/d/1CvAClvFfyA5R-PhYUmn5OOQtYMH4h6I0nSsKchNAySU>.
public enum ChromeTrace {
    /// A JSON document with spans as complete events, and names of processes and threads. Time 0 is the earliest event.
    /// Events with non-finite times are dropped.
    ///
    /// Throws an `encoding` error if a value cannot be encoded.
    public static func encode(_ processes: [TraceProcess]) throws(MediaError) -> [UInt8] {
        let origin = processes.flatMap { $0.spans.map(\.startMilliseconds) }.filter(\.isFinite).min()
        let trace = Document(
            traceEvents: processes.flatMap { names($0) + spans($0, since: origin ?? 0) }, displayTimeUnit: "ms",
            originMilliseconds: origin ?? 0)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        do {
            return [UInt8](try encoder.encode(trace))
        } catch {
            throw MediaError(.encoding, step: .trace, reason: "\(error)".onOneLine)
        }
    }

    private struct Document: Encodable {
        var traceEvents: [TraceEvent]
        var displayTimeUnit: String
        /// Time 0 on the monotonic clock; viewers ignore it.
        var originMilliseconds: Double
    }

    private static func names(_ process: TraceProcess) -> [TraceEvent] {
        func name(_ kind: String, _ thread: Int?, _ text: String) -> TraceEvent {
            TraceEvent(ph: .metadata, name: kind, pid: process.identifier, tid: thread, args: ["name": text])
        }
        let threads = Dictionary(process.spans.map { ($0.thread, $0.threadName) }) { first, _ in first }
        return [name("process_name", nil, process.name)]
            + threads.sorted { $0.key < $1.key }.map { name("thread_name", $0.key, $0.value) }
    }

    private static func spans(_ process: TraceProcess, since origin: Double) -> [TraceEvent] {
        process.spans.compactMap { span in
            let end = microseconds(span.startMilliseconds + span.milliseconds - origin)
            let start = microseconds(span.startMilliseconds - origin)
            let cpu = span.cpuMilliseconds.flatMap { $0.isFinite ? microseconds($0) : nil }
            guard start.isFinite, end.isFinite, end >= start else { return nil }
            return TraceEvent(
                ph: .complete, name: span.name, cat: span.category, pid: process.identifier, tid: span.thread,
                ts: start,
                // Computed from rounded bounds, so that nesting is preserved.
                dur: microseconds((end - start) / 1000), tdur: cpu,
                args: span.details.isEmpty ? nil : span.details)
        }
    }

    private static func microseconds(_ milliseconds: Double) -> Double { (milliseconds * 1e6).rounded() / 1000 }
}

/// A trace event with the format's field names.
struct TraceEvent: Encodable {
    /// Event types.
    enum Phase: String, Encodable {
        /// A span with a duration.
        case complete = "X"
        /// The name of a process or thread.
        case metadata = "M"
    }

    var ph: Phase
    var name: String
    var cat: String?
    var pid: Int
    var tid: Int?
    /// In microseconds, like all times.
    var ts: Double?
    var dur: Double?
    /// CPU time of the thread.
    var tdur: Double?
    var args: [String: String]?
}

/// The spans of one process.
public struct TraceProcess: Sendable {
    public var name: String
    /// Its unique number in the trace.
    public var identifier: Int
    public var spans: [TraceSpan]

    public init(name: String, identifier: Int = 1, spans: [TraceSpan] = []) {
        self.name = name
        self.identifier = identifier
        self.spans = spans
    }
}
