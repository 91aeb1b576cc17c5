internal import WayreelCharts
internal import WayreelCore
internal import WayreelDrawing
internal import WayreelGauge

/// The section of a task.
extension HTMLReport {
    func task(_ index: Int) throws(MediaError) -> Markup {
        let result = report.results[index]
        let charts = charts.tasks[index]
        let images = try Self.figures(charts.peers)
        let steps = try steps(result, charts.cpu)
        let memory = try Self.figures([charts.memoryOverTime].compactMap(\.self))
        return """
            <section id="task-\(index + 1)">
            <h2>\(result.suite)</h2>
            <p>\(result.about) <span class="dim">· \(result.input.name), \(Self.bytes(result.input.bytes))</span></p>
            \(Self.candidates(result))\(Self.absent(result))\(Self.comparisons(result))\(images)\(steps)\(memory)\
            \(Self.runs(result))\(Self.commands(result))</section>

            """
    }

    // MARK: Candidates

    private static func candidates(_ result: BenchResult) -> Markup {
        let columns = [ProgramColumn.runs] + BenchFigure.allCases.map(ProgramColumn.figure) + [.output]
        let rows = result.candidates.map { candidate -> Markup in
            "<tr><th scope=\"row\">\(candidate.name)</th>\(columns.cells(candidate))</tr>"
        }
        guard !rows.isEmpty else { return "<p>Not measured.</p>\n" }
        return table("\(result.suite): programs", head: columns.heads(after: "Program"), rows: rows)
    }

    private static func absent(_ result: BenchResult) -> Markup {
        guard !result.absent.isEmpty else { return "" }
        let items = result.absent.map { "<li>\($0)</li>" as Markup }
        return "<p class=\"dim\">Not compared:</p>\n<ul class=\"dim\">\(items)</ul>\n"
    }

    private static func comparisons(_ result: BenchResult) -> Markup {
        guard let own = result.candidates.first, result.candidates.count > 1 else { return "" }
        let rows = result.candidates.dropFirst().map { peer -> Markup in
            let name: Markup = "<tr><th scope=\"row\">÷\u{A0}\(peer.name)</th>"
            let count = BenchFigure.allCases.count
            if peer.failure != nil || own.failure != nil {
                let who = own.failure != nil ? own.name : peer.name
                return "\(name)<td colspan=\"\(count)\" class=\"dim\">not compared: \(who) failed</td></tr>"
            }
            return "\(name)\(BenchFigure.allCases.map { cell(own.comparison(with: peer, $0)) })</tr>"
        }
        return """
            <h3>\(own.name), divided by each peer</h3>
            <p class="dim">The ratio of the two in the same round: below 1, \(own.name) takes less.</p>
            \(table(
                "\(result.suite): \(own.name) divided by each peer",
                head: heads(["\(own.name)"] + BenchFigure.allCases.map(\.title)), rows: rows))
            """
    }

    // MARK: Steps

    private func steps(_ result: BenchResult, _ chart: ReportChart?) throws(MediaError) -> Markup {
        guard let costs = result.steps else { return "" }
        let layers = ReportCharts.CPULayers(costs.timeline).layerIndices
        let sum = costs.steps.reduce(0) { $0 + $1.cpuMilliseconds }
        // Steps that round to zero are dropped.
        let steps = costs.steps.filter { max($0.cpuMilliseconds, $0.wallMilliseconds) >= 0.005 }
        let rows = steps.map { step -> Markup in
            let key: Markup = "<span class=\"key\(layers[step.name].map { " layer-\($0)" } ?? "")\"></span>"
            let share = sum > 0 ? "\((step.cpuMilliseconds / sum * 100).decimalText(places: 1)) %" : "–"
            // Time outside steps has no span.
            let wall = step.name == StepCosts.rest ? "–" : Self.milliseconds(step.wallMilliseconds)
            return """
                <tr><th scope="row">\(key)\(step.name)</th>\(Self.cell(Self.milliseconds(step.cpuMilliseconds)))\
                \(Self.cell(share))\(Self.cell(wall))</tr>
                """
        }
        let foot: Markup = """

            <tfoot><tr><th scope="row">whole process</th>\(Self.cell(Self.milliseconds(costs.cpuMilliseconds)))\
            <td></td>\(Self.cell(Self.milliseconds(costs.wallMilliseconds)))</tr></tfoot>
            """
        let table = Self.table(
            "\(result.suite): steps", head: Self.heads(["Step", "#CPU, ms", "#Share", "#Wall, ms"]), rows: rows,
            foot: foot)
        let figure = try chart.map { chart throws(MediaError) in try Self.figure(chart) } ?? ""
        return """
            <h3>What the time went into</h3>
            <p class="dim">Of one more run, which was traced. Steps that work side by side add up to more wall time than the
            process took; one that waits takes wall time only.</p>
            <div class="row">
            \(table)\(figure)</div>

            """
    }

    /// Three digits without unit, for alignment.
    private static func milliseconds(_ value: Double) -> String {
        value.decimalText(places: value < 99.95 ? (value < 9.995 ? 2 : 1) : 0)
    }

    // MARK: Details

    /// Wall time of every round with outliers marked.
    private static func runs(_ result: BenchResult) -> Markup {
        let columns = result.candidates.filter { $0.failure == nil && !$0.runs.isEmpty }
        let count = columns.map(\.runs.count).max() ?? 0
        guard count > 0 else { return "" }
        let outliers = columns.map { Set($0.summary(.wall)?.outliers ?? []) }
        let rows = (0..<count).map { round -> Markup in
            let cells = columns.indices.map { column -> Markup in
                guard round < columns[column].runs.count else { return cell("–") }
                let value = BenchFigure.wall.value(columns[column].runs[round])
                let text = value.map { BenchFigure.wall.chartMeasure.text($0) } ?? "–"
                return outliers[column].contains(round) ? "<td class=\"n\"><mark>\(text)</mark></td>" : cell(text)
            }
            return "<tr><th scope=\"row\">\(round + 1)</th>\(cells)</tr>"
        }
        let head = heads(["Round"] + columns.map { "#\($0.name)" })
        return """
            <details><summary>Wall time of each run</summary>
            \(table("\(result.suite): wall time of each run", head: head, rows: rows))</details>

            """
    }

    private static func commands(_ result: BenchResult) -> Markup {
        let items = result.candidates.map { candidate -> Markup in
            let command = candidate.command.map(\.quotedForShell).joined(separator: " ")
            let lines = command.split(separator: "\n", omittingEmptySubsequences: false).map {
                "\(String($0))" as Markup
            }
            return "<dt>\(candidate.name)</dt><dd><pre><code>\(lines.joined(separator: "\n"))</code></pre></dd>"
        }
        guard !items.isEmpty else { return "" }
        return "<details><summary>Commands</summary>\n<dl>\(items)</dl></details>\n"
    }
}

extension String {
    /// Quoted for a shell.
    fileprivate var quotedForShell: String {
        let plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./:,@%"
        guard isEmpty || contains(where: { !plain.contains($0) }) else { return self }
        return "'" + split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
    }
}

/// Unavailable figures and notes on the others.
extension HTMLReport {
    /// Unavailable figures with reasons, each once.
    var unavailable: Markup {
        var order: [Unavailable] = []
        var tasks: [Unavailable: [String]] = [:]
        for result in report.results {
            for missing in result.candidates.filter({ $0.failure == nil }).flatMap(\.unavailable) {
                if tasks[missing] == nil { order.append(missing) }
                if tasks[missing]?.last != result.suite { tasks[missing, default: []].append(result.suite) }
            }
        }
        guard !order.isEmpty else { return "" }
        let rows = order.map { missing -> Markup in
            let names = tasks[missing] ?? []
            let suites = names.count == report.results.count ? "all" : names.joined(separator: ", ")
            return "<tr><th scope=\"row\">\(missing.figure.label)</th><td>\(missing.reason)</td><td>\(suites)</td></tr>"
        }
        return """
            <section>
            <h2>Not measured</h2>
            \(Self.table("Not measured", head: Self.heads(["Figure", "Reason", "Tasks"]), rows: rows))</section>

            """
    }

    var explanation: Markup {
        """
        <section>
        <h2>How to read it</h2>
        <p>A figure is the median of the runs with its 95 % confidence interval; for three to five runs the level is lower
        and stated. Outliers are more than three standard deviations from the median; they are marked and included. Whiskers
        in charts are the same intervals.</p>
        <p>Compared programs run alternately, and each round gives a ratio; the median is shown. The verdict is better or
        worse only if the whole interval is on one side of 1. A failed program is not compared.</p>
        <p>CPU time includes all threads, in user mode and in the kernel. Peak memory is the largest resident set of a
        process. 100 % in charts over time is one busy core.</p>
        </section>
        """
    }
}

extension Unavailable.Figure {
    fileprivate var label: String {
        switch self {
        case .peakMemoryBytes: "peak memory"
        case .transfer: "bytes read and written"
        case .groupPeakBytes: "peak memory of all processes (control group)"
        case .energyJoules: "energy"
        case .samples: "samples over time"
        case .proportionalBytes: "proportional memory over time"
        case .threadMilliseconds: "CPU time of threads"
        case .processes: "number of processes"
        case .callerMilliseconds: "CPU time of the calling thread"
        }
    }
}

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
