package import WayreelCore
package import WayreelDrawing

/// A chart with a suitable size.
package struct ReportChart: Sendable {
    /// A file name: `capture-memory-over-time`.
    package let name: String
    package let chart: any Chart
    private let width: Int

    /// Font size in pixels, the same for all charts of a report.
    static let textSize = 12.0
    /// Width that fits a phone without scrolling, in pixels.
    static let narrowWidth = 344
    /// Width of charts over time in pixels.
    static let wideWidth = 640

    init(_ name: String, _ chart: some Chart, width: Int) {
        (self.name, self.chart, self.width) = (name, chart, width)
    }

    package var title: String { chart.title }

    /// Draws an SVG file, light or dark by the viewer's preference.
    package func draw(to sink: some ByteSink) throws(MediaError) {
        try chart.draw(image(of: chart), as: .svg, to: sink)
    }

    /// An element for a page that shows the title itself.
    func inlineSVG() throws(MediaError) -> Markup {
        var chart = chart
        chart.title = ""
        let sink = MemorySink()
        try chart.draw(image(of: chart), as: .inlineSVG, to: sink)
        return Markup(String(decoding: sink.bytes, as: UTF8.self))
    }

    private func image(of chart: any Chart) -> ChartImage {
        let size = PixelSize(width: width, height: chart.height(textSize: Self.textSize))
        var image = ChartImage(size: size, theme: .followingReader)
        image.textSize = Self.textSize
        return image
    }
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
