internal import Synchronization

/// Runs work with the same key one after another, in the order of the requests. Work that waits for its turn occupies no
/// thread.
final class SerialTurns: Sendable {
    private struct Waiting {
        var number: Int
        var continuation: CheckedContinuation<Void, any Error>
    }

    private struct State {
        /// The work that waits for other work with its key. A key without work has no element.
        var waiting: [String: [Waiting]] = [:]
        var number = 0
    }

    private let state = Mutex(State())
    /// The maximum number of requests that wait with one key.
    private let maxWaiting: Int

    init(maxWaiting: Int) { self.maxWaiting = maxWaiting }

    /// Runs `body` when all earlier work with the key has ended.
    ///
    /// Throws an ``AdmissionFault`` if too much work is waiting with the key, a `CancellationError` if the task is cancelled while
    /// it waits, and what `body` throws.
    func run<Value>(_ key: String, _ body: () async throws -> Value) async throws -> Value {
        try await enter(key)
        defer { leave(key) }
        return try await body()
    }

    private func enter(_ key: String) async throws {
        let number = state.withLock { state in
            state.number += 1
            return state.number
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let result: Result<Void, any Error>? = state.withLock { state in
                    if Task.isCancelled { return .failure(CancellationError()) }
                    guard let others = state.waiting[key] else {
                        state.waiting[key] = []
                        return .success(())
                    }
                    guard others.count < maxWaiting else { return .failure(AdmissionFault.turns) }
                    state.waiting[key]?.append(Waiting(number: number, continuation: continuation))
                    return nil
                }
                if let result { continuation.resume(with: result) }
            }
        } onCancel: {
            let left = state.withLock { state -> Waiting? in
                guard let index = state.waiting[key]?.firstIndex(where: { $0.number == number }) else { return nil }
                return state.waiting[key]?.remove(at: index)
            }
            left?.continuation.resume(throwing: CancellationError())
        }
    }

    /// Gives the turn to the next one.
    private func leave(_ key: String) {
        let next = state.withLock { state -> Waiting? in
            guard state.waiting[key]?.isEmpty == false else {
                state.waiting[key] = nil
                return nil
            }
            return state.waiting[key]?.removeFirst()
        }
        next?.continuation.resume()
    }
}
