/// Stores jobs, so that a server that starts finds those of the one before it. It knows nothing of what they do.
///
/// Each function has its whole effect or none; what it has stored survives a loss of power when it returns.
package protocol JobStoring: Sendable {
    /// Adds a job, or replaces the one with its id.
    func put(_ job: StoredJob) async throws(StorageFault)

    /// Removes a job. A missing one is no error.
    func remove(_ id: String) async throws(StorageFault)

    /// All jobs, the oldest first.
    func jobs() async throws(StorageFault) -> [StoredJob]
}

/// A job as it is stored.
package struct StoredJob: Hashable, Sendable {
    /// 160 random bits: who knows it may read the job.
    package var id: String
    /// What it does, as the program that made it writes it.
    package var work: String
    /// Likewise.
    package var state: String
    /// Seconds since 1970.
    package var created: Double
    package var ended: Double?
    package var inputBytes: Int
    package var resultBytes: Int?
    /// What clients are told of its failure.
    package var problem: String?
    /// The number of starts, except those that a regular stop of the server interrupted.
    package var starts: Int

    package init(
        id: String, work: String, state: String, created: Double, ended: Double?, inputBytes: Int, resultBytes: Int?,
        problem: String?, starts: Int
    ) {
        (self.id, self.work, self.state) = (id, work, state)
        (self.created, self.ended) = (created, ended)
        (self.inputBytes, self.resultBytes) = (inputBytes, resultBytes)
        (self.problem, self.starts) = (problem, starts)
    }
}
