internal import WayreelCharts
package import WayreelCore
internal import WayreelDrawing
internal import WayreelGauge

/// A report as a single HTML page without external resources and scripts.
package struct HTMLReport {
    let report: BenchReport
    let charts: ReportCharts
    let changes: [Regressions.Row]

    /// The page in UTF-8 as polyglot HTML and XML.
    ///
    /// Throws a `parameter` error if a figure cannot be drawn, and an `unsupported` error if no font is installed.
    package static func page(_ report: BenchReport, comparison changes: [Regressions.Row] = []) throws(MediaError)
        -> [UInt8]
    {
        let page = HTMLReport(report: report, charts: ReportCharts(report), changes: changes)
        return Array(page.document(try page.everything()).text.utf8)
    }

    private func everything() throws(MediaError) -> Markup {
        let overview = try overview()
        var tasks: [Markup] = []
        for index in report.results.indices { tasks.append(try task(index)) }
        return "\(overview)\(changeTable)\(tasks)\(unavailable)\(explanation)"
    }

    /// A page with the content `main`.
    func document(_ main: Markup) -> Markup {
        Self.document(title: "Wayreel benchmark, \(report.date)", head: head, main: main)
    }

    static func document(title: String, head: Markup, main: Markup) -> Markup {
        """
        <!DOCTYPE html>
        <html lang="en" xmlns="http://www.w3.org/1999/xhtml">
        <head>
        <meta charset="utf-8"/>
        <meta name="viewport" content="width=device-width, initial-scale=1"/>
        <meta name="color-scheme" content="light dark"/>
        <title>\(title)</title>
        <style>
        \(Markup(styleSheet))
        </style>
        </head>
        <body>
        \(head)
        <main>
        \(main)
        </main>
        </body>
        </html>

        """
    }

    // MARK: Machine and date

    private var head: Markup {
        """
        <header>
        <h1>Wayreel benchmark</h1>
        <p class="lead">Wayreel \(report.wayreel), measured <time datetime="\(report.date)">\(date)</time></p>
        <dl class="facts">\(facts.map { "<div><dt>\($0.0)</dt><dd>\($0.1)</dd></div>" as Markup })</dl>
        </header>
        """
    }

    /// `2026-11-21 21:04:25 UTC` from `2026-11-21T21:04:25Z`.
    private var date: String {
        let parts = report.date.split(separator: "T", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[1].hasSuffix("Z") else { return report.date }
        return "\(parts[0]) \(parts[1].dropLast()) UTC"
    }

    private var facts: [(String, String)] {
        let machine = report.machine
        let versions = machine.libraries.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
        let facts: [(String, String?)] = [
            ("Processor", machine.processor),
            ("Cores", "\(machine.availableCores) of \(machine.onlineCores)"),
            ("Governor", machine.governor ?? "not available"),
            ("Memory", machine.memoryBytes.map { BenchFigure.memory.chartMeasure.text(Double($0)) } ?? "not available"),
            ("System", [machine.system, machine.kernel].compactMap(\.self).joined(separator: ", ")),
            ("Virtualization", machine.virtualization.isEmpty ? nil : machine.virtualization.joined(separator: ", ")),
            ("Libraries", versions.isEmpty ? nil : versions.joined(separator: ", ")),
            ("Other programs", report.programsText),
        ]
        return facts.compactMap { name, value in value.map { (name, $0) } }
    }
}

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

/// Page elements.
extension HTMLReport {
    /// A table that scrolls horizontally if it is too wide.
    static func table(_ name: String, head: Markup, rows: [Markup], foot: Markup = "") -> Markup {
        """
        <div class="scroll" role="region" tabindex="0" aria-label="\(name)"><table>
        <thead><tr>\(head)</tr></thead>
        <tbody>
        \(rows.joined(separator: "\n"))
        </tbody>\(foot)
        </table></div>

        """
    }

    /// Column headers; those of numbers start with `#`.
    static func heads(_ names: [String]) -> Markup {
        names.map { name in
            name.hasPrefix("#")
                ? "<th scope=\"col\" class=\"n\">\(String(name.dropFirst()))</th>" as Markup
                : "<th scope=\"col\">\(name)</th>"
        }.joined(separator: "")
    }

    /// A cell with a number and a remark in small print.
    static func cell(_ number: String, _ remark: Markup? = nil) -> Markup {
        "<td class=\"n\">\(number)\(remark.map { "<small>\($0)</small>" as Markup } ?? "")</td>"
    }

    /// Number of runs and confidence level.
    static func runsCell(_ candidate: BenchCandidate) -> Markup {
        let interval = candidate.summary(.wall)?.interval
        return cell("\(candidate.runs.count)", interval.map { "at \($0.confidenceText)" })
    }

    /// Median of a figure, its interval and number of outliers.
    static func cell(_ figure: BenchFigure, _ candidate: BenchCandidate) -> Markup {
        guard let summary = candidate.summary(figure) else { return cell("–") }
        let confidence = candidate.summary(.wall)?.interval?.confidence
        let interval = figure.interval(summary, unlessConfidence: confidence).map { "\($0)" as Markup }
        let count = summary.outliers.count
        let outliers: Markup? = count > 0 ? "<mark>\(count.counted("outlier"))</mark>" : nil
        let remarks = [interval, outliers].compactMap(\.self)
        return cell(figure.median(summary), remarks.isEmpty ? nil : remarks.joined(separator: "<br/>"))
    }

    /// A comparison with the ratio above the rest.
    static func cell(_ comparison: Comparison?, note: String = "–") -> Markup {
        guard let comparison else { return "<td>\(note)</td>" }
        let kind =
            switch comparison.verdict {
            case .better: "better"
            case .worse: "worse"
            case .noDifferenceSeen, .tooFewRuns: "even"
            }
        return "<td class=\"\(kind)\">\(comparison.description)</td>"
    }

    /// A chart with a caption; a narrow version on narrow screens.
    static func figure(_ chart: ReportChart) throws(MediaError) -> Markup {
        let forms = ["broad", "narrow"]
        let elements = try chart.inlineSVGs()
        let label = "\(chart.title): \(chart.chart.summary)"
        let drawings = elements.enumerated().map { index, element in
            let form = elements.count > 1 ? forms[index] : "any"
            return "<div class=\"\(form)\" role=\"img\" aria-label=\"\(label)\">\n\(element)</div>" as Markup
        }
        return "<figure><figcaption>\(chart.caption)</figcaption>\(drawings)</figure>\n"
    }

    static func figures(_ charts: [ReportChart]) throws(MediaError) -> Markup {
        guard !charts.isEmpty else { return "" }
        var figures: [Markup] = []
        for chart in charts { figures.append(try figure(chart)) }
        return "<div class=\"row figures\">\n\(figures)</div>\n"
    }
}

extension HTMLReport {
    /// A page about scaling.
    ///
    /// Throws the errors of ``page(_:comparison:)``.
    package static func page(_ result: ScaleResult, of report: BenchReport) throws(MediaError) -> [UInt8] {
        let page = HTMLReport(report: report, charts: ReportCharts(report), changes: [])
        let charts = try figures(result.charts())
        let rows = result.points.map { point -> Markup in
            """
            <tr><th scope="row">\(point.size.shortDescription) \(result.unit)</th>\
            \(cell(BenchFigure.wall.text(point.wallSeconds)))\(cell(BenchFigure.cpu.text(point.cpuSeconds)))\
            \(cell(BenchFigure.memory.text(point.peakMemoryBytes)))</tr>
            """
        }
        let laws = [result.wall, result.cpu, result.memory].map { cell($0?.exponentText ?? "–") }
        let failures = result.failures.map { "<p class=\"failed\"><strong>failed</strong> \($0)</p>" as Markup }
        let body: Markup = """
            <section>
            <h2>How it grows: \(result.about)</h2>
            \(table("Sizes", head: heads(["Size", "#Wall time", "#CPU time", "#Peak memory"]), rows: rows + [
                "<tr><th scope=\"row\">scaling exponent</th>\(laws)</tr>"
            ]))\(failures)\(charts)</section>

            """
        return Array(page.document(body).text.utf8)
    }
}

extension PowerLaw {
    /// `1.02 (0.98–1.05)`.
    fileprivate var exponentText: String {
        let interval = exponentInterval.map {
            " (\($0.lower.decimalText(places: 2))–\($0.upper.decimalText(places: 2)))"
        }
        return exponent.decimalText(places: 2) + (interval ?? "")
    }
}
