internal import Tracing
internal import WayreelCore
internal import WayreelImage
internal import WayreelTasks

/// Prepares images and measures audio on a pool of threads. Refuses work if its queue is full.
struct ImageWork: Sendable {
    let queue: AdmissionQueue
    private let pool: WorkPool
    /// Runs tasks that no deadline can interrupt, such as AVIF encoding, in child processes.
    private let captures: IsolatedPipeline<CaptureTask>
    private let seconds: Double
    private let maxBytes: Int

    init(_ settings: ServiceSettings) {
        pool = WorkPool(workers: settings.jobs ?? WorkPool.availableCores)
        queue = AdmissionQueue(maxCount: settings.queue, maxBytes: settings.queueBytes, workers: pool.workers)
        captures = IsolatedPipeline(
            Isolation(
                executable: Isolation.ownExecutable, memoryBytes: settings.maxMemory, scope: .whereNeeded))
        seconds = settings.maxSeconds
        maxBytes = settings.maxBytes
    }

    /// Prepares the image that `read` returns, which has about `bytes` bytes.
    ///
    /// Throws a ``Problem`` if the queue is full, a ``MediaError`` if the image cannot be prepared within the time limit.
    /// The limit includes the time in the queue, so that no work is done for clients that have given up.
    func prepare(
        _ options: CaptureOptions, bytes: Int, read: @escaping @Sendable () throws(MediaError) -> MediaBytes
    ) async throws -> PreparedCapture {
        try await run(bytes: bytes, capture(options, read: read))
    }

    /// Prepares the image that `fetching` returns. The queue counts it with the maximum size, because its size is not
    /// known yet. Throws likewise.
    func prepare(
        _ options: CaptureOptions, fetching: @escaping @Sendable () async throws -> MediaBytes
    ) async throws -> PreparedCapture {
        let start = ContinuousClock.now
        return try await queue.admit(bytes: maxBytes) {
            let media = try await fetching()
            return try await run(since: start, capture(options) { media })
        }
    }

    /// Runs `body`, which needs about `bytes` bytes, with the rest of its time limit. Throws likewise.
    func run<Result: Sendable>(bytes: Int, _ body: @escaping Body<Result>) async throws -> Result {
        let start = ContinuousClock.now
        return try await queue.admit(bytes: bytes) { try await run(since: start, body) }
    }

    typealias Body<Result> = @Sendable (Cancellation, _ seconds: Double) throws(MediaError) -> Result

    private func capture(
        _ options: CaptureOptions, read: @escaping @Sendable () throws(MediaError) -> MediaBytes
    ) -> Body<PreparedCapture> {
        { (cancellation, seconds) throws(MediaError) in
            var options = options
            options.limits.seconds = seconds
            return try captures.prepare(try read(), options, cancellation: cancellation)
        }
    }

    private func run<Result: Sendable>(
        since start: ContinuousClock.Instant, _ body: @escaping Body<Result>
    ) async throws -> Result {
        try await withSpan("prepare") { span in
            try await pool.run { (cancellation) throws(MediaError) in
                let waited = (ContinuousClock.now - start) / .seconds(1)
                span.updateAttributes { $0["wayreel.waited_seconds"] = waited }
                guard waited < seconds else {
                    throw MediaError(
                        .limit, code: .timedOut, step: "start", reason: "it waited for \(seconds.shortDescription) s")
                }
                // Whole milliseconds, because an error may tell the client this value.
                return try body(cancellation, ((seconds - waited) * 1000).rounded(.up) / 1000)
            }
        }
    }
}
