package import WayreelCore
package import WayreelCharts

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
