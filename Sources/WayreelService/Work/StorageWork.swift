internal import WayreelCore
internal import WayreelTasks

/// Runs blocking file access on its own threads, so that neither images nor event loops wait for the disk. Refuses work if
/// its queue is full.
struct StorageWork: Sendable {
    private let pool = WorkPool(workers: 4)
    private let queue: AdmissionQueue

    init(_ settings: ServiceSettings) {
        queue = AdmissionQueue(
            maxCount: settings.queue * 4, maxBytes: settings.queueBytes ?? 512 << 20, workers: pool.workers)
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
}
