internal import WayreelBench
internal import WayreelCore
package import WayreelMedia

// Runs a batch as `RunningOptions` say, and writes its report and its trace.

extension MediaError.Step {
    package static let report = MediaError.Step(rawValue: "report")
}

extension RunningOptions {
    /// Runs a batch that makes the outputs of a plan: shows its progress, and writes the requested report and trace.
    /// Returns the reports in task order.
    ///
    /// Checks before any work starts that the report and the trace can be written. `others`: files that are read
    /// besides the inputs, which no output, report or trace may replace.
    package func run<Work: MediaTask>(
        _ batch: TaskBatch<Work>, _ plan: OutputPlan, besides others: [String?] = []
    ) async throws -> [TaskReport] {
        try plan.makeFolders()
        try check(plan, besides: others.compactMap(\.self).filter { $0 != "-" })
        if trace != nil { TraceRecorder.start() }
        guard let report else {
            let reports = await execute(batch)
            try writeTrace(reports)
            return reports
        }
        let (reports, measurement) = await Gauge.measure { await execute(batch) }
        try writeTrace(reports)
        var tasks = reports
        // The spans are in the trace file.
        for index in tasks.indices { tasks[index].trace = nil }
        try Console.deliver(
            JSON.encode(RunReport(wayreel: WayreelVersion.text, process: measurement, tasks: tasks)), to: report)
        return reports
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

    private func check(_ plan: OutputPlan, besides others: [String]) throws(MediaError) {
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

    /// Writes the traces of all tasks as one document, by process.
    private func writeTrace(_ reports: [TaskReport]) throws {
        guard let path = trace else { return }
        var processes: [TraceProcess] = []
        for report in reports {
            guard let trace = report.trace else { continue }
            let spans = trace.spans.map { span in
                var span = span
                span.details["input"] = report.input.path
                return span
            }
            if trace.lost > 0 {
                Console.error(
                    "warning: trace: \(report.input.path): the last \(trace.lost) spans are missing".onOneLine)
            }
            if let index = processes.firstIndex(where: { $0.identifier == trace.process }) {
                processes[index].spans += spans
            } else {
                processes.append(TraceProcess(name: "wayreel", identifier: trace.process, spans: spans))
            }
        }
        try Console.deliver(ChromeTrace.encode(processes), to: path)
    }
}

/// The document of `--report`.
private struct RunReport: Encodable {
    /// The Wayreel version.
    var wayreel: String
    /// Cost of this process for all tasks, without child processes.
    var process: Measurement
    var tasks: [TaskReport]
}
