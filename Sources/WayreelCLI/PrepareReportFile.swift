internal import Wayreel

/// The report of a preparation as a file.
enum PrepareReportFile {
    static func write(_ report: PrepareReport, to path: String) throws {
        var report = report
        for index in report.tasks.indices {
            report.tasks[index].error = report.tasks[index].error?.withFlags
            report.tasks[index].warnings = report.tasks[index].warnings.map(\.withFlags)
        }
        for index in report.failures.indices { report.failures[index].error = report.failures[index].error.withFlags }
        try Console.deliver(JSON.encode(report), to: path)
    }
}
