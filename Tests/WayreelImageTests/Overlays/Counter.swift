import Synchronization
import TestSupport

/// Counts calls from any thread.
final class Counter: Sendable {
    private let count = Atomic<Int>(0)

    func add() { count.add(1, ordering: .relaxed) }
    var value: Int { count.load(ordering: .relaxed) }
}

/// Runs `body` on `count` threads at once and waits for all.
func onThreads(_ count: Int, _ body: @Sendable @escaping () -> Void) {
    let workers = (0..<count).map { _ in Worker(body) }
    for worker in workers { worker.join() }
}
