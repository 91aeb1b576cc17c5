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
        let cpu = SeriesChart(
            title: "\(name): processor use over time", measure: .share, series: Self.processorUse(samples))
        let memory = SeriesChart(
            title: "\(name): memory over time", measure: .bytes,
            series: [
                SeriesChart.Series(
                    name: "resident",
                    samples: samples.map { .init(time: $0.milliseconds / 1000, value: Double($0.residentBytes)) })
            ])
        try cpu.check()
        try memory.check()
        return [
            ReportChart("cpu-over-time", cpu, width: ReportChart.wideWidth),
            ReportChart("memory-over-time", memory, width: ReportChart.wideWidth),
        ]
    }

    /// Max number of threads in a chart, which with their sum are as many as there are colours.
    private static let maxThreads = 7

    /// Busy cores since the sample before: of all threads, and of the busiest by name since the last reading of threads.
    private static func processorUse(_ samples: [Sample]) -> [SeriesChart.Series] {
        let all = samples.map { SeriesChart.Sample(time: $0.milliseconds / 1000, value: $0.cpuPercent / 100) }
        let readings = samples.filter { $0.threadMilliseconds != nil }
        let totals = readings.last?.threadMilliseconds ?? [:]
        let names = totals.sorted { ($0.value, $1.key) > ($1.value, $0.key) }.prefix(maxThreads).map(\.key)
        let threads = names.map { name in
            SeriesChart.Series(
                name: name,
                samples: zip(readings, [nil] + readings).compactMap { reading, before in
                    reading.threadPercents(since: before).map {
                        .init(time: reading.milliseconds / 1000, value: ($0[name] ?? 0) / 100)
                    }
                })
        }
        return [SeriesChart.Series(name: "all threads", samples: all)] + threads
    }
}
