internal import WayreelCore
internal import WayreelSigning
internal import WayreelTasks

/// Runs blocking file access on its own threads, so that neither images nor event loops wait for the disk. Refuses work if
/// its queue is full.
struct StorageWork: Sendable {
    private let pool = WorkPool(workers: 4)
    private let queue: AdmissionQueue
    /// The requests of each player, of which one works at a time, so that the others have the other threads. Its limit
    /// leaves most of the queue to them, too.
    private let turns: SerialTurns

    init(_ settings: ServiceSettings) {
        queue = AdmissionQueue(maxCount: settings.queue * 4, maxBytes: settings.queueBytes, workers: pool.workers)
        turns = SerialTurns(maxWaiting: max(4, settings.queue / 4))
    }

    /// Runs `body`, which holds about `bytes` bytes, on one of the threads.
    ///
    /// Throws a ``Problem`` if the queue is full, and what `body` throws.
    func run<Value: Sendable>(
        bytes: Int = 0, _ body: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        try await queue.admit(bytes: bytes) {
            try await pool.run { (_) throws(MediaError) in Result { try body() } }.get()
        }
    }

    /// Runs `body` likewise when the player's earlier requests are done: alone among them, and on one thread at most.
    /// Waits for that without a thread.
    ///
    /// Throws a ``Problem`` also if too many requests of the player are waiting.
    func run<Value: Sendable>(
        bytes: Int = 0, for player: Player, _ body: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        try await queue.admit(bytes: bytes) {
            try await turns.run(player.id) {
                try await pool.run { (_) throws(MediaError) in Result { try body() } }.get()
            }
        }
    }
}
