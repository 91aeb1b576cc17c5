internal import ArgumentParser
internal import WayreelBench
internal import WayreelCore
package import WayreelMedia

package struct RunningOptions: ParsableArguments {
    @Option(name: [.short, .long], help: "Parallel tasks. (default: the number of cores)")
    var jobs: Int?

    @Option(help: "If an output exists: replace, skip or fail. (default: replace)")
    var ifExists: ExistingOutput = .replace

    @Option(help: "Write the result and cost of every task to this JSON file.", completion: .file())
    var report: String?

    @Option(
        help: "Write a trace of all threads to this file, for ui.perfetto.dev.",
        completion: .file())
    var trace: String?

    @Flag(name: [.short, .long], help: "Print failures only.")
    package var quiet = false

    package init() {}

    package func validate() throws {
        if let jobs, !(1...1024).contains(jobs) { throw ValidationError("--jobs takes a number from 1 to 1024") }
    }

    /// The result of a batch.
    package struct Run {
        /// In task order.
        package var reports: [TaskReport]
        /// Cost of this process for all tasks; nil if not requested.
        var measurement: Measurement?
    }

    /// Runs the batch and shows its progress.
    package func run<Work: MediaTask>(_ batch: TaskBatch<Work>) async -> Run {
        if trace != nil { TraceRecorder.start() }
        guard report != nil else { return Run(reports: await execute(batch)) }
        let (reports, measurement) = await Gauge.measure { await execute(batch) }
        return Run(reports: reports, measurement: measurement)
    }

    private func execute<Work: MediaTask>(_ batch: TaskBatch<Work>) async -> [TaskReport] {
        var progress = Progress(inputs: batch.tasks.map(\.input), isQuiet: quiet)
        var reports: [Int: TaskReport] = [:]
        let pool = jobs.map { WorkPool(workers: $0) } ?? .shared
        let events = batch.events(ifExists: ifExists, on: pool, cancellation: Interrupt.cancellation)
        for await (index, plainEvent) in events {
            let event = plainEvent.withFlags
            progress.observe(event, of: index)
            if case .finished(let report) = event { reports[index] = report }
        }
        progress.end()
        return batch.tasks.indices.compactMap { reports[$0] }
    }

    /// Checks before any work starts that the report and the trace can be written. `others`: files that are read
    /// besides the inputs, which no output, report or trace may replace.
    package func checkReport(_ plan: OutputPlan, besides others: [String?]) throws(MediaError) {
        let others = others.compactMap(\.self).filter { $0 != "-" }
        for output in plan.files.flatMap(\.outputs) { try OutputFile.check(output, isNoneOf: others, namesInput: true) }
        for (step, path) in [(MediaError.Step.report, report), (.trace, trace)] {
            guard let path else { continue }
            let isTaken = { (file: (input: String, outputs: [String])) in
                file.outputs.contains { OutputFile.isSamePlace($0, path) }
                    || file.input != "-" && OutputFile.isSame(file.input, path)
            }
            let isRead = others.contains { OutputFile.isSame($0, path) }
            let isReport = step == .trace && report.map { OutputFile.isSamePlace(path, $0) } ?? false
            if plan.files.contains(where: isTaken) || isRead || isReport {
                throw MediaError(
                    .parameter, step: step, subject: path, reason: "is an input or an output itself",
                    advice: "choose another file with --\(step)")
            }
            if path != "-" { try OutputFile.checkWritable(path) }
        }
    }

    /// Writes the requested report and trace.
    package func writeReport(_ run: Run) throws {
        if let trace { try Console.deliver(TaskTraces.encode(run.reports), to: trace) }
        guard let report else { return }
        var tasks = run.reports
        // The spans are in the trace file.
        for index in tasks.indices { tasks[index].trace = nil }
        try Console.deliver(
            JSON.encode(
                RunReport(wayreel: WayreelVersion.text, process: run.measurement, tasks: tasks)),
            to: report)
    }
}

/// The document of `--report`.
private struct RunReport: Encodable {
    /// The Wayreel version.
    var wayreel: String
    /// Cost of this process for all tasks, without child processes.
    var process: Measurement?
    var tasks: [TaskReport]
}
