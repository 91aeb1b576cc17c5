internal import Glibc
internal import WayreelCore

/// The watch over one worker from its order to its answer: its time, its memory, its signs of life.
struct Attendance {
    private let crew: WorkerCrew
    private let start = Clock.wall
    private(set) var peakBytes = 0
    private(set) var cpuMilliseconds = 0.0

    private var isolation: Isolation { crew.isolation }

    /// What errors of a process that was ended, or has ended, call what it did.
    static let step = "work"

    /// Milliseconds between two looks at the memory and the clock.
    private static let interval: Int32 = 50
    /// Seconds from the request to end until the end is made.
    private static let patience = 0.5

    init(_ crew: WorkerCrew) { self.crew = crew }

    /// Has a worker carry out `order`. Throws what the worker's answer is where it failed, and else what it was ended for.
    mutating func carryOut<Order: WorkOrder>(
        _ order: Order, cancellation: Cancellation, progress: (TaskProgress) -> Void = { _ in }
    ) throws(MediaError) -> Order.Answer {
        let bytes: [UInt8]
        do { bytes = try WorkJSON.encode(WorkLetter(order, memoryBytes: isolation.dataBytes)) } catch {
            throw MediaError(.parameter, step: "start", reason: "the task cannot be handed on: \(error)")
        }
        let worker = try crew.worker(for: order)
        RunningWorkers.note(worker, writing: order.outputs)
        defer { RunningWorkers.forget(worker) }
        worker.send(order: bytes)
        var answer: Result<Order.Answer, MediaError>?
        var verdict: MediaError?
        var lastSign = Clock.wall
        var askedToEnd: Double?
        while worker.isSocketOpen, answer == nil {
            for line in worker.receive(within: Self.interval) {
                lastSign = Clock.wall
                switch try? WorkJSON.decode(WorkMessage<Order.Answer>.self, from: line) {
                case .progress(let state): progress(state)
                case .answer(let value, let cpu):
                    answer = .success(value)
                    cpuMilliseconds = cpu
                case .failure(let error, let cpu):
                    answer = .failure(error)
                    cpuMilliseconds = cpu
                case .isAlive, nil: break
                }
            }
            if verdict == nil, answer == nil {
                verdict = fault(worker, secondsAtMost: order.secondsAtMost, lastSign: lastSign)
                if verdict != nil { worker.kill() }
            }
            if cancellation.isCancelled {
                if askedToEnd == nil { worker.terminate() }
                askedToEnd = askedToEnd ?? Clock.wall
            }
            if let askedToEnd, Clock.wall - askedToEnd > Self.patience { worker.kill() }
        }
        if let answer {
            worker.count(cpuMilliseconds: cpuMilliseconds)
            if verdict == nil, askedToEnd == nil { crew.keep(worker, after: order) }
            return try answer.get()
        }
        let ending = end(worker)
        cpuMilliseconds = max(0, ending.cpuMilliseconds - worker.cpuMilliseconds)
        OutputFile.discardUnfinished(of: worker.identifier, beside: order.outputs)
        if let verdict { throw verdict }
        if askedToEnd != nil { throw MediaError(.cancelled, step: Self.step, reason: "cancelled") }
        throw Self.fault(ending, lastWords: worker.lastWords)
    }

    /// Waits for the end of a process that has nothing more to say.
    private func end(_ worker: ChildProcess) -> ChildProcess.Ending {
        let deadline = Clock.wall + Self.patience
        while true {
            if let ending = worker.reap() { return ending }
            if Clock.wall > deadline { worker.kill() }
            usleep(1000)
        }
    }

    /// What a process has done that it is to be ended for.
    private mutating func fault(_ worker: ChildProcess, secondsAtMost: Double, lastSign: Double) -> MediaError? {
        let now = Clock.wall
        let held = worker.residentBytes ?? 0
        peakBytes = max(peakBytes, held)
        if let limit = isolation.memoryBytes, held > limit {
            return MediaError(
                .limit, step: Self.step, reason: "needs more than \(limit / 1_000_000) MB of memory",
                advice: "raise the limit with --max-memory")
        }
        if now - start > secondsAtMost + Self.grace(secondsAtMost) {
            return MediaError(
                .limit, step: Self.step, reason: "took longer than \(secondsAtMost.shortDescription) s",
                advice: "raise the limit with --max-seconds")
        }
        // Where the whole task may take no longer, its own limit says more.
        if secondsAtMost > isolation.silence, now - lastSign > isolation.silence {
            return MediaError(
                .limit, step: Self.step,
                reason: "hangs: there was no sign of life for \(isolation.silence.shortDescription) s",
                advice: "the file may be damaged; if it is only hard work, raise the limit with --max-silence")
        }
        return nil
    }

    /// Seconds for which a process that is over its time may find out by itself.
    private static func grace(_ secondsAtMost: Double) -> Double { min(0.3 + secondsAtMost / 10, 5) }

    /// Why a process has ended without an answer.
    private static func fault(_ ending: ChildProcess.Ending, lastWords: String?) -> MediaError {
        let words = lastWords.map { ": \($0)" } ?? ""
        switch ending.signal {
        case SIGKILL?:
            return MediaError(
                .limit, step: Self.step, reason: "its process was killed, by the system perhaps for want of memory",
                advice: "run fewer at once with --jobs")
        case let signal?:
            return MediaError(
                .decoding, step: Self.step,
                reason: "crashed the process that worked on it (\(name(of: signal)))\(words)",
                advice: "the file is damaged or hostile; nothing of it was kept")
        case nil:
            let status = ending.exitStatus.map { " (status \($0))" } ?? ""
            return MediaError(.io, step: Self.step, reason: "its process has ended without a report\(status)\(words)")
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

extension Isolation {
    /// The private memory that a process may ask for. More than it may hold, since stacks and what allocators set aside are
    /// never filled: what is held is looked at from outside, and this bounds what is taken between two looks.
    fileprivate var dataBytes: Int? { memoryBytes.map { $0 + $0 / 4 + (256 << 20) } }
}
