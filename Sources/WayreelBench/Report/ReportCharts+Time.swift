internal import WayreelCharts
internal import WayreelGauge

/// What a task does over time.
extension ReportCharts {
    /// The most layers that can be told apart.
    private static let mostLayers = 8
    /// Fewer samples are no line.
    private static let fewestSamples = 3

    static func cpu(_ result: BenchResult, _ name: String) -> BenchCharts.Named? {
        guard let timeline = result.steps?.timeline else { return nil }
        let layers = CPULayers(timeline)
        guard !layers.layers.isEmpty else { return nil }
        let chart = StackedChart(
            title: "\(result.suite): processor use over time", measure: .share, times: timeline.times,
            layers: layers.layers.map { StackedChart.Layer(name: $0.name, values: $0.cores) })
        return BenchCharts.Named(
            "\(name)-cpu", chart, width: BenchCharts.Named.wideWidth, caption: "Processor use over time")
    }

    /// All contenders in one chart, so that their sizes and lengths can be compared; ours is the first.
    static func memoryOverTime(_ result: BenchResult, _ name: String) -> BenchCharts.Named? {
        let all = result.contenders.filter { $0.failure == nil && $0.samples.count >= fewestSamples }
        guard let own = result.contenders.first, own.failure == nil, own.samples.count >= fewestSamples else {
            return nil
        }
        // What is compared is measured in one way.
        let isProportional = all.allSatisfy { contender in
            contender.samples.lazy.filter { $0.proportionalBytes != nil }.count >= fewestSamples
        }
        let series = all.map { contender in
            let samples = contender.samples.compactMap { sample in
                (isProportional ? sample.proportionalBytes : sample.residentBytes).map {
                    SeriesChart.Sample(time: sample.milliseconds / 1000, value: Double($0))
                }
            }
            let peak = samples.max { $0.value < $1.value }
            return SeriesChart.Series(
                name: contender.name, samples: samples,
                marks: peak.map {
                    [SeriesChart.Mark(time: $0.time, value: $0.value, text: ChartMeasure.bytes.text($0.value))]
                } ?? [])
        }
        let kind = isProportional ? "proportional set" : "resident set"
        let chart = SeriesChart(
            title: "\(result.suite): memory over time (\(kind))", measure: .bytes, series: series)
        return BenchCharts.Named(
            "\(name)-memory-over-time", chart, width: BenchCharts.Named.wideWidth, caption: "Memory over time (\(kind))"
        )
    }

    /// The steps of a timeline as layers: those that are nothing left out, the smallest of too many as one.
    struct CPULayers {
        private(set) var layers: [StepCosts.Timeline.Layer]
        /// The layer of each step that has one.
        private(set) var places: [String: Int] = [:]

        static let rest = "other"

        init(_ timeline: StepCosts.Timeline) {
            let sums = timeline.layers.map { $0.cores.reduce(0, +) }
            // What rounds to 0.0 %.
            let least = 0.0005 * sums.reduce(0, +)
            let kept = sums.indices.filter { sums[$0] > least }
            let isFolded = kept.count > mostLayers
            let largest = kept.sorted { sums[$0] > sums[$1] }.prefix(isFolded ? mostLayers - 1 : mostLayers)
            layers = []
            for index in kept where largest.contains(index) {
                places[timeline.layers[index].name] = layers.count
                layers.append(timeline.layers[index])
            }
            guard isFolded else { return }
            let small = kept.filter { !largest.contains($0) }.map { timeline.layers[$0] }
            for layer in small { places[layer.name] = layers.count }
            let count = small.map(\.cores.count).min() ?? 0
            layers.append(
                StepCosts.Timeline.Layer(
                    name: Self.rest, cores: (0..<count).map { column in small.reduce(0) { $0 + $1.cores[column] } }))
        }
    }
}
