internal import FoundationEssentials
internal import NIOCore
internal import Synchronization
internal import WayreelCore
internal import WayreelStorage
internal import WayreelTasks

/// The reason for which a job fails that no work of its own has made fail.
enum JobFault: Error, Hashable {
    /// The server was killed while it ran, each time.
    case interrupted(starts: Int)
    /// Another version of Wayreel made it.
    case unknownVersion
}

/// A durable queue of jobs, bounded by number and bytes, which run in child processes.
///
/// Jobs that were running when the server was killed are queued again when it starts, up to ``maxStarts`` times. Jobs that
/// a regular stop interrupts are queued again without a limit.
final class JobQueue: Sendable {
    let keptSeconds: Int
    let folder: JobFolder
    private let store: any JobStoring
    private let maxUnfinished: Int
    private let maxBytes: Int
    /// The part of both that one client may have, from 0 to 1.
    private let clientShare: Double
    /// The maximum number of running jobs of each kind.
    private let slots: [JobPayload.Kind: Int]
    private let pool: WorkPool
    /// The program of child processes.
    private let worker: String
    /// Of the child process of a video, in bytes.
    private let maxMemory: Int
    /// Runs the child processes of images.
    private let images: MediaWork
    private let files: StorageWork
    private let log: ServiceLog?
    private let state = Mutex(JobTable())

    /// The number of starts after which a job fails if the server was killed each time.
    private static let maxStarts = 3
    /// The maximum number of ended jobs that are kept. One client has its part, so that its jobs push out none of others.
    private static let maxEnded = 10_000

    /// Opens or creates the folder `data` with its jobs, or those of `store`.
    ///
    /// Throws an `io` error if it cannot be used.
    init(
        data: String, _ store: (any JobStoring)?, _ settings: ServiceSettings, _ plan: MemoryPlan, worker: String,
        images: MediaWork, files: StorageWork, _ log: ServiceLog?
    ) throws(MediaError) {
        (self.worker, self.images, self.files, self.log) = (worker, images, files, log)
        keptSeconds = settings.jobSeconds
        (maxUnfinished, maxBytes) = (settings.queuedJobs, settings.jobBytes)
        clientShare = settings.clientShare
        maxMemory = plan.videoChildBytes
        slots = [.transcode: settings.transcodes, .capture: plan.imageChildCount]
        pool = WorkPool(workers: settings.transcodes)
        folder = try JobFolder(data: data)
        self.store =
            if let store { store } else { try SQLiteJobs("\(data)/jobs.sqlite", threads: files.threads) }
    }

    // MARK: Life

    /// Starts the queue with the jobs that the last server left.
    ///
    /// Throws an `io` error if another process runs the same jobs.
    func start() async throws {
        try folder.lock()
        let jobs = try await store.jobs().map { Job($0) }
        folder.removeAll(but: Set(jobs.map(\.id)))
        for var job in jobs {
            if job.payload.kind == .unknown {
                // Its row and files stay as they are, for the version that made them.
                (job.state, job.problem) = (.failed, JobFault.unknownVersion.problem.json())
                job.ended = job.ended ?? Date().timeIntervalSince1970
            } else if !job.state.isEnded {
                job.state = .queued
                if job.starts >= Self.maxStarts {
                    job.end(.failed, JobFault.interrupted(starts: Self.maxStarts).problem)
                }
                try await store.put(job)
            }
            state.withLock { [job] in $0.add(job, of: nil) }
        }
        startNext()
    }

    /// Removes expired jobs at intervals until its task is cancelled.
    func sweep() async {
        let pause = min(max(Double(keptSeconds) / 4, 0.25), 60)
        while (try? await Task.sleep(for: .seconds(pause))) != nil {
            for id in expired() { await logging(id) { try await self.remove(id) } }
        }
    }

    /// Puts running jobs back into the queue, and returns when their processes have ended. Starts no further jobs.
    func stop() async {
        let tasks = state.withLock { state in
            state.isStopping = true
            for entry in state.entries.values {
                if entry.job.state == .running { entry.cancellation.cancel() }
                entry.notify()
            }
            return state.tasks.values.map(\.task)
        }
        for task in tasks { await task.value }
    }

    var isStopping: Bool { state.withLock(\.isStopping) }

    /// Whether a job of a client without jobs would be refused.
    var isFull: Bool {
        let load = state.withLock { $0.load() }
        return load.unfinished >= maxUnfinished || load.bytes >= maxBytes
    }

    /// The numbers of waiting and running jobs, and the bytes of all jobs.
    var load: (queued: Int, running: Int, bytes: Int) {
        state.withLock { state in
            let states = state.entries.values.map(\.job.state)
            return (states.count { $0 == .queued }, states.count { $0 == .running }, state.load().bytes)
        }
    }

    private func expired() -> [String] {
        let now = Date().timeIntervalSince1970
        let most = max(1, Int(Double(Self.maxEnded) * clientShare))
        return state.withLock { state in
            let ended = state.entries.values.filter { $0.job.ended != nil }.sorted { $0.job.ended! > $1.job.ended! }
            var kept = 0
            var ofClients: [Client: Int] = [:]
            // The newest ones stay.
            return ended.filter { entry in
                let own = entry.client.map { ofClients[$0] ?? 0 } ?? 0
                guard !isExpired(entry.job.ended!, now), own < most, kept < Self.maxEnded else { return true }
                kept += 1
                if let client = entry.client { ofClients[client] = own + 1 }
                return false
            }.map(\.job.id)
        }
    }

    private func isExpired(_ ended: Double, _ now: Double) -> Bool { ended + Double(keptSeconds) <= now }

    // MARK: Requests

    /// Adds a job with the input that `receive` passes on. `declared` is its number of bytes, if known.
    ///
    /// Throws an ``AdmissionFault`` if there is no room for it, an `io` error if it cannot be stored, and the errors of
    /// `receive`.
    func add(
        _ payload: JobPayload, bytes declared: Int?, of client: Client,
        receive: (_ piece: (ByteBuffer) async throws -> Void) async throws -> Void
    ) async throws -> Job {
        var reserved = declared ?? 0
        var count = 0
        var job = Job(payload: payload, inputBytes: 0)
        let id = job.id
        try reserve(reserved, for: id, of: client)
        do {
            let input = try await files.runAlways { [folder] in try folder.newInput(id) }
            do {
                try await receive { piece in
                    count += piece.readableBytes
                    if count > reserved {
                        let more = max(count - reserved, 1 << 20)
                        try reserve(more, for: id, of: client)
                        reserved += more
                    }
                    try await files.runAlways { try input.append(piece) }
                }
            } catch {
                input.close()
                throw error
            }
            job.inputBytes = count
            let received = job
            try await files.runAlways { try input.finish() }
            try await store.put(received)
        } catch {
            state.withLock { $0.uploads[id] = nil }
            try? await files.runAlways { [folder] in folder.remove(id) }
            throw error
        }
        let complete = job
        state.withLock { state in
            state.uploads[id] = nil
            state.add(complete, of: client)
        }
        startNext()
        return job
    }

    /// Throws if there is no room for a job of so many bytes now.
    func check(bytes: Int, of client: Client) throws(AdmissionFault) {
        try state.withLock { (state) throws(AdmissionFault) in
            try check(state, bytes: bytes, isNew: true, of: client)
        }
    }

    /// A job and its progress from 0 to 1; nil if it does not exist or has expired.
    func status(_ id: String) -> (job: Job, progress: Double)? {
        let now = Date().timeIntervalSince1970
        return state.withLock { state in
            guard let entry = state.entries[id], entry.job.ended.map({ !isExpired($0, now) }) ?? true else {
                return nil
            }
            return (entry.job, entry.job.state == .done ? 1 : entry.progress)
        }
    }

    /// Yields an element whenever a job changes, and every `seconds`.
    func changes(of id: String, every seconds: Double) -> AsyncStream<Void> {
        let (stream, observer) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let number = state.withLock { state in
            state.lastObserver += 1
            state.entries[id]?.observers[state.lastObserver] = observer
            return state.lastObserver
        }
        let clock = Task {
            while (try? await Task.sleep(for: .seconds(seconds))) != nil { observer.yield() }
        }
        observer.onTermination = { [self] _ in
            clock.cancel()
            state.withLock { $0.entries[id]?.observers[number] = nil }
        }
        observer.yield()
        return stream
    }

    /// Cancels a job, or removes one that has ended. Returns false if there is none.
    func delete(_ id: String) async throws -> Bool {
        guard let (job, _) = status(id) else { return false }
        guard !job.state.isEnded else {
            try await remove(id)
            return true
        }
        let cancelled: (job: Job, isRunning: Bool)? = state.withLock { state in
            guard let entry = state.entries[id], !entry.job.state.isEnded else { return nil }
            state.entries[id]!.job.end(.cancelled)
            state.queues[entry.job.payload.kind]?.removeAll { $0 == id }
            entry.cancellation.cancel()
            entry.notify()
            return (state.entries[id]!.job, state.tasks[id] != nil)
        }
        guard let cancelled else { return true }
        try await put(cancelled.job)
        // The folder of a running job is removed when its process has ended.
        if !cancelled.isRunning { try await files.runAlways { [folder] in folder.remove(id) } }
        return true
    }

    private func remove(_ id: String) async throws {
        try await store.remove(id)
        try await files.runAlways { [folder] in folder.remove(id) }
        state.withLock { state in
            state.entries[id]?.notify()
            state.entries[id] = nil
        }
        // Its work may have stored it in the meantime.
        try await store.remove(id)
    }

    /// Stores a job, unless it was removed in the meantime: it does not come back then.
    private func put(_ job: Job) async throws {
        try await store.put(job)
        if status(job.id) == nil { try await store.remove(job.id) }
    }

    /// Reserves bytes for the upload of a job, and a place for it if it is new.
    private func reserve(_ bytes: Int, for id: String, of client: Client) throws(AdmissionFault) {
        try state.withLock { (state) throws(AdmissionFault) in
            try check(state, bytes: bytes, isNew: state.uploads[id] == nil, of: client)
            state.uploads[id, default: (client, 0)].bytes += bytes
        }
    }

    private func check(_ state: JobTable, bytes: Int, isNew: Bool, of client: Client) throws(AdmissionFault) {
        let (unfinished, held) = state.load()
        guard !isNew || unfinished < maxUnfinished, held + bytes <= maxBytes else {
            throw .full(.jobs(maxUnfinished, bytes: maxBytes), seconds: 30)
        }
        for network in client.networks {
            let own = state.load(of: network)
            let share = min(1, clientShare * Double(network.clients))
            let (places, most) = (max(1, Int(Double(maxUnfinished) * share)), Int(Double(maxBytes) * share))
            // One job alone may have more than the part of a client.
            guard !isNew || own.unfinished < places, own.bytes == 0 || own.bytes + bytes <= most else {
                throw .share(.jobs(places, bytes: most))
            }
        }
    }

    // MARK: Work

    private func startNext() {
        state.withLock { state in
            guard !state.isStopping else { return }
            for (kind, count) in slots {
                while state.running(kind) < count, let id = state.popNext(kind) {
                    state.entries[id]!.job.state = .running
                    state.entries[id]!.job.starts += 1
                    state.entries[id]!.notify()
                    let entry = state.entries[id]!
                    state.tasks[id] = (kind, Task { [self] in await work(entry.job, entry.cancellation) })
                }
            }
        }
    }

    private func work(_ job: Job, _ cancellation: Cancellation) async {
        let (input, output) = (folder.input(job.id), folder.result(job.id))
        let poster = folder.posterPath(job.id, job.payload)
        let threads = max(1, WorkPool.availableCores / slots[job.payload.kind]!)
        var error: MediaError?
        do {
            // The start is recorded first. Otherwise a job that crashes the server would start again for ever.
            try await put(job)
            let run: @Sendable (_ maxMemory: Int) -> MediaError? = { [self] maxMemory in
                job.payload.run(
                    input, output, poster: poster, threads: threads,
                    isolation: Isolation(executable: worker, memoryBytes: maxMemory, tasksPerProcess: 1),
                    cancellation: cancellation
                ) { [self] progress in
                    note(job.id, progress.fraction ?? 0)
                }
            }
            switch job.payload.kind {
            case .capture: error = try await images.runChild { run($1) }
            case .transcode, .unknown:
                error = try await pool.run { [maxMemory] (_) throws(MediaError) in run(maxMemory) }
            }
        } catch let fault { error = (fault as? StorageFault)?.cause ?? fault as? MediaError ?? WorkPool.noThread }
        let resultBytes = error == nil ? try? await files.runAlways { [folder] in folder.resultBytes(job.id) } : nil
        let ended = state.withLock { state -> Job? in
            guard var ended = state.entries[job.id]?.job else { return nil }
            if ended.state == .cancelled { return ended }
            if state.isStopping, error != nil {
                ended.state = .queued
                ended.starts -= 1
            } else if let error {
                ended.end(.failed, Problem(error))
            } else {
                ended.end(.done)
                ended.resultBytes = resultBytes
                ended.inputBytes = 0
            }
            return ended
        }
        // Observers are notified after the end is stored. If it cannot be stored, the next server runs the job again.
        var isStored = true
        if let ended {
            isStored = await logging(job.id) { try await self.put(ended) }
        }
        let isCancelled = state.withLock { state in
            state.tasks[job.id] = nil
            guard let ended, let entry = state.entries[job.id], entry.job.state != .cancelled else { return true }
            state.entries[job.id]!.job = ended
            entry.notify()
            return false
        }
        await logging(job.id) { [folder, isStored] in
            if isCancelled, let cancelled = self.status(job.id)?.job { try await self.put(cancelled) }
            try await self.files.runAlways {
                if isCancelled || isStored && ended?.state == .failed {
                    folder.remove(job.id)
                } else if ended?.state == .done, isStored {
                    folder.removeInput(job.id)
                }
            }
        }
        startNext()
    }

    private func note(_ id: String, _ progress: Double) {
        state.withLock { state in
            guard let entry = state.entries[id], progress > entry.progress else { return }
            state.entries[id]!.progress = min(progress, 1)
            entry.notify()
        }
    }

    /// Runs `body` and logs its error, because no client learns it. Returns whether it succeeded.
    @discardableResult
    private func logging(_ id: String, _ body: @Sendable () async throws -> Void) async -> Bool {
        do {
            try await body()
            return true
        } catch {
            log?.write(job: id, fault: "\(error)")
            return false
        }
    }
}
