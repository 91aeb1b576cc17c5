package import WayreelCore
internal import WayreelDrawing

extension BenchReport {
    /// The charts of the report: peak memory of all tasks, all tasks against the peers, and then per task those against
    /// the peers and memory over time.
    ///
    /// Throws a `parameter` error if a figure cannot be drawn.
    package func charts() throws(MediaError) -> [ReportChart] {
        var names = FileNames(["peers"])
        var charts = [ReportCharts.memory(results)].compactMap(\.self) + ReportCharts.peers(results)
        for result in results {
            let name = names.name(for: result.suite)
            charts += ReportCharts.peers(of: result, name)
            charts += [ReportCharts.memoryOverTime(result, name)].compactMap(\.self)
        }
        for chart in charts { try chart.chart.check() }
        return charts
    }
}

/// File names derived from task names.
private struct FileNames {
    private var taken: Set<String>

    init(_ taken: Set<String>) { self.taken = taken }

    private static let longest = 60
    private static let plain = Set("abcdefghijklmnopqrstuvwxyz0123456789")

    /// A unique name that is not a prefix of another: lower-case letters, digits and hyphens.
    mutating func name(for task: String) -> String {
        let words = task.lowercased().split { !Self.plain.contains($0) }
        let plain = String(words.joined(separator: "-").prefix(Self.longest))
        let base = plain.isEmpty ? "task" : plain
        var (name, number) = (base, 2)
        while taken.contains(name) || taken.contains("\(name)-peers") {
            name = "\(base)-\(number)"
            number += 1
        }
        taken.formUnion([name, "\(name)-peers"])
        return name
    }
}

private enum ReportCharts {
    /// Wayreel's peak memory in each task.
    static func memory(_ results: [BenchResult]) -> ReportChart? {
        let bars = results.compactMap { result in
            result.candidates.first.map { bar($0, .memory, name: result.suite, isHighlighted: true) }
        }
        guard !bars.isEmpty else { return nil }
        let chart = BarsChart(
            title: "Peak memory of each task", measure: .bytes, groups: [BarsChart.Group(bars: bars)])
        return ReportChart("memory", chart, width: ReportChart.wideWidth)
    }

    /// All candidates of a task.
    static func peers(of result: BenchResult, _ name: String) -> [ReportChart] {
        guard result.candidates.count > 1 else { return [] }
        return BenchFigure.allCases.map { figure in
            let bars = result.candidates.enumerated().map { index, candidate in
                bar(candidate, figure, name: candidate.name, isHighlighted: index == 0)
            }
            let chart = BarsChart(
                title: "\(result.suite): \(figure.name)", measure: figure.chartMeasure,
                groups: [BarsChart.Group(bars: bars)])
            return ReportChart(
                "\(name)-peers-\(figure.rawValue)", chart, width: ReportChart.narrowWidth)
        }
    }

    private static func bar(
        _ candidate: BenchCandidate, _ figure: BenchFigure, name: String, isHighlighted: Bool
    ) -> BarsChart.Bar {
        let summary = candidate.summary(figure)
        return BarsChart.Bar(
            name: name, value: summary?.median, interval: summary?.interval.map { $0.lower...$0.upper },
            isHighlighted: isHighlighted, note: candidate.failure == nil ? "–" : "failed")
    }

    /// Ratios to the peers for all tasks, so that tasks of different length are comparable. Empty for fewer than two
    /// tasks with peers.
    static func peers(_ results: [BenchResult]) -> [ReportChart] {
        let compared = results.filter { $0.candidates.count > 1 }
        guard compared.count > 1 else { return [] }
        return BenchFigure.allCases.map { figure in
            let groups = compared.map { result in
                BarsChart.Group(
                    name: result.suite,
                    bars: result.candidates.dropFirst().map { ratio(result.candidates[0], $0, figure) })
            }
            let chart = BarsChart(
                title: "\(figure.title): Wayreel ÷ peer", measure: .ratio, groups: groups, reference: 1)
            return ReportChart("peers-\(figure.rawValue)", chart, width: ReportChart.narrowWidth)
        }
    }

    private static func ratio(
        _ own: BenchCandidate, _ peer: BenchCandidate, _ figure: BenchFigure
    ) -> BarsChart.Bar {
        let comparison = own.comparison(with: peer, figure)
        let note = peer.failure != nil ? "failed" : own.failure != nil ? "Wayreel failed" : "–"
        return BarsChart.Bar(
            name: peer.name, value: comparison?.ratio, interval: comparison?.interval.map { $0.lower...$0.upper },
            isHighlighted: comparison?.verdict == .better, note: note)
    }

    /// Min number of samples for a line.
    private static let minSamples = 3

    /// All candidates in one chart, so that they are comparable; Wayreel first.
    static func memoryOverTime(_ result: BenchResult, _ name: String) -> ReportChart? {
        let all = result.candidates.filter { $0.failure == nil && $0.samples.count >= minSamples }
        guard let own = result.candidates.first, own.failure == nil, own.samples.count >= minSamples else {
            return nil
        }
        // All compared figures are of the same kind.
        let isProportional = all.allSatisfy { candidate in
            candidate.samples.lazy.filter { $0.proportionalBytes != nil }.count >= minSamples
        }
        let series = all.map { candidate in
            let samples = candidate.samples.compactMap { sample in
                (isProportional ? sample.proportionalBytes : sample.residentBytes).map {
                    SeriesChart.Sample(time: sample.milliseconds / 1000, value: Double($0))
                }
            }
            let peak = samples.max { $0.value < $1.value }
            return SeriesChart.Series(
                name: candidate.name, samples: samples,
                marks: peak.map {
                    [SeriesChart.Mark(time: $0.time, value: $0.value, text: ChartMeasure.bytes.text($0.value))]
                } ?? [])
        }
        let kind = isProportional ? "proportional set" : "resident set"
        let chart = SeriesChart(
            title: "\(result.suite): memory over time (\(kind))", measure: .bytes, series: series)
        return ReportChart("\(name)-memory-over-time", chart, width: ReportChart.wideWidth)
    }
}
