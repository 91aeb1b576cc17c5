internal import WayreelCore

/// The jobs of a queue: what they take, and whose turn it is.
struct JobTable {
    struct Entry {
        var job: Job
        /// Who sent it; nil after a restart.
        var client: Client?
        var progress = 0.0
        let cancellation = Cancellation()
        var observers: [Int: AsyncStream<Void>.Continuation] = [:]

        init(_ job: Job, of client: Client?) { (self.job, self.client) = (job, client) }

        func notify() { for observer in observers.values { observer.yield() } }
    }

    var entries: [String: Entry] = [:]
    /// The ids of queued jobs, the next one first.
    var queues: [JobPayload.Kind: [String]] = [:]
    var tasks: [String: (kind: JobPayload.Kind, task: Task<Void, Never>)] = [:]
    /// The uploads in progress, by the ids of their jobs, and the bytes reserved for them.
    var uploads: [String: (client: Client, bytes: Int)] = [:]
    var lastObserver = 0
    var isStopping = false
    /// When jobs of each client were started last, as a count of all starts.
    private var lastStarts: [Client?: Int] = [:]
    private var starts = 0

    /// The number of jobs that have not ended, and the bytes of all jobs: those of one network, or of all.
    func load(of network: Client.Network? = nil) -> (unfinished: Int, bytes: Int) {
        func counts(_ client: Client?) -> Bool {
            network.map { network in client?.networks.contains(network) ?? false } ?? true
        }
        var load = (unfinished: 0, bytes: 0)
        for upload in uploads.values where counts(upload.client) {
            load.unfinished += 1
            load.bytes += upload.bytes
        }
        for entry in entries.values where counts(entry.client) {
            if !entry.job.state.isEnded { load.unfinished += 1 }
            load.bytes += entry.job.bytes
        }
        return load
    }

    mutating func add(_ job: Job, of client: Client?) {
        entries[job.id] = Entry(job, of: client)
        if job.state == .queued { queues[job.payload.kind, default: []].append(job.id) }
    }

    /// Takes the job that starts next: the first one of the client whose last start is longest ago.
    mutating func popNext(_ kind: JobPayload.Kind) -> String? {
        let queue = queues[kind] ?? []
        guard
            let next = queue.min(by: {
                lastStarts[entries[$0]?.client] ?? 0 < lastStarts[entries[$1]?.client] ?? 0
            })
        else { return nil }
        queues[kind] = queue.filter { $0 != next }
        starts += 1
        lastStarts[entries[next]?.client] = starts
        // Only clients with jobs have a turn.
        let clients = Set(entries.values.map(\.client))
        lastStarts = lastStarts.filter { clients.contains($0.key) }
        return next
    }

    func running(_ kind: JobPayload.Kind) -> Int { tasks.values.count { $0.kind == kind } }
}
