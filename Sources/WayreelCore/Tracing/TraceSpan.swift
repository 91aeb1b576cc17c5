/// A period of activity of a thread, such as a step of a task.
public struct TraceSpan: Hashable, Sendable, Codable {
    public var name: String
    /// Category for filtering in a viewer: `step`, `wait`.
    public var category: String
    /// Thread ID. Spans of one thread are nested or disjoint.
    public var thread: Int
    public var threadName: String
    /// Start on the monotonic clock.
    public var startMilliseconds: Double
    /// Wall time.
    public var milliseconds: Double
    /// CPU time of the thread; nil if not measured.
    public var cpuMilliseconds: Double?
    /// Further properties by name, such as the file and the size.
    public var details: [String: String]

    public init(
        name: String, category: String = "step", thread: Int, threadName: String, startMilliseconds: Double,
        milliseconds: Double, cpuMilliseconds: Double? = nil, details: [String: String] = [:]
    ) {
        self.name = name
        self.category = category
        self.thread = thread
        self.threadName = threadName
        self.startMilliseconds = startMilliseconds
        self.milliseconds = milliseconds
        self.cpuMilliseconds = cpuMilliseconds
        self.details = details
    }
}
