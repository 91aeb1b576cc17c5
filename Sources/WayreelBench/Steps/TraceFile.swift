internal import FoundationEssentials
internal import WayreelCore

/// Reads the spans of a trace that `--trace` has written.
enum TraceFile {
    private struct Document: Decodable {
        struct Event: Decodable {
            struct Arguments: Decodable {
                var name: String?
            }

            var ph: String
            var name: String
            var tid: Int?
            var ts: Double?
            var dur: Double?
            var tdur: Double?
            var args: Arguments?
        }

        var traceEvents: [Event]
        /// When its 0 was, on the monotonic clock.
        var originMilliseconds: Double?
    }

    /// Throws an `io` error where it cannot be read, and a `decoding` one where it is none.
    static func read(_ path: String) throws(MediaError) -> [TraceSpan] {
        let bytes = try MediaBytes.read(path: path, limit: 1 << 30)
        let document: Document
        do {
            document = try withExtendedLifetime(bytes) {
                try JSONDecoder().decode(Document.self, from: Data($0.buffer))
            }
        } catch {
            throw MediaError(.decoding, step: "bench", subject: path, reason: "is no trace: \(error)")
        }
        var names: [Int: String] = [:]
        for event in document.traceEvents where event.ph == "M" && event.name == "thread_name" {
            if let thread = event.tid, let name = event.args?.name { names[thread] = name }
        }
        let origin = document.originMilliseconds ?? 0
        return document.traceEvents.compactMap { event in
            guard event.ph == "X", let start = event.ts, let length = event.dur, let thread = event.tid else {
                return nil
            }
            return TraceSpan(
                name: event.name, thread: thread, threadName: names[thread] ?? "",
                startMilliseconds: origin + start / 1000, milliseconds: length / 1000,
                cpuMilliseconds: event.tdur.map { $0 / 1000 })
        }
    }
}
