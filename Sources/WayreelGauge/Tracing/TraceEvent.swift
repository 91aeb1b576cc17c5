/// A trace event with the format's field names.
struct TraceEvent: Encodable {
    /// Event types.
    enum Phase: String, Encodable {
        /// A span with a duration.
        case complete = "X"
        case counter = "C"
        /// The name of a process or thread.
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
    /// In microseconds, like all times.
    var ts: Double?
    var dur: Double?
    /// CPU time of the thread.
    var tdur: Double?
    var args: [String: Argument]?
}
