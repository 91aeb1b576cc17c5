internal import FoundationEssentials
package import WayreelCore

/// Reads the spans of a `--trace` file.
package enum TraceFile {
    private struct Document: Decodable {
        var traceEvents: [Event]
        /// Time 0 on the monotonic clock; absent in traces of other programs.
        var originMilliseconds: Double
    }

    private struct Event: Decodable {
        struct Name: Decodable {
            var name: String
        }

        enum CodingKeys: CodingKey {
            case ph, name, cat, tid, ts, dur, tdur, args
        }

        var span: TraceSpan?
        /// Name of a thread.
        var name: (thread: Int, text: String)?

        init(from decoder: any Decoder) throws {
            let event = try decoder.container(keyedBy: CodingKeys.self)
            let (kind, name) = try (event.decode(String.self, forKey: .ph), event.decode(String.self, forKey: .name))
            switch kind {
            case "X":
                // In microseconds.
                let length = try event.decode(Double.self, forKey: .dur)
                guard length >= 0 else {
                    throw DecodingError.dataCorruptedError(
                        forKey: .dur, in: event, debugDescription: "is negative")
                }
                span = TraceSpan(
                    name: name, category: try event.decodeIfPresent(String.self, forKey: .cat) ?? "step",
                    thread: try event.decode(Int.self, forKey: .tid), threadName: "",
                    startMilliseconds: try event.decode(Double.self, forKey: .ts) / 1000,
                    milliseconds: length / 1000,
                    cpuMilliseconds: try event.decodeIfPresent(Double.self, forKey: .tdur).map { $0 / 1000 })
            case "M" where name == "thread_name":
                self.name = try (
                    event.decode(Int.self, forKey: .tid), event.decode(Name.self, forKey: .args).name
                )
            default: break
            }
        }
    }

    /// Throws an `io` error if it cannot be read, and a `decoding` error if it is not a trace.
    package static func read(_ path: String) throws(MediaError) -> [TraceSpan] {
        let bytes = try MediaBytes.read(path: path, limit: 1 << 30)
        let document: Document
        do {
            document = try withExtendedLifetime(bytes) {
                try JSONDecoder().decode(Document.self, from: Data($0.buffer))
            }
        } catch {
            throw MediaError(
                .decoding, step: "bench", subject: path,
                reason: (error as? DecodingError)?.isOfSyntax == true
                    ? "is not JSON" : "is not a --trace file\((error as? DecodingError)?.location ?? "")")
        }
        let names = Dictionary(document.traceEvents.compactMap(\.name)) { first, _ in first }
        return document.traceEvents.compactMap { event in
            guard var span = event.span else { return nil }
            span.threadName = names[span.thread] ?? ""
            span.startMilliseconds += document.originMilliseconds
            return span
        }
    }
}

extension DecodingError {
    private var found: (isData: Bool, path: [any CodingKey]) {
        switch self {
        case .keyNotFound(let key, let context): (false, context.codingPath + [key])
        case .typeMismatch(_, let context), .valueNotFound(_, let context): (false, context.codingPath)
        case .dataCorrupted(let context): (true, context.codingPath)
        @unknown default: (false, [])
        }
    }

    fileprivate var isOfSyntax: Bool { found.isData && found.path.isEmpty }

    /// Location of the error: `: traceEvents[3].dur`; empty at the root.
    fileprivate var location: String {
        let path = found.path.reduce("") { text, key in
            if let index = key.intValue { return text + "[\(index)]" }
            return text.isEmpty ? key.stringValue : "\(text).\(key.stringValue)"
        }
        return path.isEmpty ? "" : ": \(path)"
    }
}
