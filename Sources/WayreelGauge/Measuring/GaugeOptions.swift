/// How ``Gauge`` runs a program and how often it looks at it.
public struct GaugeOptions: Sendable {
    /// Where standard input or output leads.
    public enum Stream: String, Sendable, Codable, CaseIterable {
        /// Where this process's leads. With a terminal as standard input the program stays in this process's process group: one
        /// of its own would be stopped when it reads.
        case inherited
        /// To `/dev/null`.
        case none
    }

    /// Where standard error leads.
    public enum ErrorStream: Hashable, Sendable {
        case inherited
        /// To `/dev/null`.
        case none
        /// Into ``Measurement/errorTail``, of which so many bytes at the end are kept.
        case tail(bytes: Int)
    }

    public var input: Stream
    public var output: Stream
    public var errors: ErrorStream
    /// The folder that the program runs in, and from which a path to it is looked up; nil: this process's.
    public var folder: String?
    /// Wall time after which the program, and all of its process group, is ended.
    public var timeoutSeconds: Double
    /// How long after SIGTERM what is left of the group gets SIGKILL.
    public var graceSeconds: Double
    /// From sample to sample, 0.005 to 60 s. A reading that costs too much is taken less often, see ``SamplingCost``.
    public var intervalSeconds: Double

    public init(
        input: Stream = .none, output: Stream = .inherited, errors: ErrorStream = .inherited, folder: String? = nil,
        timeoutSeconds: Double = .infinity, graceSeconds: Double = 2, intervalSeconds: Double = 0.05
    ) {
        self.input = input
        self.output = output
        self.errors = errors
        self.folder = folder
        self.timeoutSeconds = timeoutSeconds
        self.graceSeconds = graceSeconds
        self.intervalSeconds = intervalSeconds
    }

    static let intervals = 0.005...60.0

    /// The largest tail that is kept.
    static let tailBytes = 1 << 20
}
