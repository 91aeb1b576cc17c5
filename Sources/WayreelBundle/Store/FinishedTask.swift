internal import WayreelCore

/// What a task made, as the state remembers it.
struct FinishedTask: Hashable, Sendable, Codable {
    struct Output: Hashable, Sendable, Codable {
        /// In the bundle.
        var media: MediaFile
        /// The stamps of its files when they were published, in their order.
        var stamps: [String]

        var bytes: Int { media.totalBytes }
    }

    var outputs: [Output]
    /// Of all outputs.
    var bytes: Int { outputs.reduce(0) { $0 + $1.bytes } }
    var wallMilliseconds: Double
    var cpuMilliseconds: Double
    /// Of the process that ran it, where that ran nothing else.
    var memoryBytes: Int?
    var warnings: [MediaWarning]
}

/// A finished task as it is recorded.
struct TaskRecord: Sendable {
    var task: FinishedTask
    var key: String
    /// nil where it was recorded before.
    var cost: (work: CostModel.Work, seconds: Double)?
}
