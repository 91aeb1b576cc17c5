package import WayreelCore
internal import WayreelDrawing

/// A page with the results and costs of a run of many tasks, with charts by kind, without external resources and
/// scripts.
package struct CostPage {
    /// One task.
    package struct Row: Sendable {
        /// The kind, by which tasks are summed in the charts.
        package var kind: String
        package var name: String
        /// The status: `made`, `reused` or `failed`, with the reason.
        package var status: String
        package var isFailed: Bool
        package var wallSeconds: Double
        package var cpuSeconds: Double
        package var peakMemoryBytes: Int?
        package var bytesIn: Int
        package var bytesOut: Int

        package init(
            kind: String, name: String, status: String, isFailed: Bool, wallSeconds: Double, cpuSeconds: Double,
            peakMemoryBytes: Int?, bytesIn: Int, bytesOut: Int
        ) {
            self.kind = kind
            self.name = name
            self.status = status
            self.isFailed = isFailed
            self.wallSeconds = wallSeconds
            self.cpuSeconds = cpuSeconds
            self.peakMemoryBytes = peakMemoryBytes
            self.bytesIn = bytesIn
            self.bytesOut = bytesOut
        }
    }

    package var title: String
    package var lead: String
    /// Names and values above the charts.
    package var facts: [(String, String)]
    package var rows: [Row]
    /// Texts below the table, such as warnings.
    package var notes: [String]

    package init(title: String, lead: String, facts: [(String, String)], rows: [Row], notes: [String]) {
        (self.title, self.lead, self.facts, self.rows, self.notes) = (title, lead, facts, rows, notes)
    }

    /// The page in UTF-8 as polyglot HTML and XML.
    ///
    /// Throws an `unsupported` error if no font is installed.
    package func page() throws(MediaError) -> [UInt8] {
        let charts = try Page.figures(charts)
        let head: Markup = """
            <header>
            <h1>\(title)</h1>
            <p class="lead">\(lead)</p>
            <dl class="facts">\(facts.map { "<div><dt>\($0.0)</dt><dd>\($0.1)</dd></div>" as Markup })</dl>
            </header>
            """
        let main: Markup = """
            <section><h2>By kind</h2>
            \(charts)</section>
            <section><h2>Tasks</h2>
            \(table)\(noteList)</section>
            """
        return Array(Page.document(title: title, head: head, main: main).text.utf8)
    }

    // MARK: Charts

    private var charts: [ReportChart] {
        let made = rows.filter { $0.cpuSeconds > 0 }
        return [
            chart("time", "Processor time", .seconds, made) { $0.cpuSeconds },
            chart("memory", "Peak memory of the largest process", .bytes, made, adds: false) {
                Double($0.peakMemoryBytes ?? 0)
            },
            chart("bytes", "Bytes made", .bytes, rows) { Double($0.bytesOut) },
        ].compactMap(\.self)
    }

    private func chart(
        _ name: String, _ title: String, _ measure: ChartMeasure, _ rows: [Row], adds: Bool = true,
        _ value: (Row) -> Double
    ) -> ReportChart? {
        var kinds: [String] = []
        var values: [String: Double] = [:]
        for row in rows where value(row) > 0 {
            if values[row.kind] == nil { kinds.append(row.kind) }
            values[row.kind] = adds ? values[row.kind, default: 0] + value(row) : max(values[row.kind] ?? 0, value(row))
        }
        guard !kinds.isEmpty else { return nil }
        let bars = kinds.sorted { (values[$0] ?? 0, $1) > (values[$1] ?? 0, $0) }.map {
            BarsChart.Bar(name: $0, value: values[$0], isHighlighted: true)
        }
        let chart = BarsChart(title: title, measure: measure, groups: [BarsChart.Group(bars: bars)])
        return ReportChart(name, chart, width: ReportChart.narrowWidth)
    }

    // MARK: Table

    private var table: Markup {
        let head = Page.heads(["Task", "Status", "#Wall", "#CPU", "#Peak memory", "#In", "#Out"])
        let lines = rows.map { row in
            let seconds = { (value: Double) in value > 0 ? ChartMeasure.seconds.text(value) : "–" }
            let bytes = { (value: Int?) in value.map { ChartMeasure.bytes.text(Double($0)) } ?? "–" }
            return """
                <tr\(row.isFailed ? " class=\"failed\"" as Markup : "")><th scope="row">\(row.name)<small>\(row.kind)</small></th>\
                <td>\(row.isFailed ? "<strong>\(row.status)</strong>" as Markup : "\(row.status)")</td>\
                \(Page.cell(seconds(row.wallSeconds)))\(Page.cell(seconds(row.cpuSeconds)))\
                \(Page.cell(bytes(row.peakMemoryBytes)))\(Page.cell(bytes(row.bytesIn)))\
                \(Page.cell(bytes(row.bytesOut)))</tr>
                """ as Markup
        }
        return Page.table("Tasks", head: head, rows: lines)
    }

    private var noteList: Markup {
        notes.isEmpty ? "" : "<ul>\(notes.map { "<li>\($0)</li>" as Markup })</ul>\n"
    }
}
