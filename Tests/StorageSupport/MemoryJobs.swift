package import WayreelStorage

/// Jobs in memory. They promise what ``SQLiteJobs`` promises, except that nothing outlives them.
package actor MemoryJobs: JobStoring {
    private var stored: [String: StoredJob] = [:]

    package init(_ jobs: [StoredJob] = []) { for job in jobs { stored[job.id] = job } }

    package func put(_ job: StoredJob) { stored[job.id] = job }

    package func remove(_ id: String) { stored[id] = nil }

    package func jobs() -> [StoredJob] { stored.values.sorted { ($0.created, $0.id) < ($1.created, $1.id) } }
}
