package import WayreelCore
internal import WayreelDrawing
internal import WayreelGauge
internal import WayreelCharts

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
