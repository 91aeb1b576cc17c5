internal import Synchronization
internal import WayreelCore

/// The worker processes of this process and the outputs that they write.
package enum RunningWorkers {
    private struct Entry {
        var worker: ChildProcess
        var outputs: [String]
    }

    private static let entries = Mutex<[Entry]>([])

    static func note(_ worker: ChildProcess, writing outputs: [String]) {
        entries.withLock { $0.append(Entry(worker: worker, outputs: outputs)) }
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
