internal import Synchronization
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
final class KeptPipeline: Sendable {
    private let kept = Mutex<(key: Key, pipeline: any Sendable)?>(nil)

    private struct Key: Hashable, @unchecked Sendable {
        /// The options of a task, which are `Sendable`.
        var options: AnyHashable
        /// A stamp for each file that the options name; a changed file is read again.
        var files: [FileStamp?]
    }

    func pipeline<Work: MediaTask>(for task: Work) throws(MediaError) -> Work.Pipeline {
        let key = Key(options: AnyHashable(task.options), files: task.namedFiles.map { FileStamp(of: $0) })
        if let known = kept.withLock({ $0?.key == key ? $0?.pipeline as? Work.Pipeline : nil }) { return known }
        // Made outside the lock, because it may read files: two threads may make the same, but none waits.
        let made = try task.makePipeline()
        kept.withLock { $0 = (key, made) }
        return made
    }
}
