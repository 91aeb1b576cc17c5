internal import Synchronization
internal import WayreelCore

/// Work that is cheaper for several items together, such as flushing to the disk. A thread of its own takes all that wait as soon as it
/// is free; meanwhile further items gather.
package final class GroupedWork<Item: Sendable, Outcome: Sendable>: Sendable {
    private let work: @Sendable ([Item]) -> [Outcome]
    private let waiting = Mutex<[(item: Item, caller: CheckedContinuation<Outcome, Never>)]>([])
    private let pool = WorkPool(workers: 1)

    /// `work` returns an outcome for each item, in their order.
    package init(_ work: @escaping @Sendable ([Item]) -> [Outcome]) { self.work = work }

    /// The outcome of an item. It is waited for also where the surrounding task is cancelled. Throws a `limit` error without a thread.
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
