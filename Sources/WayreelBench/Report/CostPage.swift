internal import WayreelDrawing

/// A page with the results and costs of a run of many tasks, and their sums by kind, without external resources and
/// scripts.
package struct CostPage {
    /// One task.
    package struct Row: Sendable {
        /// The kind, by which tasks are summed.
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
    /// Names and values above the tables.
    package var facts: [(String, String)]
    package var rows: [Row]
    /// Texts below the tables, such as warnings.
    package var notes: [String]

    package init(title: String, lead: String, facts: [(String, String)], rows: [Row], notes: [String]) {
        (self.title, self.lead, self.facts, self.rows, self.notes) = (title, lead, facts, rows, notes)
    }

    /// The page in UTF-8 as polyglot HTML and XML.
    package var page: [UInt8] {
        let head: Markup = """
            <header>
            <h1>\(title)</h1>
            <p class="lead">\(lead)</p>
            <dl class="facts">\(facts.map { "<div><dt>\($0.0)</dt><dd>\($0.1)</dd></div>" as Markup })</dl>
            </header>
            """
        let main: Markup = """
            <section><h2>By kind</h2>
            \(kindTable)</section>
            <section><h2>Tasks</h2>
            \(taskTable)\(noteList)</section>
            """
        return Array(Page.document(title: title, head: head, main: main).text.utf8)
    }

    private static func seconds(_ value: Double) -> String { value > 0 ? ChartMeasure.seconds.text(value) : "–" }

    private static func bytes(_ value: Int?) -> String { value.map { ChartMeasure.bytes.text(Double($0)) } ?? "–" }

    /// The costs of all tasks of a kind, the longest first, each with its share of the largest as a bar.
    private var kindTable: Markup {
        let kinds = Dictionary(grouping: rows, by: \.kind).map { kind, rows in
            (
                kind: kind, tasks: rows.count, cpu: rows.reduce(0) { $0 + $1.cpuSeconds },
                memory: rows.compactMap(\.peakMemoryBytes).max(), bytes: rows.reduce(0) { $0 + $1.bytesOut }
            )
        }.sorted { ($0.cpu, $1.kind) > ($1.cpu, $0.kind) }
        let cpu = kinds.map(\.cpu).max() ?? 0
        let memory = kinds.compactMap(\.memory).max() ?? 0
        let bytes = kinds.map(\.bytes).max() ?? 0
        let lines = kinds.map { one in
            """
            <tr><th scope="row">\(one.kind)</th>\(Page.cell("\(one.tasks)"))\
            \(Page.cell(Self.seconds(one.cpu), share: one.cpu / cpu))\
            \(Page.cell(Self.bytes(one.memory), share: Double(one.memory ?? 0) / Double(memory)))\
            \(Page.cell(Self.bytes(one.bytes), share: Double(one.bytes) / Double(bytes)))</tr>
            """ as Markup
        }
        let heads = ["Kind", "#Tasks", "#Processor time", "#Peak memory of the largest process", "#Bytes made"]
        return Page.table("By kind", head: Page.heads(heads), rows: lines)
    }

    private var taskTable: Markup {
        let head = Page.heads(["Task", "Status", "#Wall", "#CPU", "#Peak memory", "#In", "#Out"])
        let lines = rows.map { row in
            """
            <tr\(row.isFailed ? " class=\"failed\"" as Markup : "")><th scope="row">\(row.name)<small>\(row.kind)</small></th>\
            <td>\(row.isFailed ? "<strong>\(row.status)</strong>" as Markup : "\(row.status)")</td>\
            \(Page.cell(Self.seconds(row.wallSeconds)))\(Page.cell(Self.seconds(row.cpuSeconds)))\
            \(Page.cell(Self.bytes(row.peakMemoryBytes)))\(Page.cell(Self.bytes(row.bytesIn)))\
            \(Page.cell(Self.bytes(row.bytesOut)))</tr>
            """ as Markup
        }
        return Page.table("Tasks", head: head, rows: lines)
    }

    private var noteList: Markup {
        notes.isEmpty ? "" : "<ul>\(notes.map { "<li>\($0)</li>" as Markup })</ul>\n"
    }
}
