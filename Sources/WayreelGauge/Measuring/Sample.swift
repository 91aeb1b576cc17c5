/// State of a process tree at a point in time.
public struct Sample: Hashable, Sendable, Codable {
    /// Wall time since the start.
    public var milliseconds: Double
    /// CPU use since the previous sample, or the start, in percent of one core: 200 is two busy cores.
    public var cpuPercent: Double
    /// Sum of resident sets in bytes. Shared pages count for each process.
    public var residentBytes: Int
    /// Sum of proportional sets in bytes: pages shared by `n` processes count 1/n. nil if never read.
    public var proportionalBytes: Int?
    /// Whether ``proportionalBytes`` was read for this sample. Otherwise it is the last reading (or the first one)
    /// adjusted by the change of ``residentBytes``.
    public var isProportionalRead: Bool
    /// Number of processes.
    public var processes: Int
    /// CPU time since the start by thread name, including ended threads, in milliseconds; nil if not read. A thread
    /// that ends between two readings counts up to the first one.
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
    /// CPU use by thread name since `earlier`, the previous sample with thread times, in percent of one core; since the
    /// start if nil. nil without thread times or elapsed time.
    public func threadPercents(since earlier: Sample?) -> [String: Double]? {
        let time = milliseconds - (earlier?.milliseconds ?? 0)
        guard let threadMilliseconds, time > 0 else { return nil }
        return Dictionary(
            uniqueKeysWithValues: threadMilliseconds.map { name, now in
                (name, max(0, now - (earlier?.threadMilliseconds?[name] ?? 0)) / time * 100)
            })
    }
}
