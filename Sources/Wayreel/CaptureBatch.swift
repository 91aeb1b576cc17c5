public import WayreelCore
internal import WayreelImage

/// Many captures, prepared side by side.
///
///     for await (_, report) in try CaptureBatch(tasks).reports() { print(report.output.path, report.status) }
public struct CaptureBatch: Sendable {
    public let tasks: [CaptureTask]
    /// Of each task; tasks with the same options share theirs.
    private let pipelines: [CapturePipeline]

    /// Checks the options of all tasks, that no two write to one file, and that none writes over an input, before any work
    /// starts.
    ///
    /// Throws a `parameter` error that names both inputs of a collision; else what ``CapturePipeline/init(_:)`` throws.
    public init(_ tasks: [CaptureTask]) throws(MediaError) {
        try Self.checkPaths(tasks)
        var made: [CaptureOptions: CapturePipeline] = [:]
        var pipelines: [CapturePipeline] = []
        for task in tasks {
            if let pipeline = made[task.options] {
                pipelines.append(pipeline)
            } else {
                let pipeline = try CapturePipeline(task.options)
                made[task.options] = pipeline
                pipelines.append(pipeline)
            }
        }
        self.tasks = tasks
        self.pipelines = pipelines
    }

    private static func checkPaths(_ tasks: [CaptureTask]) throws(MediaError) {
        let inputs = Set(tasks.compactMap { FileIdentity(of: $0.input) })
        var takers: [OutputPlace: String] = [:]
        for task in tasks where task.output != "-" {
            if let there = FileIdentity(of: task.output), inputs.contains(there) {
                throw MediaError(
                    .parameter, step: "plan", subject: task.output, reason: "is an input itself",
                    advice: "name another output or folder")
            }
            if let other = takers.updateValue(task.input, forKey: OutputPlace(task.output)) {
                throw MediaError(
                    .parameter, step: "plan", subject: task.output,
                    reason: "both \(other) and \(task.input) would be written to it",
                    advice: "rename one or prepare them into different folders")
            }
        }
    }

    /// Runs the tasks on `pool` and hands out each one's report when it ends, with the task's place in ``tasks``.
    ///
    /// Ending the iteration, or cancelling its task, cancels what still runs; tasks that had not ended report `cancelled`.
    public func reports(
        ifExists: ExistingOutput = .replace, on pool: WorkPool = .shared, cancellation: Cancellation = Cancellation()
    ) -> AsyncStream<(index: Int, report: TaskReport)> {
        AsyncStream { stream in
            stream.onTermination = { if case .cancelled = $0 { cancellation.cancel() } }
            Task {
                await withDiscardingTaskGroup { group in
                    for (index, (task, pipeline)) in zip(tasks, pipelines).enumerated() {
                        group.addTask {
                            let report: TaskReport
                            do {
                                report = try await pool.run { (_) throws(MediaError) in
                                    pipeline.run(
                                        input: task.input, output: task.output, ifExists: ifExists,
                                        cancellation: cancellation)
                                }
                            } catch {
                                report = TaskReport(failed: task, error)
                            }
                            stream.yield((index, report))
                        }
                    }
                }
                stream.finish()
            }
        }
    }
}

extension TaskReport {
    /// Of a task that never came to run.
    fileprivate init(failed task: CaptureTask, _ error: any Error) {
        self.init(input: .init(path: task.input), output: .init(path: task.output))
        status = .failed
        let known = error as? MediaError
        self.error = (known ?? MediaError(.limit, step: "start", reason: "\(error)")).naming(task.input)
    }
}
