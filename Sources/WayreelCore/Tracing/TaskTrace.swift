/// What the threads of a task did.
public struct TaskTrace: Hashable, Sendable, Codable {
    /// The process, by the kernel's number.
    public var process: Int
    /// In the order in which they ended.
    public var spans: [TraceSpan]
    /// How many more there were than are kept.
    public var lost: Int

    public init(process: Int, spans: [TraceSpan], lost: Int = 0) {
        self.process = process
        self.spans = spans
        self.lost = lost
    }
}
