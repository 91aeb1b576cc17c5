internal import Synchronization
public import WayreelCore

/// Carries out tasks in processes of their own, one after the other on the calling thread, side by side on several.
///
/// A process is kept for the next task (see ``Isolation/tasksPerProcess``) as long as this value, or a copy of it, is.
public struct IsolatedPipeline<Work: MediaTask>: MediaPipeline {
    public var isolation: Isolation { crew.isolation }
    let crew: WorkerCrew
    /// Carries out what needs no process of its own; nil: made when there is such a task.
    private let plain: Work.Pipeline?

    public init(_ isolation: Isolation) { self.init(WorkerCrew(isolation), plain: nil) }

    init(_ crew: WorkerCrew, plain: Work.Pipeline?) {
        self.crew = crew
        self.plain = plain
    }

    public func run(
        _ task: Work, ifExists: ExistingOutput = .replace, threads: Int = 1,
        cancellation: Cancellation = Cancellation()
    ) -> TaskReport {
        run(task, ifExists: ifExists, threads: threads, cancellation: cancellation) { _ in }
    }

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
        var attendance = Attendance(crew)
        var report: TaskReport
        do throws(MediaError) {
            // Where it can be told without a process.
            if cancellation.isCancelled {
                throw MediaError(.cancelled, step: "start", reason: "cancelled")
            }
            report = try attendance.carryOut(
                TaskOrder(task: task, ifExists: ifExists, threads: threads), cancellation: cancellation,
                progress: progress)
        } catch {
            report = TaskReport(failed: task, error)
            report.wallMilliseconds = (Clock.wall - start) * 1000
            report.peakMemoryBytes = attendance.peakBytes
        }
        report.cpuMilliseconds = attendance.cpuMilliseconds
        return report
    }
}

extension IsolatedPipeline {
    /// One that works in this process.
    func pipeline(for task: Work) throws(MediaError) -> Work.Pipeline {
        if let plain { return plain }
        return try crew.pipelines.withLock { (kept) throws(MediaError) in try kept.pipeline(for: task) }
    }
}

extension MediaTask {
    /// Whether the task runs in a process of its own, as all do or where a part of it is one call of a library that only the end
    /// of its process ends.
    ///
    /// A file that options name and that is a pipe can be read once only, and this process has read it.
    func isIsolated(_ scope: Isolation.Scope, inputNeeds: @autoclosure () -> Bool) -> Bool {
        canBePreparedAgain && (scope == .everyTask || isolationNeed > .none || inputNeeds())
    }

    /// Whether making the pipeline is such a call.
    var needsIsolatedPipeline: Bool { canBePreparedAgain && isolationNeed == .pipeline }

    private var canBePreparedAgain: Bool { namedFiles.allSatisfy { !FileHead.isPipe($0) } }
}
