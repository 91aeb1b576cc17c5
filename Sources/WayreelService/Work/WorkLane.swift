internal import Synchronization
package import WayreelCore

/// Runs work on threads of its own: as many at once as there are threads, and as their memory allows. Clients have turns
/// in rotation, so that many requests of one do not delay the first request of another.
package final class WorkLane: Sendable {
    private struct State {
        var running = 0
        /// Memory that is not taken.
        var free: Int
        var held: [Client: Int] = [:]
        /// Waiting work of each client, the oldest first.
        var queues: [Client: [Turn]] = [:]
        /// The clients with waiting work, the next one first.
        var rotation: [Client] = []
    }

    private let pool: WorkPool
    private let threads: Int
    private let bytes: Int
    /// The memory of one client's work: half of all, or a single piece of work of any size.
    private let clientBytes: Int
    private let state: Mutex<State>

    /// After so long the next turn is that of the oldest work, also if smaller work would fit beside what is running.
    private static let patience = Duration.seconds(2)

    /// `bytes`: the memory of all work that runs at the same time.
    package init(threads: Int, bytes: Int) {
        pool = WorkPool(workers: threads)
        self.threads = max(1, pool.workers)
        self.bytes = bytes
        clientBytes = bytes / 2
        state = Mutex(State(free: bytes))
    }

    /// The numbers of pieces of work that run and that wait.
    package var load: (running: Int, waiting: Int) {
        state.withLock { ($0.running, $0.queues.values.reduce(0) { $0 + $1.count }) }
    }

    /// Runs `body`, which takes at most `bytes`, on one of the threads.
    ///
    /// Throws a `limit` error if it has not begun by `deadline`, `cancelled` if the task is cancelled, and what `body`
    /// throws.
    package func run<Result: Sendable>(
        for client: Client, bytes: Int = 0, until deadline: ContinuousClock.Instant,
        _ body: @escaping @Sendable (Cancellation) throws(MediaError) -> Result
    ) async throws -> Result {
        // Work that needs more than all would wait for ever.
        let turn = Turn(client, min(bytes, self.bytes), until: deadline)
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                turn.wait(continuation)
                // An earlier cancellation has found no continuation.
                if Task.isCancelled {
                    turn.end(.failure(MediaError.cancelled(step: .start)))
                } else {
                    start(adding: turn)
                }
            }
        } onCancel: {
            turn.end(.failure(MediaError.cancelled(step: .start)))
        }
        defer { finish(turn) }
        return try await pool.run(body)
    }

    /// Adds `turn` to those that wait, and starts whatever can run.
    private func start(adding turn: Turn?) {
        let started = state.withLock { state in
            if let turn {
                if state.queues[turn.client, default: []].isEmpty { state.rotation.append(turn.client) }
                state.queues[turn.client, default: []].append(turn)
            }
            var started: [Turn] = []
            while let next = next(&state) { started.append(next) }
            return started
        }
        // A turn whose task was cancelled at this moment is taken back by it.
        for turn in started where !turn.end(.success(())) { finish(turn) }
    }

    private func finish(_ turn: Turn) {
        state.withLock { state in
            state.running -= 1
            state.free += turn.bytes
            let held = (state.held[turn.client] ?? 0) - turn.bytes
            state.held[turn.client] = held > 0 ? held : nil
        }
        start(adding: nil)
    }

    /// Takes the work that runs next; nil if none can.
    private func next(_ state: inout State) -> Turn? {
        let now = ContinuousClock.now
        var index = 0
        while state.running < threads, index < state.rotation.count {
            let client = state.rotation[index]
            state.queues[client]?.removeAll { $0.isOver(at: now) }
            guard let turn = state.queues[client]?.first else {
                state.queues[client] = nil
                state.rotation.remove(at: index)
                continue
            }
            let held = state.held[client] ?? 0
            guard turn.bytes <= state.free, held == 0 || held + turn.bytes <= clientBytes else {
                if turn.bytes > state.free, now - turn.start > Self.patience { return nil }
                index += 1
                continue
            }
            state.running += 1
            state.free -= turn.bytes
            if turn.bytes > 0 { state.held[client] = held + turn.bytes }
            state.queues[client]?.removeFirst()
            state.rotation.remove(at: index)
            if state.queues[client]?.isEmpty == false {
                state.rotation.append(client)
            } else {
                state.queues[client] = nil
            }
            return turn
        }
        return nil
    }
}

/// Work that waits until it can run.
private final class Turn: Sendable {
    let client: Client
    let bytes: Int
    let start = ContinuousClock.now
    private let deadline: ContinuousClock.Instant
    private let continuation = Mutex<CheckedContinuation<Void, any Error>?>(nil)

    init(_ client: Client, _ bytes: Int, until deadline: ContinuousClock.Instant) {
        (self.client, self.bytes, self.deadline) = (client, bytes, deadline)
    }

    func wait(_ new: CheckedContinuation<Void, any Error>) { continuation.withLock { $0 = new } }

    /// Resumes the task that waits. Returns false if it was resumed before.
    @discardableResult
    func end(_ result: Result<Void, any Error>) -> Bool {
        let waiting = continuation.withLock { waiting in
            defer { waiting = nil }
            return waiting
        }
        waiting?.resume(with: result)
        return waiting != nil
    }

    /// Whether the task no longer waits: it was cancelled, or its time is over.
    func isOver(at now: ContinuousClock.Instant) -> Bool {
        if now >= deadline {
            let seconds = ((now - start) / .milliseconds(1)).rounded() / 1000
            end(
                .failure(
                    MediaError(
                        .limit, code: .timedOut, step: .start,
                        reason: "it waited for \(seconds.shortDescription) s")))
        }
        return continuation.withLock { $0 == nil }
    }
}
