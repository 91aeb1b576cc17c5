internal import Wayreel
internal import WayreelBench
internal import WayreelCLI
internal import WayreelCore

/// Writes the report of a preparation: an HTML page if the path ends in .html, otherwise JSON.
enum PrepareReportFile {
    static func write(_ report: PrepareReport, to path: String) throws {
        var report = report
        for index in report.tasks.indices {
            report.tasks[index].error = report.tasks[index].error?.withPrepareFlags
            report.tasks[index].warnings = report.tasks[index].warnings.map(\.withPrepareFlags)
        }
        for index in report.failures.indices {
            report.failures[index].error = report.failures[index].error.withPrepareFlags
        }
        let isPage = path.fileExtension?.lowercased() == "html"
        try Console.deliver(isPage ? page(report).page : JSON.encode(report), to: path)
    }

    private static func page(_ report: PrepareReport) -> CostPage {
        let failed = report.count(.failed) + report.failures.count
        let state =
            !report.isComplete
            ? "not changed, because media failed" : report.isSwitched ? "complete" : "complete, it was up to date"
        let facts = [
            ("Bundle", state), ("Made", "\(report.count(.made))"), ("Reused", "\(report.count(.reused))"),
            ("Failed", "\(failed)"), ("Wall time", "\((report.wallMilliseconds / 1000).formatted(2)) s"),
            ("Processor time", "\((report.cpuMilliseconds / 1000).formatted(2)) s"),
            ("Peak memory", report.peakMemoryBytes.asSize),
            ("Media", "\(report.bytesIn.asSize) → \(report.bytesOut.asSize)"),
        ]
        let rows =
            report.failures.map { failure in
                CostPage.Row(
                    kind: "source", name: failure.source, status: "failed: \(failure.error.reason)", isFailed: true,
                    wallSeconds: 0, cpuSeconds: 0, peakMemoryBytes: nil, bytesIn: 0, bytesOut: 0)
            } + report.tasks.map(row)
        let warnings = report.tasks.flatMap { task in
            task.warnings.map { "\(task.uses.first?.source ?? ""): \($0)" }
        }
        let given = (report.budget?.items ?? []).map { item in
            "\(item.source)\(item.screen.map { " for \($0)" } ?? ""): \(item.from) → \(item.to), "
                + "\(item.bytesBefore.asSize) → \(item.bytesAfter.asSize), given up for the size of the bundle"
        }
        return CostPage(
            title: "Preparing '\(report.story)'",
            lead: "Wayreel \(report.wayreel), for \(report.screens.joined(separator: ", "))", facts: facts, rows: rows,
            notes: report.warnings + warnings + given + report.facts)
    }

    private static func row(_ task: PrepareReport.TaskResult) -> CostPage.Row {
        let screens = task.uses.compactMap(\.screen)
        let name = (task.uses.first?.source ?? "") + (screens.first.map { " for \($0)" } ?? "")
        return CostPage.Row(
            kind: task.kind.rawValue, name: name,
            status: task.status.rawValue + (task.error.map { ": \($0.reason)" } ?? ""),
            isFailed: task.status == .failed,
            wallSeconds: task.wallMilliseconds / 1000, cpuSeconds: task.cpuMilliseconds / 1000,
            peakMemoryBytes: task.peakMemoryBytes, bytesIn: task.bytesIn, bytesOut: task.bytesOut)
    }
}
