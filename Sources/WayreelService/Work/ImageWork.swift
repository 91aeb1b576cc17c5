internal import WayreelCore
internal import WayreelImage
internal import WayreelTasks

/// Prepares images and measures audio on threads of its own, as many at once as it has workers; what is beyond the queue's bounds is refused.
struct ImageWork: Sendable {
    let queue: AdmissionQueue
    private let pool: WorkPool
    private let seconds: Double

    init(_ settings: ServiceSettings) {
        pool = WorkPool(workers: settings.jobs ?? WorkPool.availableCores)
        queue = AdmissionQueue(maxCount: settings.queue, maxBytes: settings.queueBytes, workers: pool.workers)
        seconds = settings.maxSeconds
    }

    /// Prepares the image that `read` returns, which has about `bytes` bytes.
    ///
    /// Throws a ``Problem`` if the queue is full, a ``MediaError`` if the image cannot be prepared, or not before its deadline: waiting
    /// counts, so that nothing is made for clients that have given up.
    func prepare(
        _ options: CaptureOptions, bytes: Int, read: @escaping @Sendable () throws(MediaError) -> MediaBytes
    ) async throws -> PreparedCapture {
        try await run(bytes: bytes) { (cancellation, seconds) throws(MediaError) in
            var options = options
            options.limits.seconds = seconds
            return try CapturePipeline(options).prepare(try read(), cancellation: cancellation)
        }
    }

    /// Runs `body`, which needs about `bytes` bytes, with the seconds that it has left. Throws likewise.
    func run<Result: Sendable>(
        bytes: Int, _ body: @escaping @Sendable (Cancellation, _ seconds: Double) throws(MediaError) -> Result
    ) async throws -> Result {
        let clock = ContinuousClock()
        let start = clock.now
        return try await queue.admit(bytes: bytes) {
            try await pool.run { (cancellation) throws(MediaError) in
                let left = seconds - (clock.now - start) / .seconds(1)
                guard left > 0 else {
                    throw MediaError(
                        .limit, code: .timedOut, step: "start", reason: "it waited for \(seconds) seconds")
                }
                return try body(cancellation, left)
            }
        }
    }
}
