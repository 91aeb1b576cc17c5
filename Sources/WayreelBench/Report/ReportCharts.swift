internal import WayreelCharts
internal import WayreelDrawing
internal import WayreelGauge

/// The charts of a report in page order.
struct ReportCharts: Sendable {
    /// The charts of one task.
    struct Task: Sendable {
        /// CPU use over time, stacked by step; nil if the steps are unknown.
        var cpu: ReportChart?
        /// nil for fewer than three samples.
        var memoryOverTime: ReportChart?
        /// Wall time, CPU time and peak memory of all candidates; empty for a single one.
        var peers: [ReportChart]

        var all: [ReportChart] { peers + [cpu, memoryOverTime].compactMap(\.self) }
    }

    /// Peak memory of all tasks.
    let memory: ReportChart?
    /// All tasks against the peers.
    let peers: [ReportChart]
    /// In the order of the results.
    let tasks: [Task]

    var all: [ReportChart] { [memory].compactMap(\.self) + peers + tasks.flatMap(\.all) }

    init(_ report: BenchReport) {
        var names = FileNames(["peers"])
        let results = report.results
        memory = Self.memory(results)
        peers = Self.peers(results)
        tasks = results.map { result in
            let name = names.name(for: result.suite)
            return Task(
                cpu: Self.cpu(result, name), memoryOverTime: Self.memoryOverTime(result, name),
                peers: Self.peers(of: result, name))
        }
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

/// Charts of Wayreel against peers.
extension ReportCharts {
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
                "\(name)-peers-\(figure.rawValue)", chart, width: ReportChart.narrowWidth, caption: figure.title)
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
}

/// Charts of a task over time.
extension ReportCharts {
    /// Max number of distinguishable layers.
    private static let maxLayers = 8
    /// Min number of samples for a line.
    private static let minSamples = 3

    static func cpu(_ result: BenchResult, _ name: String) -> ReportChart? {
        guard let timeline = result.steps?.timeline else { return nil }
        let layers = CPULayers(timeline)
        guard !layers.layers.isEmpty else { return nil }
        let chart = StackedChart(
            title: "\(result.suite): CPU use over time", measure: .share, times: timeline.times,
            layers: layers.layers.map { StackedChart.Layer(name: $0.name, values: $0.cores) })
        return ReportChart(
            "\(name)-cpu", chart, width: ReportChart.wideWidth, caption: "CPU use over time")
    }

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
        return ReportChart(
            "\(name)-memory-over-time", chart, width: ReportChart.wideWidth, caption: "Memory over time (\(kind))"
        )
    }

    /// The steps of a timeline as layers, without negligible ones; the smallest are merged if there are too many.
    struct CPULayers {
        private(set) var layers: [StepCosts.Timeline.Layer]
        /// Layer index of each step that has one.
        private(set) var layerIndices: [String: Int] = [:]

        static let rest = "other"

        init(_ timeline: StepCosts.Timeline) {
            let sums = timeline.layers.map { $0.cores.reduce(0, +) }
            // Steps below 0.05 % are dropped.
            let threshold = 0.0005 * sums.reduce(0, +)
            let kept = sums.indices.filter { sums[$0] > threshold }
            let isFolded = kept.count > maxLayers
            let largest = kept.sorted { sums[$0] > sums[$1] }.prefix(isFolded ? maxLayers - 1 : maxLayers)
            layers = []
            for index in kept where largest.contains(index) {
                layerIndices[timeline.layers[index].name] = layers.count
                layers.append(timeline.layers[index])
            }
            guard isFolded else { return }
            let small = kept.filter { !largest.contains($0) }.map { timeline.layers[$0] }
            for layer in small { layerIndices[layer.name] = layers.count }
            let count = small.map(\.cores.count).min() ?? 0
            layers.append(
                StepCosts.Timeline.Layer(
                    name: Self.rest, cores: (0..<count).map { column in small.reduce(0) { $0 + $1.cores[column] } }))
        }
    }
}
