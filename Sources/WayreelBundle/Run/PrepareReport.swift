public import WayreelCore

/// The results of a preparation, by task and in total.
public struct PrepareReport: Sendable, Codable {
    public struct TaskResult: Sendable, Codable {
        public enum Status: String, Sendable, Codable {
            case made, reused, failed
        }

        public var kind: PlannedTask.Kind
        public var uses: [PlannedTask.Use]
        public var status: Status
        public var wallMilliseconds: Double
        public var cpuMilliseconds: Double
        /// The peak memory of the process that ran it; nil if that process ran other tasks too.
        public var peakMemoryBytes: Int?
        public var bytesIn: Int
        public var bytesOut: Int
        public var warnings: [MediaWarning]
        public var error: MediaError?
    }

    /// The version of Wayreel.
    public var wayreel: String
    public var story: String
    public var screens: [String]
    /// Whether the bundle now matches the plan: it was switched, or was up to date.
    public var isComplete: Bool
    /// Whether the bundle was switched to a new version, possibly its first one.
    public var isSwitched: Bool
    public var wallMilliseconds: Double
    /// The processor time of all tasks that ran, and of measuring for a maximum size.
    public var cpuMilliseconds: Double
    /// The peak memory of the largest process.
    public var peakMemoryBytes: Int
    /// The size of all files of the story that are used.
    public var bytesIn: Int
    /// The size of all media of the bundle.
    public var bytesOut: Int
    /// The tasks in the order of the plan.
    public var tasks: [TaskResult]
    public var failures: [PreparePlan.Failure]
    public var warnings: [String]
    /// The quality that was given up to stay within the maximum size.
    public var budget: BudgetReport?

    public func count(_ status: TaskResult.Status) -> Int { tasks.count { $0.status == status } }
}

/// An event during the preparation of a story.
public enum PrepareEvent: Sendable {
    /// The number of media measured for a maximum size, and the total number to measure.
    case measured(Int, of: Int)
    case planned(PreparePlan)
    case started(PlannedTask)
    case progress(PlannedTask, TaskProgress)
    case finished(PlannedTask, PrepareReport.TaskResult)
}
