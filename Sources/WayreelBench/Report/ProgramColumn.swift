internal import WayreelCharts
internal import WayreelDrawing
internal import WayreelGauge

/// A column of a table whose rows are measured programs.
struct ProgramColumn {
    /// As for ``HTMLReport/heads(_:)``.
    let head: String
    let cell: (BenchCandidate) -> Markup

    static var runs: ProgramColumn { ProgramColumn(head: "#Runs", cell: HTMLReport.runsCell) }

    static func figure(_ figure: BenchFigure) -> ProgramColumn {
        ProgramColumn(head: "#\(figure.title)") { HTMLReport.cell(figure, $0) }
    }

    static var fastest: ProgramColumn {
        ProgramColumn(head: "#Fastest") { candidate in
            HTMLReport.cell(
                candidate.summary(.wall).map { BenchFigure.wall.chartMeasure.text($0.minimum, besides: $0.median) }
                    ?? "–")
        }
    }

    static var output: ProgramColumn {
        ProgramColumn(head: "#Output") { HTMLReport.cell(HTMLReport.bytes($0.outputBytes)) }
    }
}

extension [ProgramColumn] {
    /// The heads of a table whose rows begin with a `name`.
    func heads(after name: String) -> Markup { HTMLReport.heads([name] + map(\.head)) }

    /// The cells of a program, or a single one with the reason why it has no figures.
    func cells(_ candidate: BenchCandidate?) -> Markup {
        guard let candidate else { return "<td colspan=\"\(count)\">not measured</td>" }
        if let failure = candidate.failure {
            return "<td colspan=\"\(count)\" class=\"failed\"><strong>failed</strong> \(failure)</td>"
        }
        if candidate.runs.isEmpty { return "<td colspan=\"\(count)\">no runs</td>" }
        return "\(map { $0.cell(candidate) })"
    }
}
