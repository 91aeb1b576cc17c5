public import WayreelCore
internal import WayreelImage

/// Many captures, prepared side by side.
///
///     for await report in try CaptureBatch(tasks).reports() { print(report.output.path, report.status) }
public struct CaptureBatch: Sendable {
    public let tasks: [CaptureTask]
    private let pipelines: [CaptureOptions: CapturePipeline]

    /// Checks the options of all tasks, and that no two write to one file, before any work starts.
    ///
    /// Throws a `parameter` error that names both inputs of a collision; else what ``CapturePipeline/init(_:)`` throws.
    public init(_ tasks: [CaptureTask]) throws(MediaError) {
        var inputs: [String: String] = [:]
        for task in tasks where task.output != "-" {
            if let other = inputs.updateValue(task.input, forKey: task.output) {
                throw MediaError(
                    .parameter, step: "plan", subject: task.output,
                    reason: "both \(other) and \(task.input) would be written to it",
                    advice: "rename one or prepare them into different folders")
            }
        }
        var pipelines: [CaptureOptions: CapturePipeline] = [:]
        for options in Set(tasks.map(\.options)) {
            pipelines[options] = try CapturePipeline(options)
        }
        self.tasks = tasks
        self.pipelines = pipelines
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
                await withTaskGroup(of: Void.self) { group in
                    for (index, task) in tasks.enumerated() {
                        guard let pipeline = pipelines[task.options] else { continue }
                        group.addTask {
                            let report = try? await pool.run { (_) throws(MediaError) in
                                pipeline.run(
                                    input: task.input, output: task.output, ifExists: ifExists,
                                    cancellation: cancellation)
                            }
                            if let report { stream.yield((index, report)) }
                        }
                    }
                }
                stream.finish()
            }
        }
    }
}
