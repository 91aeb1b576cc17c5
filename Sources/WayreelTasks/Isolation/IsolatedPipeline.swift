internal import Synchronization
public import WayreelCore

/// Runs tasks in child processes: sequentially on the calling thread, in parallel on several.
///
/// A process is reused for the next task (see ``Isolation/tasksPerProcess``) as long as this value or a copy of it
/// exists.
public struct IsolatedPipeline<Work: MediaTask>: MediaPipeline {
    public var isolation: Isolation { processes.isolation }
    let processes: WorkerProcessPool
    /// Runs tasks that need no child process; nil until its first use.
    private let plain: Work.Pipeline?

    public init(_ isolation: Isolation) { self.init(WorkerProcessPool(isolation), plain: nil) }

    /// `idleBytes`: a process that holds more than that after a task is not kept for the next one.
    package init(_ isolation: Isolation, idleBytes: Int) {
        self.init(WorkerProcessPool(isolation, idleBytes: idleBytes), plain: nil)
    }

    init(_ processes: WorkerProcessPool, plain: Work.Pipeline?) {
        self.processes = processes
        self.plain = plain
    }

    @available(*, noasync, message: "it blocks its thread: use an async variant, or WorkPool.run")
    public func run(
        _ task: Work, ifExists: ExistingOutput = .replace, threads: Int = 1,
        cancellation: Cancellation = Cancellation()
    ) -> TaskReport {
        run(task, ifExists: ifExists, threads: threads, cancellation: cancellation) { _ in }
    }

    @available(*, noasync, message: "it blocks its thread: use an async variant, or WorkPool.run")
    public func run(
        _ task: Work, ifExists: ExistingOutput, threads: Int, cancellation: Cancellation,
        progress: @escaping @Sendable (TaskProgress) -> Void
    ) -> TaskReport {
        guard task.isIsolated(isolation.scope, inputNeeds: task.inputNeedsIsolation) else {
            do {
                return try pipeline(for: task).run(
                    task, ifExists: ifExists, threads: threads, cancellation: cancellation, progress: progress)
            } catch {
                return TaskReport(failed: task, error)
            }
        }
        let start = Clock.wall
        var sent = task
        sent.input = DescriptorPath.forChildren(task.input)
        var supervisor = WorkerSupervisor(processes)
        var report: TaskReport
        do throws(MediaError) {
            // Avoids starting a process if the task is already cancelled.
            try cancellation.check(step: "start")
            report = try supervisor.execute(
                TaskRequest(task: sent, ifExists: ifExists, threads: threads), cancellation: cancellation,
                progress: progress)
        } catch {
            report = TaskReport(failed: task, error)
            report.wallMilliseconds = (Clock.wall - start) * 1000
            report.peakMemoryBytes = supervisor.peakBytes
        }
        report.cpuMilliseconds = supervisor.cpuMilliseconds
        if report.input.path == sent.input { report.input.path = task.input }
        if report.error?.subject == sent.input { report.error?.subject = task.input }
        return report
    }
}

extension IsolatedPipeline {
    /// Returns the in-process pipeline for `task`.
    func pipeline(for task: Work) throws(MediaError) -> Work.Pipeline {
        if let plain { return plain }
        return try processes.pipelines.pipeline(for: task)
    }
}

extension MediaTask {
    /// Returns whether the task runs in a child process: either all tasks do, or those with a library call that can
    /// only be interrupted by ending its process.
    ///
    /// A pipe named by the options can be read only once, and this process has already read it.
    func isIsolated(_ scope: Isolation.Scope, inputNeeds: @autoclosure () -> Bool) -> Bool {
        canBePreparedAgain && (scope == .everyTask || isolationNeed > .none || inputNeeds())
    }

    /// Whether creating the pipeline makes such a call.
    var needsIsolatedPipeline: Bool { canBePreparedAgain && isolationNeed == .pipeline }

    private var canBePreparedAgain: Bool { namedFiles.allSatisfy { !FileHead.isPipe($0) } }
}
