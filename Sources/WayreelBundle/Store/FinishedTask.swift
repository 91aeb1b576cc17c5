internal import WayreelCore

/// The results of a finished task, as the state stores them.
struct FinishedTask: Hashable, Sendable, Codable {
    struct Output: Hashable, Sendable, Codable {
        /// The published file, with its path in the bundle.
        var media: MediaFile
        /// The stamps of its files at publishing, in the order of the files.
        var stamps: [String]

        var bytes: Int { media.totalBytes }
    }

    var outputs: [Output]
    /// The size of all outputs.
    var bytes: Int { outputs.reduce(0) { $0 + $1.bytes } }
    var wallMilliseconds: Double
    var cpuMilliseconds: Double
    /// The peak memory of its process; nil if that process ran other tasks too.
    var memoryBytes: Int?
    var warnings: [MediaWarning]
}

/// A finished task to record in the state.
struct TaskRecord: Sendable {
    var task: FinishedTask
    var key: String
    /// The amount of work and the processor time in seconds; nil if the cost has been recorded before.
    var cost: (work: CostModel.Work, seconds: Double)?
}
