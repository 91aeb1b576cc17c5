internal import Glibc
internal import WayreelCore

/// Supervises one worker from its request to its answer: time, memory and heartbeats.
struct WorkerSupervisor {
    private let processes: WorkerProcessPool
    /// Of the request, in bytes; nil for no limit.
    private let memoryBytes: Int?
    private let start = Clock.wall
    private(set) var peakBytes = 0
    private(set) var cpuMilliseconds = 0.0

    private var isolation: Isolation { processes.isolation }

    /// The step in errors about a process that was ended.
    static let step = MediaError.Step.work

    /// Polling interval for memory and time in milliseconds.
    private static let interval: Int32 = 50
    /// Seconds between SIGTERM and SIGKILL.
    private static let gracePeriod = 0.5

    /// `memoryBytes`: the limit of this request, if it is not that of the isolation.
    init(_ processes: WorkerProcessPool, memoryBytes: Int? = nil) {
        self.processes = processes
        self.memoryBytes = memoryBytes ?? processes.isolation.memoryBytes
    }

    /// Runs `request` in a worker. Throws the worker's error, or the reason why the worker was ended.
    mutating func execute<Request: WorkRequest>(
        _ request: Request, cancellation: Cancellation, progress: (TaskProgress) -> Void = { _ in }
    ) throws(MediaError) -> Request.Answer {
        let bytes: [UInt8]
        do { bytes = try WorkJSON.encode(WorkEnvelope(request, memoryBytes: dataBytes)) } catch {
            throw MediaError(.parameter, step: .start, reason: "the task cannot be encoded: \(error)")
        }
        let worker = try processes.worker(for: request, memoryBytes: memoryBytes)
        RunningWorkers.note(worker, writing: request.outputs)
        defer { RunningWorkers.forget(worker) }
        worker.send(request: bytes)
        var answer: Result<Request.Answer, MediaError>?
        var workerError: MediaError?
        var lastMessage = Clock.wall
        var terminatedAt: Double?
        while worker.isSocketOpen, answer == nil {
            for line in worker.receive(within: Self.interval) {
                let message: WorkMessage<Request.Answer>
                do { message = try WorkJSON.decode(WorkMessage<Request.Answer>.self, from: line) } catch {
                    workerError = MediaError(
                        .io, step: Self.step, reason: "the message of its process cannot be read: \(error)".onOneLine,
                        advice: "use a command of this version for the processes")
                    worker.kill()
                    break
                }
                lastMessage = Clock.wall
                switch message {
                case .progress(let state): progress(state)
                case .answer(let value, let cpu):
                    answer = .success(value)
                    cpuMilliseconds = cpu
                case .failure(let error, let cpu):
                    answer = .failure(error)
                    cpuMilliseconds = cpu
                case .isAlive: break
                }
            }
            if workerError == nil, answer == nil {
                workerError = fault(worker, maxSeconds: request.maxSeconds, lastMessage: lastMessage)
                if workerError != nil { worker.kill() }
            }
            if cancellation.isCancelled {
                if terminatedAt == nil { worker.terminate() }
                terminatedAt = terminatedAt ?? Clock.wall
            }
            if let terminatedAt, Clock.wall - terminatedAt > Self.gracePeriod { worker.kill() }
        }
        if let answer {
            worker.count(cpuMilliseconds: cpuMilliseconds)
            if workerError == nil, terminatedAt == nil { processes.keep(worker, after: request) }
            return try answer.get()
        }
        // It sends no more messages.
        let termination = worker.end(within: Self.gracePeriod)
        cpuMilliseconds = max(0, termination.cpuMilliseconds - worker.cpuMilliseconds)
        OutputFile.discardUnfinished(of: worker.identifier, beside: request.outputs)
        if let workerError { throw workerError }
        if terminatedAt != nil { throw .cancelled(step: Self.step) }
        throw Self.fault(termination, lastErrorLine: worker.lastErrorLine)
    }

    /// Limit of a process's private address space. It exceeds the memory limit because stacks and allocator reserves
    /// are never filled; resident memory is polled, and this bounds allocations between two polls.
    private var dataBytes: Int? {
        memoryBytes.map { limit in
            let reserve = limit / 4 + (256 << 20)
            return limit > .max - reserve ? .max : limit + reserve
        }
    }

    /// Returns the limit that a process has exceeded, if any.
    private mutating func fault(_ worker: ChildProcess, maxSeconds: Double, lastMessage: Double) -> MediaError? {
        let now = Clock.wall
        let held = worker.residentBytes ?? 0
        peakBytes = max(peakBytes, held)
        if let limit = memoryBytes, held > limit {
            return MediaError(
                .limit, code: .outOfMemory, step: Self.step,
                reason: "needs more than \(limit / 1_000_000) MB of memory",
                advice: "raise the limit with \(.maxMemory)")
        }
        if now - start > maxSeconds + Self.grace(maxSeconds) {
            return MediaError(
                .limit, code: .timedOut, step: Self.step, reason: "took longer than \(maxSeconds.shortDescription) s",
                advice: "raise the limit with \(.maxSeconds)")
        }
        // If the whole task has a shorter limit, that limit is the better message.
        if maxSeconds > isolation.heartbeatTimeout, now - lastMessage > isolation.heartbeatTimeout {
            return MediaError(
                .limit, code: .hung, step: Self.step,
                reason: "hangs: no heartbeat for \(isolation.heartbeatTimeout.shortDescription) s",
                advice: "the file may be damaged; if it only takes long, raise the limit with \(.heartbeatTimeout)")
        }
        return nil
    }

    /// Extra seconds in which a process may report its own timeout.
    private static func grace(_ maxSeconds: Double) -> Double { min(0.3 + maxSeconds / 10, 5) }

    /// Returns the error for a process that ended without an answer.
    private static func fault(_ termination: ChildProcess.Termination, lastErrorLine: String?) -> MediaError {
        let message = lastErrorLine.map { ": \($0)" } ?? ""
        switch termination.signal {
        case SIGKILL?:
            return MediaError(
                .limit, code: .outOfMemory, step: Self.step,
                reason: "its process was killed, perhaps because the system ran out of memory",
                advice: "run fewer tasks at once with \(.workers)")
        case let signal?:
            return MediaError(
                .decoding, code: .crashed, step: Self.step,
                reason: "crashed its process (\(name(of: signal)))\(message)",
                advice: "the file is damaged or hostile; no output was kept")
        case nil:
            let status = termination.exitStatus.map { " (status \($0))" } ?? ""
            return MediaError(.io, step: Self.step, reason: "its process ended without a report\(status)\(message)")
        }
    }

    /// `SIGSEGV, segmentation fault`.
    private static func name(of signal: Int32) -> String {
        let known: [Int32: String] = [
            SIGSEGV: "SIGSEGV", SIGABRT: "SIGABRT", SIGBUS: "SIGBUS", SIGFPE: "SIGFPE", SIGILL: "SIGILL",
            SIGTRAP: "SIGTRAP", SIGSYS: "SIGSYS", SIGTERM: "SIGTERM",
        ]
        return known[signal] ?? "signal \(signal)"
    }
}
