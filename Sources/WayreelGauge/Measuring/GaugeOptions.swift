/// Options for running and sampling a program.
public struct GaugeOptions: Sendable {
    /// Redirection of standard input or output.
    public enum Stream: String, Sendable, Codable, CaseIterable {
        /// Shared with this process. With a terminal as standard input, the program stays in this process group,
        /// because a background group would be stopped on reading.
        case inherited
        /// Redirected to `/dev/null`.
        case none
    }

    /// Redirection of standard error.
    public enum ErrorStream: Hashable, Sendable {
        case inherited
        /// Redirected to `/dev/null`.
        case none
        /// Collected in ``Measurement/errorTail``, which keeps this number of last bytes.
        case tail(bytes: Int)
    }

    public var input: Stream
    public var output: Stream
    public var errors: ErrorStream
    /// Working directory, from which a relative program path is resolved; nil for this process's.
    public var folder: String?
    /// Max wall time, after which the whole process group is ended.
    public var timeoutSeconds: Double
    /// Seconds between SIGTERM and SIGKILL.
    public var graceSeconds: Double
    /// Sampling interval, 0.005 to 60 s. Expensive readings are taken less often; see ``SamplingCost``.
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

    /// Max size of the tail.
    static let tailBytes = 1 << 20
}
