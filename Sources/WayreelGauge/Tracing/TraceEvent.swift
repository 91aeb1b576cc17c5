/// One event of a trace, under the names that the format has for its parts.
struct TraceEvent: Encodable {
    /// The kinds of events, by their letters.
    enum Phase: String, Encodable {
        /// A span with its length.
        case complete = "X"
        case counter = "C"
        /// A name of a process or a thread.
        case metadata = "M"
    }

    enum Argument: Encodable {
        case text(String)
        case number(Double)

        func encode(to encoder: any Encoder) throws {
            var value = encoder.singleValueContainer()
            switch self {
            case .text(let text): try value.encode(text)
            case .number(let number): try value.encode(number)
            }
        }
    }

    var ph: Phase
    var name: String
    var cat: String?
    var pid: Int
    var tid: Int?
    /// Microseconds, as the other times are.
    var ts: Double?
    var dur: Double?
    /// Processor time of the thread.
    var tdur: Double?
    var args: [String: Argument]?
}
