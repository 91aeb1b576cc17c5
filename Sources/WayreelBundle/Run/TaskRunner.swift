internal import WayreelCore
internal import WayreelImage
internal import WayreelLevels
internal import WayreelTasks
internal import WayreelVideo

/// Runs tasks of any kind, in child processes if isolation is on.
struct TaskRunner: Sendable {
    private let captures: IsolatedPipeline<CaptureTask>?
    private let levels: IsolatedPipeline<LevelsTask>?
    private let videos: IsolatedPipeline<TranscodeTask>?
    private let posters: IsolatedPipeline<PosterTask>?
    private let captions: IsolatedPipeline<CaptionsTask>?
    private let qualities: IsolatedPipeline<QualityTask>?
    let threads: Int
    let cancellation: Cancellation

    /// If `isolation` is nil, all tasks run in this process.
    init(_ isolation: Isolation?, threads: Int, cancellation: Cancellation) {
        self.threads = threads
        self.cancellation = cancellation
        // Each video runs in a process of its own, so that its time and memory are measured separately.
        let separate = isolation.map { isolation in
            var separate = isolation
            separate.scope = .everyTask
            separate.tasksPerProcess = 1
            return separate
        }
        captures = isolation.map { IsolatedPipeline($0) }
        levels = isolation.map { IsolatedPipeline($0) }
        videos = separate.map { IsolatedPipeline($0) }
        posters = separate.map { IsolatedPipeline($0) }
        captions = isolation.map { IsolatedPipeline($0) }
        qualities = isolation.map { IsolatedPipeline($0) }
    }

    func run(_ work: BundleWork, progress: @escaping @Sendable (TaskProgress) -> Void) -> TaskReport {
        switch work {
        case .capture(let task): run(task, captures, progress)
        case .levels(let task): run(task, levels, progress)
        case .transcode(let task): run(task, videos, progress)
        case .poster(let task): run(task, posters, progress)
        case .captions(let task): run(task, captions, progress)
        case .copy(let task): run(task, nil, progress)
        }
    }

    func run(_ task: QualityTask) -> TaskReport { run(task, qualities) { _ in } }

    private func run<Work: MediaTask>(
        _ task: Work, _ isolated: IsolatedPipeline<Work>?, _ progress: @escaping @Sendable (TaskProgress) -> Void
    ) -> TaskReport {
        if let isolated {
            return isolated.run(
                task, ifExists: .replace, threads: threads, cancellation: cancellation, progress: progress)
        }
        do {
            return try task.makePipeline().run(
                task, ifExists: .replace, threads: threads, cancellation: cancellation, progress: progress)
        } catch {
            return TaskReport(failed: task, error)
        }
    }
}
