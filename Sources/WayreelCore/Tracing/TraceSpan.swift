/// Something that a thread was doing for a while: a step of a task.
public struct TraceSpan: Hashable, Sendable, Codable {
    public var name: String
    /// What kind of thing it is, so that a viewer can hide some: `step`, `wait`.
    public var category: String
    /// The number by which the system knows the thread. Spans of one thread lie in each other or apart.
    public var thread: Int
    public var threadName: String
    /// When it began, on the monotonic clock.
    public var startMilliseconds: Double
    /// Wall time.
    public var milliseconds: Double
    /// Processor time of the thread; nil where it was not measured.
    public var cpuMilliseconds: Double?
    /// What else is to be known of it, by name: the file, the size.
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
