internal import Synchronization
internal import WayreelCore

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
