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

/// The watch kept over one task while it runs: its deadline and cancellation, its steps' times, its warnings, and where it is
/// traced what its threads do.
///
/// Belongs to the one thread that runs the task; threads that help it have companions of their own.
package final class TaskWatch: @unchecked Sendable {
    package private(set) var steps: [TaskReport.Step] = []
    package private(set) var warnings: [MediaWarning] = []
    /// How many threads the task may use, its own among them.
    package let threads: Int
    private let cancellation: Cancellation
    private let seconds: Double
    private let start: Double
    private let startCPU = Clock.thread
    private var currentStep = "start"
    private let helpers: HelperTime
    private let recorder: TraceRecorder?
    private var traced: TracedThread?

    /// A watch over work that may take `seconds` of wall time and use `threads` threads. `recorder`: takes what its threads do.
    package convenience init(
        seconds: Double = .infinity, threads: Int = 1, cancellation: Cancellation = Cancellation(),
        recorder: TraceRecorder? = TraceRecorder.isWanted ? TraceRecorder() : nil
    ) {
        self.init(
            seconds: seconds, threads: threads, cancellation: cancellation, start: Clock.wall, helpers: HelperTime(),
            recorder: recorder)
    }

    private init(
        seconds: Double, threads: Int, cancellation: Cancellation, start: Double, helpers: HelperTime,
        recorder: TraceRecorder?
    ) {
        self.threads = threads
        self.seconds = seconds
        self.cancellation = cancellation
        self.start = start
        self.helpers = helpers
        self.recorder = recorder
    }

    /// A watch for another thread, with the same deadline and cancellation.
    package func companion() -> TaskWatch {
        let other = TaskWatch(
            seconds: seconds, threads: 1, cancellation: cancellation, start: start, helpers: helpers, recorder: recorder
        )
        other.currentStep = currentStep
        return other
    }

    /// Takes over the warnings of a companion whose thread has ended.
    package func adopt(_ companion: TaskWatch) {
        // What is tried several times is told once.
        warnings += companion.warnings.filter { !warnings.contains($0) }
    }

    package var wallMilliseconds: Double { Clock.milliseconds(Clock.wall - start) }
    /// Of the task's thread, and of those that have helped it and ended.
    package var cpuMilliseconds: Double { Clock.milliseconds(Clock.thread - startCPU + helpers.seconds) }

    /// Counts the processor time of the calling thread, which has helped and ends now.
    package func countHelper() { helpers.add(Clock.thread) }

    /// Whose processor time a step takes.
    package enum StepThreads {
        /// The task's own, and those that help it and end.
        case own
        /// All of the process, as codecs start threads that nobody else can count.
        case process
    }

    /// Runs one named step and notes the time that it took.
    package func step<Result>(
        _ name: String, on threads: StepThreads = .own, _ body: () throws(MediaError) -> Result
    ) throws(MediaError) -> Result {
        try check()
        currentStep = name
        let begin = Clock.wall
        let cpu = { threads == .own ? Clock.thread + self.helpers.seconds : Clock.process }
        let beginCPU = cpu()
        defer {
            steps.append(
                TaskReport.Step(
                    name: name, milliseconds: Clock.milliseconds(Clock.wall - begin),
                    cpuMilliseconds: Clock.milliseconds(cpu() - beginCPU)))
        }
        return try span(name, body)
    }

    /// Runs a part of a step, of which there may be thousands: a packet, an image. Where the task is not traced that costs
    /// nothing.
    @inline(__always)
    package func span<Result>(_ name: String, _ body: () throws(MediaError) -> Result) throws(MediaError) -> Result {
        guard let recorder else { return try body() }
        return try record(name, in: recorder, body)
    }

    private func record<Result>(
        _ name: String, in recorder: TraceRecorder, _ body: () throws(MediaError) -> Result
    ) throws(MediaError) -> Result {
        let thread = traced ?? TracedThread()
        traced = thread
        let (begin, beginCPU) = (Clock.wall, Clock.thread)
        defer { recorder.add(thread.span(name, from: begin, cpuFrom: beginCPU)) }
        return try body()
    }

    /// What the task's threads have done so far; nil where it is not traced.
    package var trace: TaskTrace? { recorder?.trace }

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

/// Processor time of threads that have helped a task.
private final class HelperTime: Sendable {
    private let nanoseconds = Atomic<Int>(0)

    var seconds: Double { Double(nanoseconds.load(ordering: .relaxed)) / 1e9 }

    func add(_ seconds: Double) { nanoseconds.add(Int(seconds * 1e9), ordering: .relaxed) }
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
