/// What a tree of processes was doing and holding at one time.
public struct Sample: Hashable, Sendable, Codable {
    /// Since the start, wall time.
    public var milliseconds: Double
    /// Processor time since the sample before, or since the start, in percent of one core: 200 is two cores at work.
    public var cpuPercent: Double
    /// The processes' resident sets, in bytes. What several of them share counts for each.
    public var residentBytes: Int
    /// The processes' proportional sets, in bytes: what `n` of the machine's processes share counts for a nth. nil where
    /// it was never read.
    public var proportionalBytes: Int?
    /// Whether ``proportionalBytes`` was read here. Otherwise it is the last reading, or before the first that one, and what was
    /// added to ``residentBytes`` since.
    public var isProportionalRead: Bool
    /// How many processes there were.
    public var processes: Int
    /// Processor time since the start by name of the threads, those that have ended included, in milliseconds; nil where it was
    /// not read here. A thread that ends between two readings counts up to the first of them only.
    public var threadMilliseconds: [String: Double]?

    public init(
        milliseconds: Double, cpuPercent: Double, residentBytes: Int, proportionalBytes: Int? = nil,
        isProportionalRead: Bool = false, processes: Int = 1, threadMilliseconds: [String: Double]? = nil
    ) {
        self.milliseconds = milliseconds
        self.cpuPercent = cpuPercent
        self.residentBytes = residentBytes
        self.proportionalBytes = proportionalBytes
        self.isProportionalRead = isProportionalRead
        self.processes = processes
        self.threadMilliseconds = threadMilliseconds
    }
}

extension Sample {
    /// Processor time by name of the threads since `earlier`, the sample before this one in which they were read, in percent of
    /// one core; since the start where that is nil. nil where they were not read here, or no time has passed.
    public func threadPercents(since earlier: Sample?) -> [String: Double]? {
        let time = milliseconds - (earlier?.milliseconds ?? 0)
        guard let threadMilliseconds, time > 0 else { return nil }
        return Dictionary(
            uniqueKeysWithValues: threadMilliseconds.map { name, now in
                (name, max(0, now - (earlier?.threadMilliseconds?[name] ?? 0)) / time * 100)
            })
    }
}
