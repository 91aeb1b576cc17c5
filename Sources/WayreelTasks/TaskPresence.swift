internal import Synchronization

/// A running task of this process; records whether other tasks ran in the process at the same time.
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

    /// Marks the task as ended. Returns whether no other task ran since it began.
    func end() -> Bool {
        Self.running.withLock { $0.removeAll { $0 === self } }
        return isAlone.load(ordering: .relaxed)
    }
}
