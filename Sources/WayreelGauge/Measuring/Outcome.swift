/// The outcome of a program.
public enum Outcome: Hashable, Sendable, CustomStringConvertible {
    case exited(status: Int32)
    /// `outOfMemory`: probably the kernel's OOM kill: a SIGKILL not sent by this process while the kernel counted an
    /// OOM kill, or does not report the count.
    case signalled(Int32, outOfMemory: Bool)
    /// Ended for exceeding ``GaugeOptions/timeoutSeconds``.
    case timedOut

    /// Whether it exited with status 0.
    public var isSuccess: Bool { self == .exited(status: 0) }

    public var description: String {
        switch self {
        case .exited(let status): "exited with status \(status)"
        case .signalled(let signal, false): "ended by signal \(signal)"
        case .signalled(let signal, true): "ended by signal \(signal), probably out of memory"
        case .timedOut: "exceeded the timeout and was ended"
        }
    }
}

/// Encoded as `{"ending": "exited", "status": 0}`, `{"ending": "signalled", "signal": 9, "outOfMemory": true}`,
/// `{"ending": "timedOut"}`.
extension Outcome: Codable {
    private enum CodingKeys: String, CodingKey {
        case ending, status, signal, outOfMemory
    }

    private enum Ending: String, Codable {
        case exited, signalled, timedOut
    }

    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        self =
            switch try values.decode(Ending.self, forKey: .ending) {
            case .exited: .exited(status: try values.decode(Int32.self, forKey: .status))
            case .signalled:
                .signalled(
                    try values.decode(Int32.self, forKey: .signal),
                    outOfMemory: try values.decode(Bool.self, forKey: .outOfMemory))
            case .timedOut: .timedOut
            }
    }

    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        switch self {
        case .exited(let status):
            try values.encode(Ending.exited, forKey: .ending)
            try values.encode(status, forKey: .status)
        case .signalled(let signal, let outOfMemory):
            try values.encode(Ending.signalled, forKey: .ending)
            try values.encode(signal, forKey: .signal)
            try values.encode(outOfMemory, forKey: .outOfMemory)
        case .timedOut: try values.encode(Ending.timedOut, forKey: .ending)
        }
    }
}
