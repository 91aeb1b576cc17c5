internal import Synchronization
internal import WayreelCore
internal import WayreelFace
internal import WayreelGround
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
    private let fonts: IsolatedPipeline<FontTask>?
    private let icons: IsolatedPipeline<IconsTask>?
    private let shares: IsolatedPipeline<ShareImageTask>?
    private let maps: IsolatedPipeline<GroundTask>?
    private let drawings: IsolatedPipeline<DrawingTask>?
    let threads: Int
    let cancellation: Cancellation

    /// The most memory for a base map or an SVG drawing. 300 MB of PBF take 200 MB.
    private static let maxDrawingBytes = 1 << 30

    /// If `isolation` is nil, all tasks run in this process.
    init(_ isolation: Isolation?, threads: Int, cancellation: Cancellation) {
        self.threads = threads
        self.cancellation = cancellation
        // Each video and each map runs in a process of its own, so that its time and memory are measured separately.
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
        fonts = isolation.map { IsolatedPipeline($0) }
        icons = isolation.map { IsolatedPipeline($0) }
        shares = isolation.map { IsolatedPipeline($0) }
        // A small file may ask their libraries for any memory.
        let bounded = separate.map { separate in
            var bounded = separate
            bounded.memoryBytes = min(separate.memoryBytes ?? .max, Self.maxDrawingBytes)
            return bounded
        }
        maps = bounded.map { bounded in
            var full = bounded
            full.argument = "full-worker"
            return IsolatedPipeline(full)
        }
        drawings = bounded.map { IsolatedPipeline($0) }
    }

    func run(_ work: BundleWork, progress: @escaping @Sendable (TaskProgress) -> Void) -> TaskReport {
        switch work {
        case .capture(let task): run(task, captures, progress)
        case .levels(let task): run(task, levels, progress)
        case .transcode(let task): run(task, videos, progress)
        case .poster(let task): run(task, posters, progress)
        case .captions(let task): run(task, captions, progress)
        case .copy(let task): run(task, nil, progress)
        case .font(let task): run(task, fonts, progress)
        case .icons(let task): run(task, icons, progress)
        case .share(let task): run(task, shares, progress)
        case .map(let task): run(task, maps, progress)
        case .drawing(let task): run(task, drawings, progress)
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

/// Hands out the tasks of a plan, the longest first, if their memory fits beside that of the running tasks.
final class Schedule: Sendable {
    private struct State {
        /// The waiting tasks, the longest last.
        var waiting: [PlannedTask]
        var running: [PlannedTask] = []
        var waiters: [CheckedContinuation<PlannedTask?, Never>] = []
        var isStopped = false
    }

    private let state: Mutex<State>
    private let jobs: Int
    private let memoryBytes: Int?

    init(_ tasks: [PlannedTask], jobs: Int, memoryBytes: Int?) {
        self.jobs = jobs
        self.memoryBytes = memoryBytes
        // Tasks of equal length are in the order of the story.
        let sorted = tasks.enumerated().sorted {
            ($0.element.predicted.seconds, -$0.offset) < ($1.element.predicted.seconds, -$1.offset)
        }
        state = Mutex(State(waiting: sorted.map(\.element)))
    }

    /// Runs `body` with the next task; returns nil if none is left. After an error no more tasks are handed out.
    func next<Result: Sendable>(
        _ body: (PlannedTask) async throws -> Result
    ) async throws -> (task: PlannedTask, result: Result)? {
        guard let task = await next() else { return nil }
        do {
            let result = try await body(task)
            ended(task)
            return (task, result)
        } catch {
            stop()
            ended(task)
            throw error
        }
    }

    private func next() async -> PlannedTask? {
        await withCheckedContinuation { continuation in
            resume { state in state.waiters.append(continuation) }
        }
    }

    private func ended(_ task: PlannedTask) {
        resume { state in state.running.removeAll { $0.key == task.key } }
    }

    /// Stops handing out tasks.
    func stop() { resume { state in state.isStopped = true } }

    private func resume(_ change: (inout State) -> Void) {
        let answers = state.withLock { state in
            change(&state)
            var answers: [(CheckedContinuation<PlannedTask?, Never>, PlannedTask?)] = []
            while let waiter = state.waiters.first {
                if state.isStopped || state.waiting.isEmpty {
                    answers.append((waiter, nil))
                } else if let task = takeFitting(&state) {
                    answers.append((waiter, task))
                } else {
                    break
                }
                state.waiters.removeFirst()
            }
            return answers
        }
        for (waiter, task) in answers { waiter.resume(returning: task) }
    }

    private func takeFitting(_ state: inout State) -> PlannedTask? {
        guard state.running.count < jobs else { return nil }
        let used = state.running.reduce(0) { $0 + min($1.predicted.memoryBytes, 1 << 50) }
        let index = state.waiting.lastIndex { task in
            // A task that needs more than all the memory runs alone.
            guard let memoryBytes, !state.running.isEmpty else { return true }
            return used + min(task.predicted.memoryBytes, 1 << 50) <= memoryBytes
        }
        guard let index else { return nil }
        let task = state.waiting.remove(at: index)
        state.running.append(task)
        return task
    }
}
