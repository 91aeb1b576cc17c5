internal import Synchronization

/// Runs the same work for simultaneous requests once.
final class SharedWork<Value: Sendable>: Sendable {
    private struct Entry {
        let task: Task<Value, any Error>
        var waiters: Int
    }

    private let entries = Mutex<[String: Entry]>([:])

    /// Returns the value of `make`, or of running work for the same key. The work is cancelled when all callers that wait
    /// for it are cancelled.
    func value(for key: String, _ make: @escaping @Sendable () async throws -> Value) async throws -> Value {
        let task = entries.withLock { entries in
            if var entry = entries[key] {
                entry.waiters += 1
                entries[key] = entry
                return entry.task
            }
            let task = Task { try await make() }
            entries[key] = Entry(task: task, waiters: 1)
            return task
        }
        let waiter = Waiter { [self] in removeWaiter(of: key, task) }
        defer { waiter.end() }
        return try await withTaskCancellationHandler {
            try await task.value
        } onCancel: {
            waiter.end()
        }
    }

    private func removeWaiter(of key: String, _ task: Task<Value, any Error>) {
        let isAbandoned = entries.withLock { entries in
            guard var entry = entries[key], entry.task == task else { return false }
            entry.waiters -= 1
            entries[key] = entry.waiters > 0 ? entry : nil
            return entry.waiters == 0
        }
        // This has no effect on a task that has ended.
        if isAbandoned { task.cancel() }
    }
}

/// A caller that waits for a task. It ends when the task has ended or when the caller is cancelled, whichever is first.
private final class Waiter: Sendable {
    private let action: Mutex<(@Sendable () -> Void)?>

    /// The first call of ``end()`` runs `action`.
    init(_ action: @escaping @Sendable () -> Void) { self.action = Mutex(action) }

    func end() {
        let action = action.withLock { action in
            defer { action = nil }
            return action
        }
        action?()
    }
}
