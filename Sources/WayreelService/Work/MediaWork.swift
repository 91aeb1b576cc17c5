internal import Tracing
internal import WayreelCore
internal import WayreelImage
internal import WayreelLevels
internal import WayreelTasks

/// Prepares images and measures audio on threads of its own. Refuses work if its queue is full.
///
/// Admitted → header → here, if that needs little memory and can be interrupted | in a child process, which has the memory
/// that was reserved for it. Audio is always measured in one: a demuxer takes as much memory as a file declares samples.
struct MediaWork: Sendable {
    let queue: RequestQueue
    /// Images of other servers that are being fetched.
    let fetches: Allowance
    private let plan: MemoryPlan
    private let lane: WorkLane
    private let childLane: WorkLane
    private let captures: IsolatedPipeline<CaptureTask>
    private let levels: IsolatedPipeline<LevelsTask>
    private let seconds: Double

    /// `worker`: the program of child processes.
    init(_ settings: ServiceSettings, _ plan: MemoryPlan, worker: String) {
        self.plan = plan
        lane = WorkLane(threads: plan.workers, bytes: 0)
        childLane = WorkLane(threads: plan.imageChildCount, bytes: plan.runningImageChildren)
        queue = RequestQueue(
            places: settings.queue, bytes: plan.requests, clientShare: settings.clientShare, workers: plan.workers)
        fetches = Allowance(max(1, settings.queue / 2), clientShare: settings.clientShare)
        let isolation = Isolation(executable: worker, memoryBytes: plan.imageChildBytes, scope: .whereNeeded)
        captures = IsolatedPipeline(isolation, idleBytes: MemoryPlan.idleChildBytes)
        // Most of what is resident between two files is the code of FFmpeg's libraries, which the kernel may take back.
        levels = IsolatedPipeline(isolation, idleBytes: MemoryPlan.idleChildBytes / 3 * 4)
        seconds = settings.maxSeconds
    }

    /// Prepares the image that `read` returns.
    ///
    /// Throws an ``AdmissionFault`` if the queue is full, a ``MediaError`` if the image cannot be prepared within the time limit.
    /// The limit includes the time in the queue, so that no work is done for clients that have given up.
    func prepare(
        _ options: CaptureOptions, for client: Client,
        read: @escaping @Sendable () throws(MediaError) -> MediaBytes
    ) async throws -> PreparedCapture {
        let start = ContinuousClock.now
        return try await queue.admit(client) { try await prepare(options, for: client, since: start, read: read) }
    }

    /// Prepares the image that `fetching` returns, which has no place in the queue before it has arrived. Throws likewise.
    func prepare(
        _ options: CaptureOptions, for client: Client, fetching: @Sendable () async throws -> MediaBytes
    ) async throws -> PreparedCapture {
        let start = ContinuousClock.now
        let fetch = try fetches.admit(client, seconds: 1) { .fetches($0) }
        let media = try await fetching()
        withExtendedLifetime(fetch) {}
        return try await queue.admit(client) { try await prepare(options, for: client, since: start) { media } }
    }

    /// Measures encoded audio in a child process, and returns the output of the options: at most `maxBytes`, for which memory
    /// is reserved in `result` once their number is known. Throws likewise.
    func measure(
        _ audio: MediaBytes, _ options: LevelsOptions, maxBytes: Int, result: Reservation, for client: Client
    ) async throws -> [UInt8] {
        let start = ContinuousClock.now
        let memoryBytes = MemoryPlan.idleChildBytes + MemoryPlan.levelsBytes + options.drawingBytes
        try checkFits(memoryBytes)
        let laneBytes = min(memoryBytes + audio.count, plan.imageChildBytes)
        return try await queue.admit(client) {
            try await run(on: childLane, for: client, bytes: laneBytes, since: start) {
                (cancellation, seconds) throws(MediaError) in
                var options = options
                options.limits.seconds = seconds
                return try levels.measureInChild(
                    audio, options, maxBytes: maxBytes, memoryBytes: memoryBytes, cancellation: cancellation
                ) { (bytes) throws(MediaError) in
                    do throws(Allowance.Refusal) { try result.grow(to: bytes) } catch {
                        throw MediaError(
                            .limit, code: .outOfMemory, step: .write, reason: "there is no memory for the levels",
                            advice: "ask for fewer readings, or try again later")
                    }
                }
            }
        }
    }

    /// Runs `body`, which starts a child process of an image with at most `bytes`, when it may have them.
    func runChild<Result: Sendable>(_ body: @escaping @Sendable (Cancellation, _ bytes: Int) -> Result) async throws
        -> Result
    {
        let bytes = plan.imageChildBytes
        return try await childLane.run(for: .unknown, bytes: bytes, until: .now + .seconds(86_400)) { cancellation in
            body(cancellation, bytes)
        }
    }

    typealias Body<Result> = @Sendable (Cancellation, _ seconds: Double) throws(MediaError) -> Result

    private enum Attempt {
        case prepared(PreparedCapture)
        /// It needs a child process with so much memory.
        case needsChild(MediaBytes, bytes: Int)
    }

    private func prepare(
        _ options: CaptureOptions, for client: Client, since start: ContinuousClock.Instant,
        read: @escaping @Sendable () throws(MediaError) -> MediaBytes
    ) async throws -> PreparedCapture {
        let attempt: Attempt = try await run(on: lane, for: client, since: start) {
            (cancellation, seconds) throws(MediaError) in
            var options = options
            options.limits.seconds = seconds
            let media = try read()
            let need = try captures.need(media, options, cancellation: cancellation)
            if !need.needsChild, let bytes = need.memoryBytes, bytes <= plan.imageBytes {
                return .prepared(try captures.prepareHere(media, options, cancellation: cancellation))
            }
            return .needsChild(media, bytes: try childBytes(need, media))
        }
        switch attempt {
        case .prepared(let image): return image
        case .needsChild(let media, let bytes):
            return try await run(on: childLane, for: client, bytes: bytes, since: start) {
                (cancellation, seconds) throws(MediaError) in
                var options = options
                options.limits.seconds = seconds
                return try captures.prepareInChild(media, options, memoryBytes: bytes, cancellation: cancellation)
            }
        }
    }

    /// The memory of the child process that prepares an image: the estimate, with a margin, its own needs and two copies of
    /// the file. That of the largest one where there is no estimate.
    private func childBytes(
        _ need: IsolatedPipeline<CaptureTask>.Need, _ media: MediaBytes
    ) throws(MediaError) -> Int {
        guard let estimate = need.memoryBytes else { return plan.imageChildBytes }
        let bytes = MemoryPlan.idleChildBytes + estimate / 4 * 5 + 2 * media.count
        try checkFits(bytes)
        return bytes
    }

    /// Throws a `limit` error if no child process may have so much memory.
    private func checkFits(_ bytes: Int) throws(MediaError) {
        guard bytes <= plan.imageChildBytes else {
            throw MediaError(
                .limit, code: .outOfMemory, step: .open,
                reason: "it would need about \(bytes / 1_000_000) MB of memory; "
                    + "the limit is \(plan.imageChildBytes / 1_000_000) MB",
                advice: "choose a smaller size")
        }
    }

    private func run<Result: Sendable>(
        on lane: WorkLane, for client: Client, bytes: Int = 0, since start: ContinuousClock.Instant,
        _ body: @escaping Body<Result>
    ) async throws -> Result {
        try await withSpan("prepare") { span in
            try await lane.run(for: client, bytes: bytes, until: start + .seconds(seconds)) {
                (cancellation) throws(MediaError) in
                let waited = (ContinuousClock.now - start) / .seconds(1)
                span.updateAttributes { $0["wayreel.waited_seconds"] = waited }
                // Whole milliseconds, because an error may tell the client this value.
                return try body(cancellation, max(0.001, ((seconds - waited) * 1000).rounded(.up) / 1000))
            }
        }
    }
}
