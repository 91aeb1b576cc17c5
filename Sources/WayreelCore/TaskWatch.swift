internal import Glibc
internal import Synchronization

/// A switch that any thread may throw once, and that running work looks at.
public final class Cancellation: Sendable {
    private let flag = Atomic<Bool>(false)
    private let wasRead = Atomic<Bool>(false)

    public init() {}

    public func cancel() { flag.store(true, ordering: .relaxed) }

    public var isCancelled: Bool {
        // Written only once between two looks, so that threads do not take the line from each other's caches.
        if !wasRead.load(ordering: .relaxed) { wasRead.store(true, ordering: .relaxed) }
        return flag.load(ordering: .relaxed)
    }

    /// Whether work has read the switch since this was asked last: its sign of life.
    package func hasBeenRead() -> Bool { wasRead.exchange(false, ordering: .relaxed) }
}

/// The watch kept over one task while it runs: its deadline and cancellation, its steps' times, its warnings.
///
/// Belongs to the one thread that runs the task; threads that help it have companions of their own.
package final class TaskWatch: @unchecked Sendable {
    package private(set) var steps: [TaskReport.Step] = []
    package private(set) var warnings: [MediaWarning] = []
    private let cancellation: Cancellation
    private let seconds: Double
    private let start: Double
    private let startCPU = Clock.thread
    private var currentStep = "start"

    /// A watch over work that may take `seconds` of wall time.
    package convenience init(seconds: Double = .infinity, cancellation: Cancellation = Cancellation()) {
        self.init(seconds: seconds, cancellation: cancellation, start: Clock.wall)
    }

    private init(seconds: Double, cancellation: Cancellation, start: Double) {
        self.seconds = seconds
        self.cancellation = cancellation
        self.start = start
    }

    /// A watch for another thread, with the same deadline and cancellation.
    package func companion() -> TaskWatch {
        let other = TaskWatch(seconds: seconds, cancellation: cancellation, start: start)
        other.currentStep = currentStep
        return other
    }

    /// Takes over the warnings of a companion whose thread has ended.
    package func adopt(_ companion: TaskWatch) {
        // What is tried several times is told once.
        warnings += companion.warnings.filter { !warnings.contains($0) }
    }

    package var wallMilliseconds: Double { Clock.milliseconds(Clock.wall - start) }
    package var cpuMilliseconds: Double { Clock.milliseconds(Clock.thread - startCPU) }

    /// Runs one named step and notes the time that it took.
    package func step<Result>(_ name: String, _ body: () throws(MediaError) -> Result) throws(MediaError) -> Result {
        try check()
        currentStep = name
        let begin = Clock.wall
        defer { steps.append(TaskReport.Step(name: name, milliseconds: Clock.milliseconds(Clock.wall - begin))) }
        return try body()
    }

    /// Throws `cancelled` after a cancellation and `limit` after the deadline. Cheap: call it every few rows.
    package func check() throws(MediaError) {
        if cancellation.isCancelled {
            throw MediaError(.cancelled, step: currentStep, reason: "cancelled")
        }
        // Also where the limit is no number.
        guard Clock.wall - start <= seconds else {
            throw MediaError(
                .limit, step: currentStep, reason: "took longer than \(seconds.shortDescription) s",
                advice: "raise the limit with --max-seconds")
        }
    }

    /// Whether ``check()`` would throw, for the callbacks of C libraries, which cannot.
    package var mustStop: Bool {
        do { try check() } catch { return true }
        return false
    }

    package func warn(_ step: String, _ message: String) {
        warnings.append(MediaWarning(step: step, message))
    }
}

/// Seconds on the monotonic clock, and of processor time.
package enum Clock {
    package static var wall: Double { read(CLOCK_MONOTONIC) }
    package static var thread: Double { read(CLOCK_THREAD_CPUTIME_ID) }
    package static var process: Double { read(CLOCK_PROCESS_CPUTIME_ID) }

    /// Seconds as milliseconds, to the microsecond.
    package static func milliseconds(_ seconds: Double) -> Double { (seconds * 1e6).rounded() / 1000 }

    private static func read(_ id: clockid_t) -> Double {
        var time = timespec()
        clock_gettime(id, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
