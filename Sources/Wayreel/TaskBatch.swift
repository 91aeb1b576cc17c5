public import WayreelCore

/// Many tasks of a kind, carried out side by side.
///
///     for await (_, report) in try TaskBatch(tasks).reports() { print(report.output.path, report.status) }
public struct TaskBatch<Work: MediaTask>: Sendable {
    public let tasks: [Work]
    /// Of each task; tasks with the same options share theirs. nil where it is made in a process of its own only.
    public let pipelines: [Work.Pipeline?]
    private let crew: WorkerCrew?

    /// Checks the options of all tasks, that no two write to one file, and that none writes over an input, before any work
    /// starts. With `isolation`, tasks run in processes of their own, all of them or where that is needed; each process carries
    /// out one task after the other.
    ///
    /// Throws a `parameter` error that names both inputs of a collision; else what ``MediaTask/makePipeline()`` throws.
    public init(
        _ tasks: [Work], isolation: Isolation? = nil, cancellation: Cancellation = Cancellation()
    ) throws(MediaError) {
        try Self.checkPaths(tasks)
        let crew = isolation.map { WorkerCrew($0) }
        var made: [Work.Options: Work.Pipeline?] = [:]
        var pipelines: [Work.Pipeline?] = []
        for task in tasks {
            let pipeline: Work.Pipeline?
            if let shared = made[task.options] {
                pipeline = shared
            } else if let crew, task.needsIsolatedPipeline {
                try Self.check(task, by: crew, cancellation)
                pipeline = nil
            } else {
                pipeline = try task.makePipeline()
            }
            made[task.options] = .some(pipeline)
            pipelines.append(pipeline)
        }
        self.tasks = tasks
        self.pipelines = pipelines
        self.crew = crew
    }

    /// Has a worker make the pipeline of `task`, as the first of its tasks will want it.
    private static func check(_ task: Work, by crew: WorkerCrew, _ cancellation: Cancellation) throws(MediaError) {
        var attendance = Attendance(crew)
        do throws(MediaError) {
            _ = try attendance.carryOut(OptionsOrder(task: task), cancellation: cancellation)
        } catch {
            // Of a process that was ended nobody knows what it was at: most likely at the first file that may take long.
            guard error.step == Attendance.step else { throw error }
            throw error.naming(task.namedFiles.first(where: FileHead.isUninterruptibleImage) ?? task.input)
        }
    }

    private static func checkPaths(_ tasks: [Work]) throws(MediaError) {
        let inputs = Set(tasks.compactMap { FileIdentity(of: $0.input) })
        var takers: [OutputPlace: String] = [:]
        for task in tasks {
            for output in task.outputs where output != "-" {
                if let there = FileIdentity(of: output), inputs.contains(there) {
                    throw MediaError(
                        .parameter, step: "plan", subject: output, reason: "is an input itself",
                        advice: "name another output or folder")
                }
                guard let other = takers.updateValue(task.input, forKey: OutputPlace(output)) else { continue }
                throw other == task.input
                    ? MediaError(
                        .parameter, step: "plan", subject: output, reason: "\(other) would be written to it twice",
                        advice: "name each input and each output once")
                    : MediaError(
                        .parameter, step: "plan", subject: output,
                        reason: "both \(other) and \(task.input) would be written to it",
                        advice: "rename one or prepare them into different folders")
            }
        }
    }

    /// Runs the tasks on `pool` and hands out each one's report when it ends, with the task's place in ``tasks``.
    ///
    /// Where there are fewer tasks than the pool has threads, each is let have several. Ending the iteration, or cancelling its
    /// task, cancels what still runs; tasks that had not ended report `cancelled`.
    public func reports(
        ifExists: ExistingOutput = .replace, on pool: WorkPool = .shared,
        cancellation: Cancellation = Cancellation()
    ) -> AsyncStream<(index: Int, report: TaskReport)> {
        stream(ifExists, pool, cancellation) { index, event in
            if case .finished(let report) = event { (index, report) } else { nil }
        }
    }

    /// The same, telling also when a task begins and how far it is.
    public func events(
        ifExists: ExistingOutput = .replace, on pool: WorkPool = .shared,
        cancellation: Cancellation = Cancellation()
    ) -> AsyncStream<(index: Int, event: TaskEvent)> {
        stream(ifExists, pool, cancellation) { ($0, $1) }
    }

    /// What `told` makes of the events of all tasks, without what it has no use for.
    private func stream<Element: Sendable>(
        _ ifExists: ExistingOutput, _ pool: WorkPool, _ cancellation: Cancellation,
        _ told: @escaping @Sendable (Int, TaskEvent) -> Element?
    ) -> AsyncStream<Element> {
        let threads = max(1, pool.workers / max(1, tasks.count))
        return AsyncStream { stream in
            stream.onTermination = { if case .cancelled = $0 { cancellation.cancel() } }
            Task {
                await withDiscardingTaskGroup { group in
                    for (index, (task, pipeline)) in zip(tasks, pipelines).enumerated() {
                        let hear: @Sendable (TaskEvent) -> Void = { event in
                            if let element = told(index, event) { stream.yield(element) }
                        }
                        group.addTask {
                            if let crew {
                                await IsolatedPipeline(crew, plain: pipeline).tell(
                                    of: task, ifExists: ifExists, threads: threads, on: pool,
                                    cancellation: cancellation, hear)
                            } else if let pipeline {
                                await pipeline.tell(
                                    of: task, ifExists: ifExists, threads: threads, on: pool,
                                    cancellation: cancellation, hear)
                            }
                        }
                    }
                }
                crew?.dismiss()
                stream.finish()
            }
        }
    }
}
