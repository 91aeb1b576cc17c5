internal import Synchronization

/// A task that runs in this process, which knows whether others ran in it at the same time.
final class TaskPresence: Sendable {
    private static let running = Mutex<[TaskPresence]>([])
    private let isAlone = Atomic<Bool>(true)

    init() {
        Self.running.withLock { running in
            for other in running {
                other.isAlone.store(false, ordering: .relaxed)
                isAlone.store(false, ordering: .relaxed)
            }
            running.append(self)
        }
    }

    /// Says that the task has ended. Returns whether no other ran since it began.
    func end() -> Bool {
        Self.running.withLock { $0.removeAll { $0 === self } }
        return isAlone.load(ordering: .relaxed)
    }
}
