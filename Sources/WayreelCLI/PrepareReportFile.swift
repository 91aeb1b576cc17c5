internal import Wayreel

/// The report of a preparation as a file.
enum PrepareReportFile {
    static func write(_ report: PrepareReport, to path: String) throws {
        try Console.deliver(JSON.encode(report), to: path)
    }
}
