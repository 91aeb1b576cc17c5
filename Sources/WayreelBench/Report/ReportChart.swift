package import WayreelCharts
package import WayreelCore
internal import WayreelDrawing
package import WayreelGauge

/// A chart with a suitable size.
package struct ReportChart: Sendable {
    /// A file name: `capture-memory-over-time`.
    package let name: String
    let titled: any TitledChart
    /// Title for pages that already name the task.
    let caption: String
    private let width: Int

    /// Font size in pixels, the same for all charts of a report.
    static let textSize = 12.0
    /// Width that fits a phone without scrolling, in pixels.
    static let narrowWidth = 344
    /// Width of charts over time in pixels.
    static let wideWidth = 640

    init(_ name: String, _ chart: some TitledChart, width: Int, caption: String? = nil) {
        (self.name, titled, self.width) = (name, chart, width)
        self.caption = caption ?? chart.title
    }

    package var chart: any Chart { titled }

    package var title: String { titled.title }

    package var size: PixelSize { PixelSize(width: width, height: titled.height(width: width)) }

    /// The image for a file, scaled by `scale`.
    package func image(_ theme: ChartImage.Theme, scale: Int = 1) -> ChartImage {
        var image = ChartImage(
            size: PixelSize(width: size.width * scale, height: size.height * scale), theme: theme)
        image.textSize = Self.textSize * Double(scale)
        return image
    }

    /// Elements for a page that shows the title itself: one, or a wide and a narrow one for phones.
    func inlineSVGs() throws(MediaError) -> [Markup] {
        var chart = titled
        chart.title = ""
        var elements: [Markup] = []
        for width in width > Self.narrowWidth ? [width, Self.narrowWidth] : [width] {
            var image = ChartImage(
                size: PixelSize(width: width, height: chart.height(width: width)), theme: .followingReader)
            image.textSize = Self.textSize
            let sink = MemorySink()
            try chart.draw(image, as: .inlineSVG, to: sink)
            elements.append(Markup(String(decoding: sink.bytes, as: UTF8.self)))
        }
        return elements
    }
}

/// A chart whose title can be shown elsewhere.
protocol TitledChart: Chart {
    var title: String { get set }

    /// A height that suits an image of `width` with labels of ``ReportChart/textSize``, in pixels.
    func height(width: Int) -> Int
}

extension SeriesChart: TitledChart {
    func height(width: Int) -> Int { 280 }
}

extension StackedChart: TitledChart {
    /// The legend is beside a wide chart, above a narrow one.
    func height(width: Int) -> Int { width > ReportChart.narrowWidth ? 300 : 320 }
}

extension BarsChart: TitledChart {
    func height(width: Int) -> Int { height(textSize: ReportChart.textSize) }
}

extension Measurement {
    /// Charts of CPU, by thread name if available, and memory over time. Empty for a run without samples.
    ///
    /// Throws a `parameter` error if a figure cannot be drawn.
    package func charts(named name: String) throws(MediaError) -> [ReportChart] {
        guard samples.count > 1 else { return [] }
        let times = [0] + samples.map { $0.milliseconds / 1000 }
        let cpu = StackedChart(
            title: "\(name): processor use over time", measure: .share, times: times, layers: Self.layers(samples))
        let memory = SeriesChart(
            title: "\(name): memory over time", measure: .bytes,
            series: [
                Self.series("resident", samples) { $0.residentBytes },
                Self.series("proportional", samples) { $0.proportionalBytes },
            ].filter { !$0.samples.isEmpty })
        try cpu.check()
        try memory.check()
        return [
            ReportChart("cpu-over-time", cpu, width: ReportChart.wideWidth),
            ReportChart("memory-over-time", memory, width: ReportChart.wideWidth),
        ]
    }

    private static func series(
        _ name: String, _ samples: [Sample], _ value: (Sample) -> Int?
    ) -> SeriesChart.Series {
        SeriesChart.Series(
            name: name,
            samples: samples.compactMap { sample in
                value(sample).map { SeriesChart.Sample(time: sample.milliseconds / 1000, value: Double($0)) }
            })
    }

    /// Max number of distinguishable threads in a chart.
    private static let maxThreads = 7

    /// Busy cores between samples. Thread times are read less often than the total, which is distributed by the last
    /// thread reading.
    private static func layers(_ samples: [Sample]) -> [StackedChart.Layer] {
        var shares: [[String: Double]] = []
        var before: Sample?
        for sample in samples {
            if let percents = sample.threadPercents(since: before) {
                let whole = percents.values.reduce(0, +)
                shares.append(whole > 0 ? percents.mapValues { $0 / whole } : [:])
                before = sample
            } else {
                shares.append(shares.last ?? [:])
            }
        }
        let cores = samples.map { $0.cpuPercent / 100 }
        var sums: [String: Double] = [:]
        for (share, cores) in zip(shares, cores) {
            for (name, value) in share { sums[name, default: 0] += value * cores }
        }
        let names = sums.sorted { ($0.value, $1.key) > ($1.value, $0.key) }.prefix(maxThreads).map(\.key)
        let known = names.map { name in
            StackedChart.Layer(name: name, values: zip(shares, cores).map { ($0[name] ?? 0) * $1 })
        }
        let rest = cores.indices.map { index in max(0, cores[index] - known.reduce(0) { $0 + $1.values[index] }) }
        let isWhole = rest.reduce(0, +) < 0.005 * cores.reduce(0, +)
        return isWhole && !known.isEmpty ? known : known + [StackedChart.Layer(name: "other threads", values: rest)]
    }
}

extension BenchReport {
    /// Returns charts of the peak memory of all tasks, of all tasks against the peers, and then per task of the
    /// peers, CPU and memory over time.
    ///
    /// Throws a `parameter` error if a figure cannot be drawn.
    package func charts() throws(MediaError) -> [ReportChart] {
        let charts = ReportCharts(self).all
        for chart in charts { try chart.chart.check() }
        return charts
    }
}

extension ScaleResult {
    /// Time and memory against input size. Empty for fewer than two sizes.
    ///
    /// Throws a `parameter` error if a figure cannot be drawn.
    package func charts() throws(MediaError) -> [ReportChart] {
        guard points.count > 1 else { return [] }
        let series = { (name: String, law: PowerLaw?, value: (Point) -> Double) in
            ScalingChart.Series(
                name: name, points: points.map { ScalingChart.Point(size: $0.size, value: value($0)) },
                fit: law.map(ScalingChart.Fit.init))
        }
        let time = ScalingChart.Panel(
            name: "Time", measure: .seconds,
            series: [
                series("wall time", wall) { $0.wallSeconds }, series("CPU time", cpu) { $0.cpuSeconds },
            ])
        let memory = ScalingChart.Panel(
            name: "Peak memory", measure: .bytes, series: [series("wayreel", memory) { $0.peakMemoryBytes }])
        let chart = ScalingChart(title: about, size: .count(unit), panels: [time, memory])
        try chart.check()
        return [ReportChart("scale-\(name)", chart, width: ReportChart.wideWidth)]
    }
}

extension ScalingChart.Fit {
    fileprivate init(_ law: PowerLaw) {
        self.init(
            coefficient: law.coefficient, exponent: law.exponent,
            interval: law.exponentInterval.map { $0.lower...$0.upper })
    }
}

extension ScalingChart: TitledChart {
    func height(width: Int) -> Int { width > ReportChart.narrowWidth ? 320 : 560 }
}
