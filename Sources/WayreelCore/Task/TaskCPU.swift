internal import Synchronization

/// The CPU time of a task: of its thread since the task began, and of the worker threads that have ended.
package final class TaskCPU: Sendable {
    /// Whose CPU time a step takes.
    package enum Threads {
        /// The task's own thread, and those that work for it.
        case own
        /// All of the process: codecs start threads that nobody else can count.
        case process
    }

    private let start = Clock.thread
    private let workers: WorkerTime

    init() { workers = WorkerTime() }

    /// For another thread of the same task.
    init(childOf parent: TaskCPU) { workers = parent.workers }

    var seconds: Double { Clock.thread - start + workers.seconds }

    /// A reading of the clock, of which differences are CPU time.
    func now(_ threads: Threads) -> Double { threads == .own ? Clock.thread + workers.seconds : Clock.process }

    /// Adds the CPU time of the calling thread, which ends now.
    func countThread() { workers.add(Clock.thread) }
}

/// CPU time of threads that have worked for a task.
private final class WorkerTime: Sendable {
    private let nanoseconds = Atomic<Int>(0)

    var seconds: Double { Double(nanoseconds.load(ordering: .relaxed)) / 1e9 }

    func add(_ seconds: Double) { nanoseconds.add(Int(seconds * 1e9), ordering: .relaxed) }
}
