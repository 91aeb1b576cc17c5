/// The state of a running task: its deadline, the time of its steps, its warnings and its trace.
///
/// A context is used by the one thread that runs the task; every worker thread has a child context.
package final class TaskContext: @unchecked Sendable {
    /// The max number of threads of the task, including its own.
    package let threads: Int
    package private(set) var steps: [TaskReport.Step] = []
    package private(set) var warnings: [MediaWarning] = []
    private let deadline: Deadline
    private let cpu: TaskCPU
    private let tracer: Tracer?
    private var currentStep = "start"

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
    }

    private init(childOf parent: TaskContext) {
        threads = 1
        deadline = parent.deadline
        cpu = TaskCPU(childOf: parent.cpu)
        tracer = parent.tracer.map { Tracer($0.recorder) }
        currentStep = parent.currentStep
    }

    // MARK: Threads

    /// Creates a context for another thread of the task, with the same deadline and trace.
    package func child() -> TaskContext { TaskContext(childOf: self) }

    /// Adds the warnings of a child whose thread has ended, without duplicates.
    package func merge(_ child: TaskContext) {
        warnings += child.warnings.filter { !warnings.contains($0) }
    }

    /// Adds the CPU time of the calling thread, a worker of the task that is about to end.
    package func countThread() { cpu.countThread() }

    // MARK: Steps

    /// Runs one named step and records how long it took.
    package func step<Result>(
        _ name: String, on threads: TaskCPU.Threads = .own, _ body: () throws(MediaError) -> Result
    ) throws(MediaError) -> Result {
        try check()
        currentStep = name
        let (begin, beginCPU) = (Clock.wall, cpu.now(threads))
        defer {
            steps.append(
                TaskReport.Step(
                    name: name, milliseconds: Clock.milliseconds(Clock.wall - begin),
                    cpuMilliseconds: Clock.milliseconds(cpu.now(threads) - beginCPU)))
        }
        return try span(name, body)
    }

    package var wallMilliseconds: Double { Clock.milliseconds(deadline.elapsedSeconds) }
    /// CPU time of the task's thread and of its worker threads that have ended.
    package var cpuMilliseconds: Double { Clock.milliseconds(cpu.seconds) }

    // MARK: Deadline

    /// Throws `cancelled` after a cancellation and `limit` after the deadline. Cheap: call it every few rows.
    package func check() throws(MediaError) { try deadline.check(step: currentStep) }

    /// Whether ``check()`` would throw, for callbacks of C libraries, which cannot throw.
    package var mustStop: Bool {
        do { try check() } catch { return true }
        return false
    }

    // MARK: Warnings

    package func warn(_ step: String, _ message: String, advice: MediaError.Advice? = nil) {
        warnings.append(MediaWarning(step: step, message, advice: advice))
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
}
