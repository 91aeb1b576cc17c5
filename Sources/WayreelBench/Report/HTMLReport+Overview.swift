internal import WayreelCore
internal import WayreelDrawing
internal import WayreelGauge
internal import WayreelCharts

/// The overview of all tasks.
extension HTMLReport {
    func overview() throws(MediaError) -> Markup {
        let columns: [ProgramColumn] = [
            .runs, .figure(.wall), .fastest, .figure(.cpu), .figure(.memory), .output,
        ]
        let rows = report.results.enumerated().map { index, result -> Markup in
            """
            <tr><th scope="row"><a href="#task-\(index + 1)">\(result.suite)</a><small>\(result.about)</small></th>\
            \(columns.cells(result.candidates.first))</tr>
            """
        }
        let table: Markup =
            rows.isEmpty
            ? "<p>No task was measured.</p>" : Self.table("Overview", head: columns.heads(after: "Task"), rows: rows)
        let memory = try Self.figures([charts.memory].compactMap(\.self))
        let peers = try Self.figures(charts.peers)
        return """
            <section>
            <h2>Overview</h2>
            \(table)
            \(memory)\(verdicts)\(peers)</section>

            """
    }

    static func bytes(_ count: Int?) -> String {
        count.map { BenchFigure.memory.chartMeasure.text(Double($0)) } ?? "–"
    }

    /// Number of peers by verdict, for each figure.
    private var verdicts: Markup {
        let items = BenchFigure.allCases.compactMap { figure -> Markup? in
            let verdicts = report.results.flatMap { result in
                result.candidates.dropFirst().compactMap {
                    result.candidates[0].comparison(with: $0, figure)?.verdict
                }
            }
            guard !verdicts.isEmpty else { return nil }
            let names: [(Comparison.Verdict, String)] = [
                (.better, "less"), (.worse, "more"), (.noDifferenceSeen, "no difference found"),
                (.tooFewRuns, "too few runs"),
            ]
            let counts = names.compactMap { verdict, word in
                let count = verdicts.count { $0 == verdict }
                return count > 0 ? "\(word) in \(count) of \(verdicts.count)" : nil
            }
            return "<li>\(figure.title): \(counts.joined(separator: ", "))</li>"
        }
        let failures = report.results.flatMap { $0.candidates.dropFirst() }.count { $0.failure != nil }
        guard !items.isEmpty || failures > 0 else { return "" }
        let failed: Markup = failures > 0 ? "<li>Not compared: \(failures) that failed</li>" : ""
        return """
            <h3>Wayreel and its peers</h3>
            <p>Wayreel compared with the peers of each task:</p>
            <ul>\(items)\(failed)</ul>
            \(charts.peers.isEmpty ? "" : Self.ratioNote)

            """
    }

    private static let ratioNote: Markup = """
        <p class="dim">Wayreel's figures divided by those of each peer: a bar that ends before the line at 1 is less. Coloured bars
        are better by their whole interval.</p>
        """

    // MARK: Baselines

    /// One row per task, one column per figure.
    var changeTable: Markup {
        guard !changes.isEmpty else { return "" }
        var suites: [String] = []
        for change in changes where !suites.contains(change.suite) { suites.append(change.suite) }
        let rows = suites.map { suite -> Markup in
            let mine = changes.filter { $0.suite == suite }
            let notes = mine.compactMap { $0.comparison == nil ? $0.note : nil }.filter { !$0.isEmpty }
            let cells =
                mine.contains { $0.comparison != nil }
                ? BenchFigure.allCases.map { figure in Self.cell(mine.first { $0.figure == figure }?.comparison) }
                : ["<td colspan=\"\(BenchFigure.allCases.count)\">\(notes.first ?? "not compared")</td>"]
            return "<tr><th scope=\"row\">\(suite)</th>\(cells)</tr>"
        }
        return """
            <section>
            <h2>Changes</h2>
            <p>Ratios to the baseline report: below 1 is less. Because the reports are from different times, times are
            normalised by a calibration workload measured with each run.</p>
            \(Self.table("Changes", head: Self.heads(["Task"] + BenchFigure.allCases.map(\.title)), rows: rows))
            </section>

            """
    }
}
