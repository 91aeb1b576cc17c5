package import WayreelCore
internal import WayreelCharts
internal import WayreelGauge

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
