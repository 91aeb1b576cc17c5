import Glibc
import Synchronization

/// A gate at which a thread waits until a test opens it.
final class Gate: Sendable {
    private let reached = Atomic<Int>(0)
    private let isOpen = Atomic<Bool>(false)

    var isReached: Bool { arrivals > 0 }
    var arrivals: Int { reached.load(ordering: .sequentiallyConsistent) }

    func open() { isOpen.store(true, ordering: .sequentiallyConsistent) }

    /// Gives up after ten seconds, so that a failing test ends.
    func wait() {
        reached.add(1, ordering: .sequentiallyConsistent)
        for _ in 0..<10_000 where !isOpen.load(ordering: .sequentiallyConsistent) { usleep(1000) }
    }
}
