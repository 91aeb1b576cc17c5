internal import ArgumentParser
internal import Wayreel

struct RunningOptions: ParsableArguments {
    @Option(name: [.short, .long], help: "Tasks at a time. (default: the number of cores)")
    var jobs: Int?

    @Option(help: "Where an output exists: replace, skip or fail. (default: replace)")
    var ifExists: ExistingOutput = .replace

    @Option(help: "Writes what every task did and cost to this JSON file.")
    var report: String?

    @Flag(name: [.short, .long], help: "Print failures only.")
    var quiet = false

    func validate() throws {
        if let jobs, !(1...1024).contains(jobs) { throw ValidationError("--jobs takes a number from 1 to 1024") }
    }

    /// Runs the batch with its progress and returns the reports in the order of the tasks.
    func run<Work: MediaTask>(_ batch: TaskBatch<Work>, isolation: Isolation? = nil) async -> [TaskReport] {
        var progress = Progress(inputs: batch.tasks.map(\.input), isQuiet: quiet)
        var reports: [Int: TaskReport] = [:]
        let pool = WorkPool(workers: jobs ?? WorkPool.availableCores)
        let events = batch.events(
            ifExists: ifExists, on: pool, isolation: isolation, cancellation: Interrupt.cancellation)
        for await (index, event) in events {
            progress.hear(event, of: index)
            if case .finished(let report) = event { reports[index] = report }
        }
        progress.end()
        return batch.tasks.indices.compactMap { reports[$0] }
    }

    /// Sees to it before the work starts that there will be a place for its report.
    func checkReport(_ plan: OutputPlan) throws(MediaError) {
        guard let report else { return }
        let fault = { (kind: MediaError.Kind, reason: String, advice: String) in
            MediaError(kind, step: "report", subject: report, reason: reason, advice: advice)
        }
        let isTaken = { (file: (input: String, outputs: [String])) in
            file.outputs.contains(report) || file.input != "-" && OutputFile.isSame(file.input, report)
        }
        if plan.files.contains(where: isTaken) {
            throw fault(.parameter, "is an input or an output itself", "name another file with --report")
        }
        if report != "-" { try OutputFile.checkPlace(report) }
    }

    func writeReport(_ reports: [TaskReport]) throws {
        guard let report else { return }
        let json = try JSON.encode(RunReport(wayreel: WayreelCommand.configuration.version, tasks: reports))
        if report == "-" {
            try OutputFile.writeToStandardOutput(json)
        } else {
            try OutputFile.write(json, to: report)
        }
    }
}

/// The document that `--report` writes.
private struct RunReport: Encodable {
    /// The version of Wayreel that did the work.
    var wayreel: String
    var tasks: [TaskReport]
}
