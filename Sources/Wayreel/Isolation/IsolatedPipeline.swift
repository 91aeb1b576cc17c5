internal import Glibc
public import WayreelCore

/// Carries out tasks in processes of their own, one after the other on the calling thread, side by side on several.
public struct IsolatedPipeline<Work: MediaTask>: MediaPipeline {
    public let isolation: Isolation

    public init(_ isolation: Isolation) { self.isolation = isolation }

    public func run(
        _ task: Work, ifExists: ExistingOutput = .replace, threads: Int = 1,
        cancellation: Cancellation = Cancellation()
    ) -> TaskReport {
        run(task, ifExists: ifExists, threads: threads, cancellation: cancellation) { _ in }
    }

    public func run(
        _ task: Work, ifExists: ExistingOutput, threads: Int, cancellation: Cancellation,
        progress: @escaping @Sendable (TaskProgress) -> Void
    ) -> TaskReport {
        let start = Clock.wall
        var attendance = Attendance(isolation: isolation, secondsAtMost: task.secondsAtMost, start: start)
        var report: TaskReport
        do throws(MediaError) {
            // Where it can be told without a process.
            if cancellation.isCancelled {
                throw MediaError(.cancelled, step: "start", reason: "cancelled")
            }
            let order = WorkOrder(
                task, ifExists: ifExists, threads: threads, parent: getpid(), memoryBytes: isolation.dataBytes)
            report = try attendance.carryOut(order, cancellation: cancellation, progress: progress)
        } catch {
            report = TaskReport(of: task)
            report.status = .failed
            report.error = error.naming(task.input == "-" ? "standard input" : task.input)
            report.wallMilliseconds = (Clock.wall - start) * 1000
            report.peakMemoryBytes = attendance.peakBytes
        }
        report.cpuMilliseconds = attendance.cpuMilliseconds
        return report
    }
}

extension Isolation {
    /// The private memory that a process is let ask for. More than it may hold, since stacks and what allocators set aside are
    /// never filled: what is held is looked at from outside, and this bounds what is taken between two looks.
    fileprivate var dataBytes: Int? { memoryBytes.map { $0 + $0 / 4 + (256 << 20) } }
}

/// One process from its start to its end.
private struct Attendance {
    let isolation: Isolation
    let secondsAtMost: Double
    let start: Double
    private(set) var peakBytes = 0
    private(set) var cpuMilliseconds = 0.0

    /// Milliseconds between two looks at the memory and the clock.
    private static let interval: Int32 = 50
    /// Seconds from the request to end until the end is made.
    private static let patience = 0.5
    /// Seconds for which a process that is over its time is let find out by itself.
    private static let grace = 5.0

    init(isolation: Isolation, secondsAtMost: Double, start: Double) {
        self.isolation = isolation
        self.secondsAtMost = secondsAtMost
        self.start = start
    }

    mutating func carryOut(
        _ order: WorkOrder<some MediaTask>, cancellation: Cancellation, progress: (TaskProgress) -> Void
    ) throws(MediaError) -> TaskReport {
        let bytes: [UInt8]
        do { bytes = try WorkJSON.encode(order) } catch {
            throw MediaError(.parameter, step: "start", reason: "the task cannot be handed on: \(error)")
        }
        let child = try ChildProcess(
            isolation.executable, ["worker"], sharesInput: order.task.input == "-",
            sharesOutput: order.task.outputs.contains("-"))
        RunningWorkers.note(child.identifier, making: order.task.outputs)
        defer { RunningWorkers.forget(child.identifier) }
        child.send(bytes)
        var report: TaskReport?
        var verdict: MediaError?
        var lastSign = Clock.wall
        var askedToEnd: Double?
        while child.isSocketOpen {
            for line in child.receive(within: Self.interval) {
                lastSign = Clock.wall
                switch try? WorkJSON.decode(WorkMessage.self, from: line) {
                case .progress(let state): progress(state)
                case .report(let final): report = final
                case .isAlive, nil: break
                }
            }
            if verdict == nil, report == nil {
                verdict = fault(child, now: Clock.wall, lastSign: lastSign)
                if verdict != nil { child.kill() }
            }
            if cancellation.isCancelled {
                if askedToEnd == nil { child.terminate() }
                askedToEnd = askedToEnd ?? Clock.wall
            }
            // Also one that has reported and does not end.
            if let askedToEnd, Clock.wall - askedToEnd > Self.patience { child.kill() }
            if report != nil, Clock.wall - lastSign > Self.grace { child.kill() }
        }
        let ending = end(child)
        cpuMilliseconds = ending.cpuMilliseconds
        if verdict == nil, let report { return report }
        OutputFile.discardUnfinished(of: child.identifier, beside: order.task.outputs)
        if let verdict { throw verdict }
        if askedToEnd != nil { throw MediaError(.cancelled, step: "work", reason: "cancelled") }
        throw Self.fault(ending, lastWords: child.lastWords)
    }

    /// Waits for the end of a process that has nothing more to say.
    private func end(_ child: ChildProcess) -> ChildProcess.Ending {
        let deadline = Clock.wall + Self.patience
        while true {
            if let ending = child.reap() { return ending }
            if Clock.wall > deadline { child.kill() }
            usleep(1000)
        }
    }

    /// What a process has done that it is to be ended for.
    private mutating func fault(_ child: ChildProcess, now: Double, lastSign: Double) -> MediaError? {
        let held = child.residentBytes ?? 0
        peakBytes = max(peakBytes, held)
        if let limit = isolation.memoryBytes, held > limit {
            return MediaError(
                .limit, step: "work", reason: "needs more than \(limit / 1_000_000) MB of memory",
                advice: "raise the limit with --max-memory")
        }
        if now - start > secondsAtMost + Self.grace {
            return MediaError(
                .limit, step: "work", reason: "took longer than \(secondsAtMost.shortDescription) s",
                advice: "raise the limit with --max-seconds")
        }
        if now - lastSign > isolation.silence {
            return MediaError(
                .limit, step: "work",
                reason: "hangs: there was no sign of life for \(isolation.silence.shortDescription) s",
                advice: "the file may be damaged; if it is only hard work, raise the limit with --max-silence")
        }
        return nil
    }

    /// Why a process has ended without a report.
    private static func fault(_ ending: ChildProcess.Ending, lastWords: String?) -> MediaError {
        let words = lastWords.map { ": \($0)" } ?? ""
        switch ending.signal {
        case SIGKILL?:
            return MediaError(
                .limit, step: "work", reason: "its process was killed, by the system perhaps for want of memory",
                advice: "run fewer at once with --jobs")
        case let signal?:
            return MediaError(
                .decoding, step: "work", reason: "crashed the process that worked on it (\(name(of: signal)))\(words)",
                advice: "the file is damaged or hostile; nothing of it was kept")
        case nil:
            let status = ending.exitStatus.map { " (status \($0))" } ?? ""
            return MediaError(.io, step: "work", reason: "its process has ended without a report\(status)\(words)")
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
