public import WayreelCore

/// What a preparation did, task by task and in total.
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
        /// Of the process that ran it; nil where that ran other tasks as well.
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
    /// Whether the bundle holds what the plan says: it was switched, or was up to date.
    public var isComplete: Bool
    /// Whether a new version replaced another one, or none.
    public var isSwitched: Bool
    public var wallMilliseconds: Double
    /// Of all tasks that were made, and of measuring for a maximum size.
    public var cpuMilliseconds: Double
    /// Of the largest process.
    public var peakMemoryBytes: Int
    /// Of all files of the story that are used.
    public var bytesIn: Int
    /// Of all media of the bundle.
    public var bytesOut: Int
    /// In the order of the plan.
    public var tasks: [TaskResult]
    public var failures: [PreparePlan.Failure]
    public var warnings: [String]
    /// What was given up to stay within the size asked for.
    public var budget: BudgetReport?

    public func count(_ status: TaskResult.Status) -> Int { tasks.count { $0.status == status } }
}

/// What happens while a story is prepared.
public enum PrepareEvent: Sendable {
    /// So many media were measured for a maximum size.
    case measured(Int, of: Int)
    case planned(PreparePlan)
    case started(PlannedTask)
    case progress(PlannedTask, TaskProgress)
    case finished(PlannedTask, PrepareReport.TaskResult)
}
