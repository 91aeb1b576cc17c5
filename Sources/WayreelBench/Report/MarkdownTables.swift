package import WayreelCore

/// A report as Markdown tables, for a README or a pull request.
package enum MarkdownTables {
    private static let begin = "<!-- wayreel bench begin -->"
    private static let end = "<!-- wayreel bench end -->"

    /// The tables in UTF-8. If `text` contains the two marker comments, the tables are inserted between them.
    ///
    /// Throws a `parameter` error if a marker is missing or they are out of order.
    package static func write(_ report: BenchReport, into text: String = "") throws(MediaError) -> [UInt8] {
        let tables = "\(begin)\n\(tables(report))\n\(end)"
        switch (text.firstRange(of: begin), text.firstRange(of: end)) {
        case (nil, nil): return Array("\(tables)\n".utf8)
        case (let first?, let last?) where first.upperBound <= last.lowerBound:
            return Array((text[..<first.lowerBound] + tables + text[last.upperBound...]).utf8)
        default:
            throw MediaError(
                .parameter, step: .bench, reason: "the markers of the tables are incomplete or out of order",
                advice: "add the line \(begin) and below it the line \(end)")
        }
    }

    private static func tables(_ report: BenchReport) -> String {
        let alone = report.results.filter { $0.candidates.count == 1 }
        let compared = report.results.filter { $0.candidates.count > 1 }
        let day = report.date.prefix { $0 != "T" }
        let programs = report.programsText.map { " Peers: \($0)." } ?? ""
        var parts = [
            "Wayreel \(report.wayreel), \(day), on \(report.machine).\(programs) Medians with confidence intervals in brackets, 95 % unless stated."
        ]
        if !alone.isEmpty {
            parts.append(table(alone.map(own), head: ["task"] + figures.map(\.name) + ["runs"]))
        }
        if !compared.isEmpty {
            parts.append(
                table(
                    compared.flatMap(rows), head: ["task", "program"] + figures.map(\.name) + ratios.map(\.head)))
        }
        return parts.joined(separator: "\n\n")
    }

    private static func own(_ result: BenchResult) -> [String] {
        let own = result.own
        let name = own.failure == nil ? "\(result.suite): \(result.about)" : result.suite
        return [name] + cells(own) + ["\(own.runs.count)"]
    }

    /// The programs of a task, Wayreel first.
    private static func rows(_ result: BenchResult) -> [[String]] {
        result.candidates.enumerated().map { index, candidate in
            let name = index == 0 ? "**\(result.suite)**: \(result.about)" : ""
            let compared = ratios.map { ratio -> String in
                index > 0 ? result.own.comparison(with: candidate, ratio.figure)?.description ?? "" : ""
            }
            return [name, candidate.name] + cells(candidate) + compared
        }
    }

    private static let figures = BenchFigure.allCases
    private static let ratios: [(figure: BenchFigure, head: String)] = [
        (.wall, "wall time ratio"), (.memory, "memory ratio"),
    ]

    /// The cells of the figures of a program.
    private static func cells(_ candidate: BenchCandidate) -> [String] {
        candidate.failure == nil
            ? figures.map { figure($0, candidate) } : ["failed"] + figures.dropFirst().map { _ in "" }
    }

    private static func figure(_ figure: BenchFigure, _ candidate: BenchCandidate) -> String {
        guard let summary = candidate.summary(figure) else { return "–" }
        let interval = figure == .wall ? figure.interval(summary, unlessConfidence: 0.95).map { " (\($0))" } : nil
        return figure.text(summary.median) + (interval ?? "")
    }

    private static func table(_ rows: [[String]], head: [String]) -> String {
        let line = { (cells: [String]) in "| " + cells.map(escaped).joined(separator: " | ") + " |" }
        let rule = "|" + head.map { _ in "---" }.joined(separator: "|") + "|"
        return ([line(head), rule] + rows.map(line)).joined(separator: "\n")
    }

    private static func escaped(_ cell: String) -> String {
        cell.onOneLine.split(separator: "|", omittingEmptySubsequences: false).joined(separator: "\\|")
    }
}
