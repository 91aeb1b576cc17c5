internal import Synchronization

/// The state of a running task: its deadline, the time of its steps, its warnings and its trace.
///
/// A context is used by the one thread that runs the task; every worker thread has a child context.
package final class TaskContext: Sendable {
    private struct State {
        var steps: [TaskReport.Step] = []
        var warnings: [MediaWarning] = []
        var currentStep = MediaError.Step.start
    }

    /// The max number of threads of the task, including its own.
    package let threads: Int
    private let deadline: Deadline
    private let cpu: TaskCPU
    private let tracer: Tracer?
    private let state: Mutex<State>

    package var steps: [TaskReport.Step] { state.withLock(\.steps) }
    package var warnings: [MediaWarning] { state.withLock(\.warnings) }

    /// Creates a context of a task that may take `seconds` of wall time and use `threads` threads. `recorder` receives
    /// the spans of its threads.
    package init(
        seconds: Double = .infinity, threads: Int = 1, cancellation: Cancellation = Cancellation(),
        recorder: TraceRecorder? = TraceRecorder.isWanted ? TraceRecorder() : nil
    ) {
        self.threads = threads
        deadline = Deadline(seconds: seconds, cancellation: cancellation)
        cpu = TaskCPU()
        tracer = recorder.map(Tracer.init)
        state = Mutex(State())
    }

    private init(childOf parent: TaskContext) {
        threads = 1
        deadline = parent.deadline
        cpu = TaskCPU(childOf: parent.cpu)
        tracer = parent.tracer.map { Tracer($0.recorder) }
        state = Mutex(State(currentStep: parent.state.withLock(\.currentStep)))
    }

    // MARK: Threads

    /// Creates a context for another thread of the task, with the same deadline and trace.
    package func child() -> TaskContext { TaskContext(childOf: self) }

    /// Adds the warnings of a child whose thread has ended, without duplicates.
    package func merge(_ child: TaskContext) {
        let others = child.warnings
        state.withLock { state in state.warnings += others.filter { !state.warnings.contains($0) } }
    }

    /// Adds the CPU time of the calling thread, a worker of the task that is about to end.
    package func countThread() { cpu.countThread() }

    // MARK: Steps

    /// Runs one step and records how long it took.
    package func step<Result>(
        _ step: MediaError.Step, on threads: TaskCPU.Threads = .own, _ body: () throws(MediaError) -> Result
    ) throws(MediaError) -> Result {
        try check()
        state.withLock { $0.currentStep = step }
        let (begin, beginCPU) = (Clock.wall, cpu.now(threads))
        defer {
            let taken = TaskReport.Step(
                name: step.rawValue, milliseconds: Clock.milliseconds(Clock.wall - begin),
                cpuMilliseconds: Clock.milliseconds(cpu.now(threads) - beginCPU))
            state.withLock { $0.steps.append(taken) }
        }
        return try span(step.rawValue, body)
    }

    package var wallMilliseconds: Double { Clock.milliseconds(deadline.elapsedSeconds) }
    /// CPU time of the task's thread and of its worker threads that have ended.
    package var cpuMilliseconds: Double { Clock.milliseconds(cpu.seconds) }

    // MARK: Deadline

    /// Throws `cancelled` after a cancellation and `limit` after the deadline. Cheap: call it every few rows.
    package func check() throws(MediaError) { try deadline.check(step: state.withLock(\.currentStep)) }

    /// Whether ``check()`` would throw, for callbacks of C libraries, which cannot throw.
    package var mustStop: Bool {
        do { try check() } catch { return true }
        return false
    }

    // MARK: Warnings

    package func warn(_ step: MediaError.Step, _ message: String, advice: MediaError.Advice? = nil) {
        state.withLock { $0.warnings.append(MediaWarning(step: step, message, advice: advice)) }
    }

    // MARK: Trace

    /// Records a part of a step, such as a packet or a frame; a step may have thousands. Free if the task is not
    /// traced.
    @inline(__always)
    package func span<Result>(_ name: String, _ body: () throws(MediaError) -> Result) throws(MediaError) -> Result {
        guard let tracer else { return try body() }
        return try tracer.record(name, body)
    }

    /// The activity of the task's threads so far; nil if the task is not traced.
    package var trace: TaskTrace? { tracer?.recorder.trace }

    /// Pixels of a band that are worth a thread.
    private static let minPixelsPerBand = 1 << 17

    /// Runs `body` for bands that divide the rows of an image, on the calling thread and on the task's other threads,
    /// each with a context of its own. The number of bands must not affect the result. Throws the error of the first
    /// band that fails.
    package func forEachBand(
        of rows: Int, pixelsPerRow: Int,
        _ body: @escaping @Sendable (_ rows: Range<Int>, TaskContext) throws(MediaError) -> Void
    ) throws(MediaError) {
        let count = min(threads, rows * pixelsPerRow / Self.minPixelsPerBand)
        guard count > 1 else { return try body(0..<rows, self) }
        let failures = Mutex<[Int: MediaError]>([:])
        let run = { @Sendable (band: Int, task: TaskContext) in
            let rows = rows * band / count..<rows * (band + 1) / count
            do throws(MediaError) { try body(rows, task) } catch { failures.withLock { $0[band] = error } }
        }
        let workers = (1..<count).map { band in
            let own = child()
            let thread = try? WorkThread("band") {
                run(band, own)
                own.countThread()
            }
            return (band, own, thread)
        }
        run(0, self)
        for (band, own, thread) in workers {
            // With fewer threads, it only takes longer.
            if let thread { thread.join() } else { run(band, own) }
            merge(own)
        }
        if let first = failures.withLock({ $0.min { $0.key < $1.key } }) { throw first.value }
    }
}

/// The CPU time of a task: the time of its thread since the task began, and of the worker threads that have ended.
package struct TaskCPU: Sendable {
    /// The threads whose CPU time is measured for a step.
    package enum Threads {
        /// The task's own thread and its worker threads.
        case own
        /// All threads of the process: codecs start threads that cannot be counted separately.
        case process
    }

    /// The worker threads of a task that have ended.
    private final class Workers: Sendable {
        let nanoseconds = Atomic<Int>(0)
    }

    private let start = Clock.thread
    private let workers: Workers

    /// Measures the calling thread of a new task, or another thread of the same task as `parent`.
    init(childOf parent: TaskCPU? = nil) { workers = parent?.workers ?? Workers() }

    var seconds: Double { now(.own) - start }

    /// Returns a reading of the clock; differences of readings are CPU time.
    func now(_ threads: Threads) -> Double {
        guard threads == .own else { return Clock.process }
        return Clock.thread + Double(workers.nanoseconds.load(ordering: .relaxed)) / 1e9
    }

    /// Adds the CPU time of the calling thread, which is about to end.
    func countThread() { workers.nanoseconds.add(Int(Clock.thread * 1e9), ordering: .relaxed) }
}
