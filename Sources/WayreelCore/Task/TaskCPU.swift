internal import Synchronization

/// The CPU time of a task: the time of its thread since the task began, and of the worker threads that have ended.
package final class TaskCPU: Sendable {
    /// The threads whose CPU time is measured for a step.
    package enum Threads {
        /// The task's own thread and its worker threads.
        case own
        /// All threads of the process: codecs start threads that cannot be counted separately.
        case process
    }

    private let start = Clock.thread
    private let workers: WorkerTime

    init() { workers = WorkerTime() }

    /// Measures another thread of the same task.
    init(childOf parent: TaskCPU) { workers = parent.workers }

    var seconds: Double { Clock.thread - start + workers.seconds }

    /// Returns a reading of the clock; differences of readings are CPU time.
    func now(_ threads: Threads) -> Double { threads == .own ? Clock.thread + workers.seconds : Clock.process }

    /// Adds the CPU time of the calling thread, which is about to end.
    func countThread() { workers.add(Clock.thread) }
}

/// The CPU time of worker threads of a task.
private final class WorkerTime: Sendable {
    private let nanoseconds = Atomic<Int>(0)

    var seconds: Double { Double(nanoseconds.load(ordering: .relaxed)) / 1e9 }

    func add(_ seconds: Double) { nanoseconds.add(Int(seconds * 1e9), ordering: .relaxed) }
}
