internal import WayreelCore

/// Carries out a task.
struct TaskOrder<Work: MediaTask>: WorkOrder {
    var task: Work
    var ifExists: ExistingOutput
    var threads: Int

    var secondsAtMost: Double { task.secondsAtMost }
    var outputs: [String] { task.outputs }
    var readsStandardInput: Bool { task.input == "-" }

    func carryOut(_ session: WorkSession) throws(MediaError) -> TaskReport {
        do {
            return try session.pipelines.pipeline(for: task).run(
                task, ifExists: ifExists, threads: threads, cancellation: session.cancellation,
                progress: session.progress)
        } catch {
            return TaskReport(failed: task, error)
        }
    }
}

/// Makes the pipeline of a task and keeps it for the tasks that follow, so that what is wrong with its options is known before
/// any work begins.
struct OptionsOrder<Work: MediaTask>: WorkOrder {
    struct Answer: Codable {}

    var task: Work

    var secondsAtMost: Double { task.secondsAtMost }
    var readsStandardInput: Bool { false }

    func carryOut(_ session: WorkSession) throws(MediaError) -> Answer {
        _ = try session.pipelines.pipeline(for: task)
        return Answer()
    }
}

/// The pipeline that a worker has used last: tasks of a batch have the same options most of the time.
final class KeptPipeline {
    private var key: Key?
    private var pipeline: (any Sendable)?

    private struct Key: Hashable {
        var options: AnyHashable
        /// The state of each file that the options name: one that has changed is read again.
        var files: [String?]
    }

    func pipeline<Work: MediaTask>(for task: Work) throws(MediaError) -> Work.Pipeline {
        let key = Key(options: AnyHashable(task.options), files: task.namedFiles.map(FileIdentity.stamp))
        if key == self.key, let kept = pipeline as? Work.Pipeline { return kept }
        let made = try task.makePipeline()
        (self.key, pipeline) = (key, made)
        return made
    }
}
