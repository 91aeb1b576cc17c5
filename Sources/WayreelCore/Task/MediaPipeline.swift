/// Runs tasks of one kind, from any number of threads.
public protocol MediaPipeline: Sendable {
    associatedtype Work: MediaTask

    /// Runs `task` on the calling thread and up to `threads - 1` others, and writes each output atomically. Never
    /// throws: errors are in the report. A task with other options than the pipeline's fails with a `parameter` error.
    @available(*, noasync, message: "it blocks its thread: use an async variant, or WorkPool.run")
    func run(_ task: Work, ifExists: ExistingOutput, threads: Int, cancellation: Cancellation) -> TaskReport

    /// Runs `task` and reports its progress a few times per second. Pipelines with short tasks report none.
    @available(*, noasync, message: "it blocks its thread: use an async variant, or WorkPool.run")
    func run(
        _ task: Work, ifExists: ExistingOutput, threads: Int, cancellation: Cancellation,
        progress: @escaping @Sendable (TaskProgress) -> Void
    ) -> TaskReport
}

extension MediaPipeline {
    @available(*, noasync, message: "it blocks its thread: use an async variant, or WorkPool.run")
    public func run(
        _ task: Work, ifExists: ExistingOutput, threads: Int, cancellation: Cancellation,
        progress: @escaping @Sendable (TaskProgress) -> Void
    ) -> TaskReport {
        run(task, ifExists: ifExists, threads: threads, cancellation: cancellation)
    }

    /// Runs one task on a thread of `pool` and reports its start, progress and end.
    ///
    ///     for await event in pipeline.events(of: task) {
    ///         if case .progress(let state) = event { print(state.fraction ?? 0) }
    ///     }
    ///
    /// Ending the iteration, or cancelling its task, cancels the work, which then leaves no output. The work does not
    /// wait for its observer: unread progress is replaced by later progress, so that at most three events wait.
    public func events(
        of task: Work, ifExists: ExistingOutput = .replace, on pool: WorkPool = .shared,
        cancellation: Cancellation = Cancellation()
    ) -> AsyncStream<TaskEvent> {
        PostedEvents.stream(cancelling: cancellation, where: { $0.isProgress && $1.isProgress }) { emit in
            await emitEvents(
                of: task, ifExists: ifExists, threads: pool.workers, on: pool, cancellation: cancellation, emit)
        }
    }

    /// Runs one task on a thread of `pool`.
    package func emitEvents(
        of task: Work, ifExists: ExistingOutput, threads: Int, on pool: WorkPool, cancellation: Cancellation,
        _ emit: @escaping @Sendable (TaskEvent) -> Void
    ) async {
        let report: TaskReport
        do {
            let ended = try await pool.run { (_) throws(MediaError) in
                emit(.started)
                return OutputFlushing.leavingDirectories {
                    run(task, ifExists: ifExists, threads: threads, cancellation: cancellation) { emit(.progress($0)) }
                }
            }
            try await DirectoryFlusher.flush(ended.directories)
            report = ended.result
        } catch {
            report = TaskReport(failed: task, error)
        }
        emit(.finished(report))
    }

    /// Runs one task on a thread of `pool` and returns its report.
    ///
    /// Throws the ``MediaError`` of a failed task; `cancelled` if the surrounding Swift task is cancelled, which leaves
    /// no output.
    @discardableResult
    public func perform(
        _ task: Work, ifExists: ExistingOutput = .replace, on pool: WorkPool = .shared
    ) async throws -> TaskReport {
        try await pool.run { (cancellation) throws(MediaError) in
            let report = run(task, ifExists: ifExists, threads: pool.workers, cancellation: cancellation)
            if let error = report.error { throw error }
            return report
        }
    }
}

/// An event of a running task.
public enum TaskEvent: Sendable {
    /// A thread has started the task.
    case started
    /// A few times per second, from pipelines with long tasks.
    case progress(TaskProgress)
    /// Always the last event.
    case finished(TaskReport)

    /// Whether later progress supersedes the event.
    package var isProgress: Bool { if case .progress = self { true } else { false } }
}

/// A stream of events that never delays the work: an unread event is replaced by a later one that supersedes it. The
/// number of waiting events is bounded by the number of those that are never replaced.
package final class PostedEvents<Event: Sendable>: Sendable {
    private let channel = BoundedChannel<Event>(limit: nil)
    private let cancellation: Cancellation

    private init(_ cancellation: Cancellation) { self.cancellation = cancellation }

    /// Releasing the stream before its end, or cancelling the task that iterates, cancels the work. At the end, the
    /// caller's cancellation is not set, since other work may share it.
    deinit { if !channel.isFinished { cancellation.cancel() } }

    /// Returns a stream of the events that `produce` emits. `isReplaced` returns whether its second event supersedes
    /// the first.
    package static func stream(
        cancelling cancellation: Cancellation, where isReplaced: @escaping @Sendable (Event, Event) -> Bool,
        _ produce: @escaping @Sendable (_ emit: @escaping @Sendable (Event) -> Void) async -> Void
    ) -> AsyncStream<Event> {
        let events = PostedEvents(cancellation)
        Task { [channel = events.channel] in
            await produce { event in channel.post(event) { isReplaced($0, event) } }
            channel.finish()
        }
        return AsyncStream { await events.next() }
    }

    private func next() async -> Event? {
        do throws(MediaError) { return try await channel.next(isolation: nil) } catch {
            cancellation.cancel()
            return nil
        }
    }
}

/// Flushes the directories of tasks' outputs on a separate thread, while the threads of a pool continue with other
/// tasks. Tasks that wait for the same directory share a flush, and its failure.
private enum DirectoryFlusher {
    private static let work = GroupedWork<Set<String>, MediaError?> { requests in
        var faults: [String: MediaError] = [:]
        for path in Set(requests.joined()) {
            do throws(MediaError) { try Directory.flush(path) } catch { faults[path] = error }
        }
        return requests.map { paths in paths.compactMap { faults[$0] }.first }
    }

    /// Returns once all earlier renames into `paths` are on the disk. Throws an `io` error if a flush fails.
    static func flush(_ paths: Set<String>) async throws {
        if !paths.isEmpty, let fault = try await work.run(paths) { throw fault }
    }
}
