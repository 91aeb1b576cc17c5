/// What the threads of a task did.
public struct TaskTrace: Hashable, Sendable, Codable {
    /// In the order in which they ended.
    public var spans: [TraceSpan]
    /// How many more there were than are kept.
    public var lost: Int

    public init(spans: [TraceSpan], lost: Int = 0) {
        self.spans = spans
        self.lost = lost
    }
}

/// A stretch of work on one thread, as a trace shows it. Spans of a thread lie within one another or apart.
public struct TraceSpan: Hashable, Sendable, Codable {
    public var name: String
    /// The process and the thread, by the kernel's numbers.
    public var process: Int
    public var thread: Int
    /// As the thread is called.
    public var threadName: String
    /// In seconds on the machine's monotonic clock, which all processes share.
    public var start: Double
    /// Wall time, in seconds.
    public var seconds: Double
    /// Processor time of the thread meanwhile, in seconds.
    public var cpuSeconds: Double

    public init(
        name: String, process: Int, thread: Int, threadName: String, start: Double, seconds: Double, cpuSeconds: Double
    ) {
        self.name = name
        self.process = process
        self.thread = thread
        self.threadName = threadName
        self.start = start
        self.seconds = seconds
        self.cpuSeconds = cpuSeconds
    }
}
