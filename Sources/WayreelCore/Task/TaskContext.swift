/// What one task carries while it runs: its deadline, the time of its steps, its warnings and its trace.
///
/// Belongs to the one thread that runs the task; every thread that works for it has a child context.
package final class TaskContext: @unchecked Sendable {
    /// How many threads the task may use, its own among them.
    package let threads: Int
    package private(set) var steps: [TaskReport.Step] = []
    package private(set) var warnings: [MediaWarning] = []
    private let deadline: Deadline
    private let cpu: TaskCPU
    private let tracer: Tracer?
    private var currentStep = "start"

    /// A context of a task that may take `seconds` of wall time and use `threads` threads. `recorder` takes the spans of its threads.
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

    /// A context for another thread of the task, with the same deadline and trace.
    package func child() -> TaskContext { TaskContext(childOf: self) }

    /// Adds the warnings of a child whose thread has ended, each once.
    package func merge(_ child: TaskContext) {
        warnings += child.warnings.filter { !warnings.contains($0) }
    }

    /// Adds the CPU time of the calling thread, which has worked for the task and ends now.
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
    /// Of the task's thread and of its worker threads that have ended.
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

    /// Records a part of a step, of which there may be thousands: a packet, a frame. Free where the task is not traced.
    @inline(__always)
    package func span<Result>(_ name: String, _ body: () throws(MediaError) -> Result) throws(MediaError) -> Result {
        guard let tracer else { return try body() }
        return try tracer.record(name, body)
    }

    /// What the task's threads have done so far; nil where it is not traced.
    package var trace: TaskTrace? { tracer?.recorder.trace }
}
