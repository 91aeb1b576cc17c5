internal import CLinux
internal import Synchronization

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
    package static let noThread = MediaError(
        .limit, step: .start, reason: "cannot start a thread", advice: "run fewer processes at once")

    /// Runs `job` on one of the pool's threads.
    package func add(_ job: @escaping @Sendable () -> Void) { queue.add(job) }

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

/// The caller of a job that has not started. The code that takes the continuation resumes it.
private final class WaitingCaller<Result: Sendable>: Sendable {
    typealias Continuation = CheckedContinuation<Result, any Error>

    private let continuation = Mutex<Continuation?>(nil)

    func wait(_ new: Continuation) { continuation.withLock { $0 = new } }

    func take() -> Continuation? { continuation.withLock { $0.take() } }

    func leave() {
        take()?.resume(throwing: MediaError.cancelled(step: .start))
    }
}

/// Jobs waiting for a thread. It outlives the pool until its threads have ended.
private final class WorkQueue: Sendable {
    typealias Job = @Sendable () -> Void

    private struct State {
        var jobs: [Job] = []
        /// Index of the first waiting job; those before it have started.
        var first = 0
        var isClosed = false

        mutating func popFirst() -> Job? {
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

    private let state = Monitor(State())

    func add(_ job: @escaping Job) {
        state.withLock { $0.jobs.append(job) }
        state.wakeOne()
    }

    func close() { state.update { $0.isClosed = true } }

    /// Returns false if the system refuses.
    func startThread() -> Bool {
        (try? WorkThread.startDetached("task") { while let job = self.next() { job() } }) != nil
    }

    private func next() -> Job? {
        state.withLock(when: { $0.first < $0.jobs.count || $0.isClosed }) { $0.popFirst() }
    }
}

/// Work that is cheaper for several items together, such as flushing to the disk. A dedicated thread processes all
/// waiting items at once; items that arrive meanwhile form the next group.
package final class GroupedWork<Item: Sendable, Outcome: Sendable>: Sendable {
    private let work: @Sendable ([Item]) -> [Outcome]
    private let waiting = Mutex<[(item: Item, caller: CheckedContinuation<Outcome, Never>)]>([])
    private let pool = WorkPool(workers: 1)

    /// `work` returns one outcome per item, in order.
    package init(_ work: @escaping @Sendable ([Item]) -> [Outcome]) { self.work = work }

    /// Returns the outcome of an item. Cancelling the surrounding task does not end the wait. Throws a `limit` error if
    /// there is no thread.
    package func run(_ item: Item) async throws -> Outcome {
        guard pool.workers > 0 else { throw WorkPool.noThread }
        return await withCheckedContinuation { caller in
            waiting.withLock { $0.append((item, caller)) }
            pool.add { self.runAll() }
        }
    }

    private func runAll() {
        let group = waiting.withLock { waiting in
            defer { waiting = [] }
            return waiting
        }
        guard !group.isEmpty else { return }
        for (caller, outcome) in zip(group.map(\.caller), work(group.map(\.item))) { caller.resume(returning: outcome) }
    }
}
