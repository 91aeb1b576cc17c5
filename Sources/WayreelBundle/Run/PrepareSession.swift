internal import WayreelCore
internal import WayreelImage

/// Runs the tasks of a plan, and records each one when its outputs have been flushed.
struct PrepareSession: Sendable {
    struct Result: Sendable {
        var report: PrepareReport.TaskResult
        /// The finished task; nil if it failed.
        var finished: FinishedTask?
    }

    let plan: PreparePlan
    let store: MediaStore
    let cancellation: Cancellation
    let runner: TaskRunner
    let observe: @Sendable (PrepareEvent) -> Void

    /// Runs the pending tasks and returns the results of all tasks by key, including reused ones.
    ///
    /// Throws an `io` error if the disk is full or cannot be written.
    func run(_ schedule: Schedule, jobs: Int, on pool: WorkPool) async throws -> [String: Result] {
        var results: [String: Result] = [:]
        let inputs = Dictionary(plan.inputs.map { ($0.path, $0) }, uniquingKeysWith: { first, _ in first })
        for task in plan.tasks {
            guard let known = task.finished else { continue }
            results[task.key] = Result(
                report: PrepareReport.TaskResult(task, .reused, known, inputs[task.work.task.input]?.bytes ?? 0),
                finished: known)
        }
        // Publishing waits for the disk. Meanwhile the pool runs other tasks, which are then published together.
        let publisher = GroupedWork<Ended, Result> { publish($0) }
        return try await withThrowingTaskGroup(of: [(String, Result)].self) { group in
            for _ in 0..<(jobs + Self.groupSize) {
                group.addTask {
                    var ended: [(String, Result)] = []
                    let job: @Sendable (PlannedTask) async throws -> TaskReport = { task in
                        if cancellation.isCancelled { schedule.stop() }
                        observe(.started(task))
                        return try await pool.run { (_) in execute(task, in: folder(of: task)) }
                    }
                    // The next task starts while this one is published.
                    while let (task, report) = try await schedule.next(job) {
                        let result = try await publisher.run(
                            Ended(task: task, report: report, input: inputs[task.work.task.input]))
                        if result.isFaultOfMachine { schedule.stop() }
                        observe(.finished(task, result.report))
                        ended.append((task.key, result))
                    }
                    return ended
                }
            }
            for try await ended in group {
                for (key, result) in ended { results[key] = result }
            }
            // Tasks that did not run must not count as failed or missing, so a fault of the machine ends the run.
            if let fault = results.values.first(where: \.isFaultOfMachine)?.report.error { throw fault }
            return results
        }
    }

    private func folder(of task: PlannedTask) -> String { "\(store.folder.workPath)/\(task.key)" }

    private func execute(_ task: PlannedTask, in folder: String) -> TaskReport {
        let work = task.work.moved(input: task.work.task.input, outputs: task.outputs.map { "\(folder)/\($0.name)" })
        do throws(MediaError) { try BundleFolder.makeDirectory(folder) } catch {
            return TaskReport(failed: work.task, error)
        }
        return OutputFlushing.left { runner.run(work) { observe(.progress(task, $0)) } }
    }

    // MARK: Publishing

    /// The maximum number of ended tasks that wait to be published: a killed run loses no more than these.
    private static let groupSize = 16

    /// A task that has ended, with its outputs in its work folder.
    private struct Ended: Sendable {
        var task: PlannedTask
        var report: TaskReport
        var input: PreparePlan.Input?
    }

    /// Moves the outputs of tasks to their addresses and records the tasks, except those that failed or whose input has
    /// changed.
    private func publish(_ group: [Ended]) -> [Result] {
        defer { for ended in group { Directory.remove(folder(of: ended.task)) } }
        var outcomes: [Swift.Result<FinishedTask, MediaError>]
        do throws(MediaError) { outcomes = try publishChecked(group) } catch {
            outcomes = group.map { _ in .failure(error) }
        }
        return zip(group, outcomes).map { ended, outcome in
            var result = PrepareReport.TaskResult(ended.task, .made, ended.report, bytesIn: ended.input?.bytes ?? 0)
            switch outcome {
            case .success(let finished):
                result.bytesOut = finished.bytes
                return Result(report: result, finished: finished)
            case .failure(var error):
                result.status = .failed
                // The error names the file as the story does, not by its path.
                if let named = plan.inputs.first(where: { $0.path == error.subject }) {
                    error.subject = named.source
                } else if error.subject == nil || error.subject == ended.task.work.task.input {
                    error.subject = ended.task.uses.first?.source
                }
                result.error = error
                return Result(report: result, finished: nil)
            }
        }
    }

    private func publishChecked(_ group: [Ended]) throws(MediaError) -> [Swift.Result<FinishedTask, MediaError>] {
        let checked = group.map { ended in Swift.Result { () throws(MediaError) in try check(ended) } }
        var published = try store.publish(checked.compactMap { try? $0.get() }).makeIterator()
        var records: [TaskRecord] = []
        let outcomes = zip(group, checked).map { ended, checked in
            Swift.Result { () throws(MediaError) in
                _ = try checked.get()
                let outputs = try published.next()?.get() ?? []
                try checkSizes(outputs)
                let report = ended.report
                let finished = FinishedTask(
                    outputs: outputs, wallMilliseconds: report.wallMilliseconds,
                    cpuMilliseconds: report.cpuMilliseconds,
                    memoryBytes: ended.task.runsAlone ? report.peakMemoryBytes : nil, warnings: report.warnings)
                records.append(
                    TaskRecord(
                        task: finished, key: ended.task.key,
                        cost: (ended.task.cost, report.cpuMilliseconds / 1000)))
                return finished
            }
        }
        try store.state.record(records)
        return outcomes
    }

    /// Returns the outputs of a task. Throws its error if it failed.
    private func check(_ ended: Ended) throws(MediaError) -> MediaStore.Work {
        if let error = ended.report.error { throw error }
        try checkUnchanged(ended.task)
        let media = [ended.report.output] + (ended.report.furtherOutputs ?? [])
        return MediaStore.Work(
            outputs: ended.task.outputs, reports: Dictionary(uniqueKeysWithValues: zip(media.indices, media)),
            folder: folder(of: ended.task))
    }

    /// Throws an `io` error if a file that the task reads has changed since the plan was made.
    private func checkUnchanged(_ task: PlannedTask) throws(MediaError) {
        let named = Set([task.work.task.input] + task.work.task.namedFiles)
        for input in plan.inputs where named.contains(input.path) {
            guard FileStamp(of: input.path)?.text != input.stamp else { continue }
            throw MediaError(
                .io, step: .prepare, subject: input.source, reason: "has changed while it was prepared",
                advice: "run again when it is complete")
        }
    }

    private func checkSizes(_ outputs: [FinishedTask.Output]) throws(MediaError) {
        guard let limit = plan.options.maxFileBytes,
            let file = outputs.flatMap(\.media.all).first(where: { $0.bytes > limit })
        else { return }
        throw MediaError(
            .limit, code: .tooManyBytes, step: .prepare,
            reason: "cannot be made smaller than \(file.bytes) bytes; the limit is \(limit)",
            advice: "raise it with \(.maxFileBytes)")
    }
}

extension PlannedTask {
    /// Whether the task runs in a process of its own.
    fileprivate var runsAlone: Bool { [.audio, .video, .stream, .poster, .map].contains(kind) }
}

extension PrepareSession.Result {
    /// Whether every other task would fail too: the disk is full or cannot be written.
    fileprivate var isFaultOfMachine: Bool {
        guard let error = report.error, error.kind == .io else { return false }
        let isOfSource = error.step == .read && report.uses.contains { $0.source == error.subject }
        return !isOfSource && [.diskFull, .diskFailed].contains(error.code)
    }
}

extension PrepareReport.TaskResult {
    init(_ task: PlannedTask, _ status: Status, _ report: TaskReport, bytesIn: Int) {
        self.init(
            kind: task.kind, uses: task.uses, status: status, wallMilliseconds: report.wallMilliseconds,
            cpuMilliseconds: report.cpuMilliseconds,
            peakMemoryBytes: task.runsAlone && report.peakMemoryBytes > 0 ? report.peakMemoryBytes : nil,
            bytesIn: bytesIn, bytesOut: 0, warnings: report.warnings.map(\.forStories))
    }

    init(_ task: PlannedTask, _ status: Status, _ known: FinishedTask, _ bytesIn: Int) {
        self.init(
            kind: task.kind, uses: task.uses, status: status, wallMilliseconds: 0, cpuMilliseconds: 0,
            bytesIn: bytesIn, bytesOut: known.bytes, warnings: known.warnings)
    }
}

extension MediaWarning {
    /// The warning without advice to enlarge, because images of a bundle are never enlarged.
    fileprivate var forStories: MediaWarning {
        advice?.options.contains(.enlarges) == true ? MediaWarning(step: step, message) : self
    }
}
