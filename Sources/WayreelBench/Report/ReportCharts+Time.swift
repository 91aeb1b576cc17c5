internal import WayreelCharts
internal import WayreelGauge

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
