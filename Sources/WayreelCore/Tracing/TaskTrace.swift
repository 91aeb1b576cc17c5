/// The activity of a task's threads.
public struct TaskTrace: Hashable, Sendable, Codable {
    /// Process ID.
    public var process: Int
    /// The spans in the order in which they ended.
    public var spans: [TraceSpan]
    /// Number of spans dropped over the limit.
    public var lost: Int

    public init(process: Int, spans: [TraceSpan], lost: Int = 0) {
        self.process = process
        self.spans = spans
        self.lost = lost
    }
}
