package import WayreelCore

/// The figures of a report in tables: of the tasks that Wayreel did alone, and of those that peers did too.
package struct BenchTables {
    private let report: BenchReport

    package init(_ report: BenchReport) { self.report = report }

    /// The rows of each table, the header first. `ratios`: the figures of which ratios to the peers are shown. `name`:
    /// what stands for a task.
    package func rows(ratios: [BenchFigure], name: (BenchResult) -> String = { $0.suite }) -> [[[String]]] {
        let figures = BenchFigure.allCases.map(\.name) + ["output", "runs"]
        let alone = report.results.filter { $0.candidates.count == 1 }
        let compared = report.results.filter { $0.candidates.count > 1 }
        let tables = [
            [["task"] + figures] + alone.map { [name($0)] + cells($0.own) },
            [["task", "program"] + figures + ratios.map { "\($0.name) ratio" }]
                + compared.flatMap { result in
                    result.candidates.enumerated().map { index, candidate in
                        [index == 0 ? name(result) : "", candidate.name] + cells(candidate)
                            + ratios.map { figure in
                                index > 0 ? result.own.comparison(with: candidate, figure)?.description ?? "" : ""
                            }
                    }
                },
        ]
        return tables.filter { $0.count > 1 }
    }

    /// The figures of a program: the median of each, of the wall time with its interval.
    private func cells(_ candidate: BenchCandidate) -> [String] {
        guard candidate.failure == nil else {
            return ["failed"] + [String](repeating: "", count: BenchFigure.allCases.count + 1)
        }
        let medians = BenchFigure.allCases.map { figure -> String in
            guard let summary = candidate.summary(figure) else { return "–" }
            let interval = figure == .wall ? figure.interval(summary, unlessConfidence: 0.95) : nil
            return figure.text(summary.median) + (interval.map { " (\($0))" } ?? "")
        }
        let outliers = candidate.summary(.wall)?.outliers.count ?? 0
        return medians + [
            candidate.outputBytes.map { BenchFigure.memory.text(Double($0)) } ?? "–",
            "\(candidate.runs.count)" + (outliers > 0 ? ", \(outliers.counted("outlier"))" : ""),
        ]
    }

    // MARK: Markdown

    private static let begin = "<!-- wayreel bench begin -->"
    private static let end = "<!-- wayreel bench end -->"

    /// The tables in Markdown and UTF-8. If `text` contains the two marker comments, they are inserted between them.
    ///
    /// Throws a `parameter` error if a marker is missing or they are out of order.
    package func markdown(into text: String = "") throws(MediaError) -> [UInt8] {
        let (begin, end) = (Self.begin, Self.end)
        let tables = "\(begin)\n\(markdown)\n\(end)"
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

    private var markdown: String {
        let day = report.date.prefix { $0 != "T" }
        let programs = report.programsText.map { " Peers: \($0)." } ?? ""
        let lead =
            "Wayreel \(report.wayreel), \(day), on \(report.machine).\(programs) Medians with confidence intervals in brackets, 95 % unless stated."
        let tables = rows(ratios: [.wall, .memory]) { "**\($0.suite)**: \($0.about)" }
        return ([lead] + tables.map(Self.markdown)).joined(separator: "\n\n")
    }

    private static func markdown(_ rows: [[String]]) -> String {
        var lines = rows.map { "| " + $0.map(escaped).joined(separator: " | ") + " |" }
        lines.insert("|" + rows[0].map { _ in "---" }.joined(separator: "|") + "|", at: 1)
        return lines.joined(separator: "\n")
    }

    private static func escaped(_ cell: String) -> String {
        cell.onOneLine.split(separator: "|", omittingEmptySubsequences: false).joined(separator: "\\|")
    }
}
