internal import Synchronization

/// Makes what several requests ask for at the same time once.
final class SharedWork<Value: Sendable>: Sendable {
    private struct Entry {
        let task: Task<Value, any Error>
        var waiters: Int
    }

    private let entries = Mutex<[String: Entry]>([:])

    /// The value for `key`: that of `make`, or of work for the same key that has begun. The work is cancelled when
    /// nobody waits any more.
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
        let departure = Departure { [self] in leave(key, task) }
        defer { departure.run() }
        return try await withTaskCancellationHandler {
            try await task.value
        } onCancel: {
            departure.run()
        }
    }

    private func leave(_ key: String, _ task: Task<Value, any Error>) {
        let isAbandoned = entries.withLock { entries in
            guard var entry = entries[key], entry.task == task else { return false }
            entry.waiters -= 1
            entries[key] = entry.waiters > 0 ? entry : nil
            return entry.waiters == 0
        }
        // Has no effect on work that is done.
        if isAbandoned { task.cancel() }
    }
}

/// Something that is done once, by whoever comes first.
private final class Departure: Sendable {
    private let action: Mutex<(@Sendable () -> Void)?>

    init(_ action: @escaping @Sendable () -> Void) { self.action = Mutex(action) }

    func run() {
        let action = action.withLock { action in
            defer { action = nil }
            return action
        }
        action?()
    }
}
