internal import WayreelCore

/// Runs a task.
struct TaskRequest<Work: MediaTask>: WorkRequest {
    var task: Work
    var ifExists: ExistingOutput
    var threads: Int

    var maxSeconds: Double { task.maxSeconds }
    var outputs: [String] { task.outputs }
    var readsStandardInput: Bool { task.input == "-" }

    func execute(_ session: WorkSession) throws(MediaError) -> TaskReport {
        do {
            return try session.pipelines.pipeline(for: task).run(
                task, ifExists: ifExists, threads: threads, cancellation: session.cancellation,
                progress: session.progress)
        } catch {
            return TaskReport(failed: task, error)
        }
    }
}

/// Creates the pipeline of a task and keeps it for the following tasks, so that errors in its options are found before
/// any work starts.
struct OptionsRequest<Work: MediaTask>: WorkRequest {
    struct Answer: Codable {}

    var task: Work

    var maxSeconds: Double { task.maxSeconds }
    var readsStandardInput: Bool { false }

    func execute(_ session: WorkSession) throws(MediaError) -> Answer {
        _ = try session.pipelines.pipeline(for: task)
        return Answer()
    }
}

/// The pipeline that a worker used last. Tasks of a batch usually share their options.
final class KeptPipeline {
    private var key: Key?
    private var pipeline: (any Sendable)?

    private struct Key: Hashable {
        var options: AnyHashable
        /// A stamp for each file that the options name; a changed file is read again.
        var files: [FileStamp?]
    }

    func pipeline<Work: MediaTask>(for task: Work) throws(MediaError) -> Work.Pipeline {
        let key = Key(options: AnyHashable(task.options), files: task.namedFiles.map { FileStamp(of: $0) })
        if key == self.key, let kept = pipeline as? Work.Pipeline { return kept }
        let made = try task.makePipeline()
        (self.key, pipeline) = (key, made)
        return made
    }
}
