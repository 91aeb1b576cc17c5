internal import Glibc
internal import Synchronization
internal import WayreelCore

/// The worker processes of one ``IsolatedPipeline`` or batch: those that wait for their next order, the last used first.
final class WorkerCrew: Sendable {
    let isolation: Isolation
    private let idle = Mutex<[ChildProcess]>([])
    /// What was made last for tasks that need no worker.
    let pipelines = Mutex(KeptPipeline())

    /// A worker that holds more than this when it has answered is not used again, in bytes.
    private static let memoryKept = 256 << 20

    init(_ isolation: Isolation) { self.isolation = isolation }

    /// A worker for `order`: one that waits, or a new one.
    func worker(for order: some WorkOrder) throws(MediaError) -> ChildProcess {
        if !order.needsStreams {
            while let kept = idle.withLock({ $0.popLast() }) {
                if kept.reap() == nil { return kept }
            }
        }
        return try ChildProcess(
            isolation.executable, ["worker"], sharesInput: order.readsStandardInput,
            sharesOutput: order.outputs.contains("-"))
    }

    /// Keeps a worker that has answered `order` for the next one; lets it go where it has done its share or has grown.
    func keep(_ worker: ChildProcess, after order: some WorkOrder) {
        let memory = min(Self.memoryKept, (isolation.memoryBytes ?? .max) / 2)
        guard !order.needsStreams, worker.orders < isolation.tasksPerProcess, (worker.residentBytes ?? .max) <= memory
        else { return }
        idle.withLock { $0.append(worker) }
    }

    /// Ends the workers that wait, so that what they took counts as taken by this process's children.
    func dismiss() {
        let workers = idle.withLock { idle in
            defer { idle = [] }
            return idle
        }
        // Each is ended, and its end waited for, when it is let go.
        withExtendedLifetime(workers) {}
    }
}
