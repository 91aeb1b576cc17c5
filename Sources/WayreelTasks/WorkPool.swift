internal import CLinux
internal import Glibc
internal import Synchronization
public import WayreelCore

/// A thread pool for work that computes or blocks, which must not run on Swift's cooperative pool.
///
/// Jobs start in the order in which they were submitted. The threads end when the pool is released.
public final class WorkPool: Sendable {
    /// One thread per core available to this process.
    public static let shared = WorkPool()

    /// Number of threads; fewer than requested if the system refuses some.
    public let workers: Int
    private let queue: WorkQueue

    public init(workers: Int = WorkPool.availableCores) {
        let queue = WorkQueue()
        self.queue = queue
        self.workers = (0..<max(1, workers)).count { _ in queue.startThread() }
    }

    deinit { queue.close() }

    /// The error of a pool without threads.
    static let noThread = MediaError(
        .limit, step: "start", reason: "cannot start a thread", advice: "run fewer processes at once")

    /// Runs `job` on one of the pool's threads.
    func add(_ job: @escaping @Sendable () -> Void) { queue.add(job) }

    /// Number of cores that this process may run on.
    public static var availableCores: Int {
        max(1, Int(wr_available_cores()))
    }

    /// Runs `body` on one of the pool's threads.
    ///
    /// Cancelling the surrounding task sets the cancellation passed to `body`; a job that has not started never does,
    /// and this throws `cancelled` at once. Throws a `limit` error if the pool has no thread.
    public func run<Result: Sendable>(
        _ body: @escaping @Sendable (Cancellation) throws(MediaError) -> Result
    ) async throws -> Result {
        guard workers > 0 else { throw Self.noThread }
        let cancellation = Cancellation()
        let caller = WaitingCaller<Result>()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                caller.wait(continuation)
                guard !cancellation.isCancelled else { return caller.leave() }
                queue.add {
                    if cancellation.isCancelled { caller.leave() }
                    guard let continuation = caller.take() else { return }
                    do {
                        continuation.resume(returning: try body(cancellation))
                    } catch {
                        continuation.resume(throwing: error)
                    }
                }
            }
        } onCancel: {
            cancellation.cancel()
            caller.leave()
        }
    }
}

/// The caller of a job that has not started. Whoever takes the continuation resumes it.
private final class WaitingCaller<Result: Sendable>: Sendable {
    typealias Continuation = CheckedContinuation<Result, any Error>

    private let continuation = Mutex<Continuation?>(nil)

    func wait(_ new: Continuation) { continuation.withLock { $0 = new } }

    func take() -> Continuation? { continuation.withLock { $0.take() } }

    func leave() {
        take()?.resume(throwing: MediaError(.cancelled, step: "start", reason: "cancelled"))
    }
}

/// Jobs waiting for a thread. It outlives the pool until its threads have ended.
private final class WorkQueue: @unchecked Sendable {
    typealias Job = @Sendable () -> Void

    // Guarded by `mutex`.
    private var jobs: [Job] = []
    /// Index of the first waiting job; those before it have started.
    private var first = 0
    private var isClosed = false
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let changed = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

    init() {
        pthread_mutex_init(mutex, nil)
        pthread_cond_init(changed, nil)
    }

    deinit {
        pthread_cond_destroy(changed)
        pthread_mutex_destroy(mutex)
        changed.deallocate()
        mutex.deallocate()
    }

    func add(_ job: @escaping Job) {
        pthread_mutex_lock(mutex)
        jobs.append(job)
        pthread_cond_signal(changed)
        pthread_mutex_unlock(mutex)
    }

    func close() {
        pthread_mutex_lock(mutex)
        isClosed = true
        pthread_cond_broadcast(changed)
        pthread_mutex_unlock(mutex)
    }

    /// Returns false if the system refuses.
    func startThread() -> Bool {
        var thread = pthread_t()
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
        // Decoders and Pango recurse, and the default stack size depends on the shell's limit.
        pthread_attr_setstacksize(&attributes, 4 << 20)
        defer { pthread_attr_destroy(&attributes) }
        let context = Unmanaged.passRetained(self)
        let status = pthread_create(
            &thread, &attributes,
            { context in
                Unmanaged<WorkQueue>.fromOpaque(context!).takeRetainedValue().work()
                return nil
            }, context.toOpaque())
        if status != 0 { context.release() }
        return status == 0
    }

    private func work() {
        ThreadName.set("task")
        while let job = next() { job() }
    }

    private func next() -> Job? {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        while first == jobs.count, !isClosed { pthread_cond_wait(changed, mutex) }
        guard first < jobs.count else { return nil }
        let job = jobs[first]
        // Releases the job's captures now rather than with the queue.
        jobs[first] = {}
        first += 1
        // Compacts rarely, so that a long queue is not shifted for each job.
        if first == jobs.count || first == 1024 {
            jobs.removeFirst(first)
            first = 0
        }
        return job
    }
}
