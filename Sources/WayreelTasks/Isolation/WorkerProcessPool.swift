internal import Glibc
internal import Synchronization
internal import WayreelCore

/// The idle worker processes of one ``IsolatedPipeline`` or batch, most recently used first.
final class WorkerProcessPool: Sendable {
    let isolation: Isolation
    private let idle = Mutex<[ChildProcess]>([])
    /// The last pipelines of tasks that need no worker.
    let pipelines = KeptPipeline()

    /// A worker with more resident memory than this after its answer is not reused, in bytes.
    private let idleBytes: Int

    init(_ isolation: Isolation, idleBytes: Int = 256 << 20) {
        self.isolation = isolation
        self.idleBytes = min(idleBytes, (isolation.memoryBytes ?? .max) / 2)
    }

    /// Returns an idle worker for `request`, or a new one. A worker that already holds half of `memoryBytes`, the limit
    /// of the request, is ended.
    func worker(for request: some WorkRequest, memoryBytes: Int?) throws(MediaError) -> ChildProcess {
        if !request.needsStreams {
            while let kept = idle.withLock({ $0.popLast() }) {
                let bytes = memoryBytes == nil ? 0 : kept.residentBytes ?? .max
                if kept.reap() == nil, bytes <= (memoryBytes ?? .max) / 2 { return kept }
            }
        }
        return try ChildProcess(
            isolation.executable, [isolation.argument], sharesInput: request.readsStandardInput,
            sharesOutput: request.outputs.contains("-"))
    }

    /// Gives a worker back to the pool after `request`, unless it has reached its task count or memory limit.
    func keep(_ worker: ChildProcess, after request: some WorkRequest) {
        guard !request.needsStreams, worker.requests < isolation.tasksPerProcess,
            (worker.residentBytes ?? .max) <= idleBytes
        else { return }
        idle.withLock { $0.append(worker) }
    }

    /// Ends the idle workers, so that their CPU time is included in that of this process's children.
    func dismiss() {
        let workers = idle.withLock { idle in
            defer { idle = [] }
            return idle
        }
        // Releasing a worker ends it and waits for it.
        withExtendedLifetime(workers) {}
    }
}

/// The worker processes of this process and the outputs that they write.
package enum RunningWorkers {
    private static let entries = Mutex<[(worker: ChildProcess, outputs: [String])]>([])

    static func note(_ worker: ChildProcess, writing outputs: [String]) {
        entries.withLock { $0.append((worker, outputs)) }
    }

    static func forget(_ worker: ChildProcess) {
        entries.withLock { $0.removeAll { $0.worker === worker } }
    }

    /// Kills all workers and removes their unfinished outputs, for a process that exits without waiting for them.
    package static func discardAll() {
        let all = entries.withLock(\.self)
        for entry in all { entry.worker.kill() }
        for entry in all {
            // The worker may write until it has ended.
            entry.worker.awaitEnd()
            OutputFile.discardUnfinished(of: entry.worker.identifier, beside: entry.outputs)
        }
    }
}
