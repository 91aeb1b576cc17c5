public import WayreelCore
public import WayreelImage
public import WayreelLevels
public import WayreelVideo

/// Tasks of one kind, run concurrently.
///
///     for await (_, report) in try TaskBatch(tasks).reports() { print(report.output.path, report.status) }
public struct TaskBatch<Work: MediaTask>: Sendable {
    public let tasks: [Work]
    /// One per task; tasks with the same options share a pipeline. nil if it is created only in a child process.
    public let pipelines: [Work.Pipeline?]
    private let processes: WorkerProcessPool?

    /// Checks, before any work starts, the options of all tasks and whether their paths match them, that no two write
    /// to the same file, and that none overwrites an input or a file that the options name. With `isolation`, tasks run
    /// in child processes, either all of them or only those that need it; each process runs one task at a time.
    ///
    /// Throws a `parameter` error that names both inputs of a collision, and what ``MediaTask/makePipeline()`` throws.
    public init(
        _ tasks: [Work], isolation: Isolation? = nil, cancellation: Cancellation = Cancellation()
    ) throws(MediaError) {
        try Self.checkPaths(tasks)
        let processes = isolation.map { WorkerProcessPool($0) }
        var made: [Work.Options: Work.Pipeline?] = [:]
        var pipelines: [Work.Pipeline?] = []
        for task in tasks {
            try task.check()
            let pipeline: Work.Pipeline?
            if let shared = made[task.options] {
                pipeline = shared
            } else if let processes, task.needsIsolatedPipeline {
                try Self.check(task, by: processes, cancellation)
                pipeline = nil
            } else {
                pipeline = try task.makePipeline()
            }
            made[task.options] = .some(pipeline)
            pipelines.append(pipeline)
        }
        self.tasks = tasks
        self.pipelines = pipelines
        self.processes = processes
    }

    /// Creates the pipeline of `task` in a worker, which its first task reuses.
    private static func check(_ task: Work, by processes: WorkerProcessPool, _ cancellation: Cancellation)
        throws(MediaError)
    {
        var supervisor = WorkerSupervisor(processes)
        do throws(MediaError) {
            _ = try supervisor.execute(OptionsRequest(task: task), cancellation: cancellation)
        } catch {
            // If the process was killed, the cause is unknown: most likely the first file that takes long.
            guard error.step == WorkerSupervisor.step else { throw error }
            throw error.naming(task.namedFiles.first(where: FileHead.isUninterruptibleImage) ?? task.input)
        }
    }

    private static func checkPaths(_ tasks: [Work]) throws(MediaError) {
        let inputs = Set(tasks.compactMap { FileIdentity(of: $0.input) })
        let named = Set(Set(tasks.flatMap(\.namedFiles)).compactMap { FileIdentity(of: $0) })
        var takers: [CanonicalOutputPath: String] = [:]
        for task in tasks {
            for output in task.outputs where output != "-" {
                if let there = FileIdentity(of: output), inputs.contains(there) || named.contains(there) {
                    throw MediaError(
                        .parameter, step: .plan, subject: output,
                        reason: inputs.contains(there) ? "is an input itself" : "is a file that the options name",
                        advice: "choose another output or folder")
                }
                guard let other = takers.updateValue(task.input, forKey: CanonicalOutputPath(output)) else { continue }
                throw other == task.input
                    ? MediaError(
                        .parameter, step: .plan, subject: output, reason: "\(other) would be written to it twice",
                        advice: "name each input and each output once")
                    : MediaError(
                        .parameter, step: .plan, subject: output,
                        reason: "\(other) and \(task.input) would both be written to it",
                        advice: "rename one or prepare them into different folders")
            }
        }
    }

    /// Runs the tasks on `pool` and yields each report with its index in ``tasks``.
    ///
    /// If there are fewer tasks than threads, each may use several. Ending the iteration, or cancelling its task,
    /// cancels running tasks; unfinished tasks report `cancelled`. Tasks do not wait for the reader: a report is kept
    /// until it is read, at most one per task.
    public func reports(
        ifExists: ExistingOutput = .replace, on pool: WorkPool = .shared,
        cancellation: Cancellation = Cancellation()
    ) -> AsyncStream<(index: Int, report: TaskReport)> {
        stream(ifExists, pool, cancellation, where: { _, _ in false }) { index, event in
            if case .finished(let report) = event { (index, report) } else { nil }
        }
    }

    /// Runs the tasks like ``reports(ifExists:on:cancellation:)`` and also yields start and progress events. Unread
    /// progress is replaced by later progress of the same task, so that at most three events per task wait.
    public func events(
        ifExists: ExistingOutput = .replace, on pool: WorkPool = .shared,
        cancellation: Cancellation = Cancellation()
    ) -> AsyncStream<(index: Int, event: TaskEvent)> {
        stream(
            ifExists, pool, cancellation,
            where: { $0.index == $1.index && $0.event.isProgress && $1.event.isProgress }
        ) { ($0, $1) }
    }

    /// Maps the events of all tasks and drops those for which `transform` returns nil. For `isReplaced`, see
    /// ``PostedEvents``.
    private func stream<Element: Sendable>(
        _ ifExists: ExistingOutput, _ pool: WorkPool, _ cancellation: Cancellation,
        where isReplaced: @escaping @Sendable (Element, Element) -> Bool,
        _ transform: @escaping @Sendable (Int, TaskEvent) -> Element?
    ) -> AsyncStream<Element> {
        let threads = max(1, pool.workers / max(1, tasks.count))
        return PostedEvents.stream(cancelling: cancellation, where: isReplaced) { post in
            await withDiscardingTaskGroup { group in
                for (index, (task, pipeline)) in zip(tasks, pipelines).enumerated() {
                    let emit: @Sendable (TaskEvent) -> Void = { event in
                        if let element = transform(index, event) { post(element) }
                    }
                    group.addTask {
                        if let processes {
                            await IsolatedPipeline(processes, plain: pipeline).emitEvents(
                                of: task, ifExists: ifExists, threads: threads, on: pool,
                                cancellation: cancellation, emit)
                        } else if let pipeline {
                            await pipeline.emitEvents(
                                of: task, ifExists: ifExists, threads: threads, on: pool,
                                cancellation: cancellation, emit)
                        }
                    }
                }
            }
            processes?.dismiss()
        }
    }
}

/// Captures prepared concurrently.
public typealias CaptureBatch = TaskBatch<CaptureTask>

/// Audio files measured concurrently.
public typealias LevelsBatch = TaskBatch<LevelsTask>

/// Videos transcoded concurrently.
public typealias TranscodeBatch = TaskBatch<TranscodeTask>

/// Posters of several videos.
public typealias PosterBatch = TaskBatch<PosterTask>
