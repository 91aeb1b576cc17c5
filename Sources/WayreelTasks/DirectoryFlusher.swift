internal import Synchronization
internal import WayreelCore

/// Flushes the directories of tasks' outputs on a separate thread, while the threads of a pool continue with other
/// tasks. Tasks that wait for the same directory share a flush.
final class DirectoryFlusher: Sendable {
    static let shared = DirectoryFlusher()

    private struct Requests {
        var made = 0
        /// The number of the last request that is complete.
        var flushed = 0
    }

    private let pool = WorkPool(workers: 1)
    private let requests = Mutex<[String: Requests]>([:])

    /// Returns once all earlier renames into `paths` are on the disk. Throws an `io` error if a flush fails.
    func flush(_ paths: Set<String>) async throws {
        for path in paths {
            let request = requests.withLock { requests in
                requests[path, default: Requests()].made += 1
                return requests[path]?.made ?? 0
            }
            // A separate task, so that the flush also completes if the caller is cancelled.
            try await Task { try await pool.run { (_) throws(MediaError) in try self.flush(path, upTo: request) } }
                .value
        }
    }

    private func flush(_ path: String, upTo request: Int) throws(MediaError) {
        let all: Int? = requests.withLock { requests in
            guard let known = requests[path], known.flushed < request else { return nil }
            return known.made
        }
        guard let all else { return }
        try Directory.flush(path)
        requests.withLock { requests in
            requests[path]?.flushed = all
            if requests[path]?.made == all { requests[path] = nil }
        }
    }
}

/// Work that is cheaper for several items together, such as flushing to the disk. A dedicated thread processes all
/// waiting items at once; items that arrive meanwhile form the next group.
package final class GroupedWork<Item: Sendable, Outcome: Sendable>: Sendable {
    private let work: @Sendable ([Item]) -> [Outcome]
    private let waiting = Mutex<[(item: Item, caller: CheckedContinuation<Outcome, Never>)]>([])
    private let pool = WorkPool(workers: 1)

    /// `work` returns one outcome per item, in order.
    package init(_ work: @escaping @Sendable ([Item]) -> [Outcome]) { self.work = work }

    /// Returns the outcome of an item. Cancelling the surrounding task does not end the wait. Throws a `limit` error if
    /// there is no thread.
    package func run(_ item: Item) async throws -> Outcome {
        guard pool.workers > 0 else { throw WorkPool.noThread }
        return await withCheckedContinuation { caller in
            waiting.withLock { $0.append((item, caller)) }
            pool.add { self.runAll() }
        }
    }

    private func runAll() {
        let group = waiting.withLock { waiting in
            defer { waiting = [] }
            return waiting
        }
        guard !group.isEmpty else { return }
        for (caller, outcome) in zip(group.map(\.caller), work(group.map(\.item))) { caller.resume(returning: outcome) }
    }
}
