package import WayreelCore
package import WayreelCharts

extension BenchCharts {
    /// A chart, and the size that suits it.
    package struct Named: Sendable {
        /// Usable as the name of a file: `capture-memory-over-time`.
        package let name: String
        let titled: any TitledChart
        /// Its title where the task is named already.
        let caption: String
        private let width: Int

        /// Of its labels, in pixels: all charts of a report have the same.
        static let textSize = 12.0
        /// What a telephone shows without scrolling, in pixels.
        static let narrowWidth = 344
        /// Over time, in pixels.
        static let wideWidth = 640

        init(_ name: String, _ chart: some TitledChart, width: Int, caption: String? = nil) {
            (self.name, titled, self.width) = (name, chart, width)
            self.caption = caption ?? chart.title
        }

        package var chart: any Chart { titled }

        package var title: String { titled.title }

        package var size: PixelSize { PixelSize(width: width, height: titled.height(width: width)) }

        /// The picture for a file, `scale` times as large.
        package func picture(_ theme: ChartPicture.Theme, scale: Int = 1) -> ChartPicture {
            var picture = ChartPicture(
                size: PixelSize(width: size.width * scale, height: size.height * scale), theme: theme)
            picture.textSize = Self.textSize * Double(scale)
            return picture
        }

        /// Elements for a page that shows the title itself: one, or where that would be too wide for a telephone, a second one
        /// that is not.
        func inlineSVGs() throws(MediaError) -> [Markup] {
            var chart = titled
            chart.title = ""
            var elements: [Markup] = []
            for width in width > Self.narrowWidth ? [width, Self.narrowWidth] : [width] {
                var picture = ChartPicture(
                    size: PixelSize(width: width, height: chart.height(width: width)), theme: .followingReader)
                picture.textSize = Self.textSize
                let sink = MemorySink()
                try chart.draw(picture, as: .inlineSVG, to: sink)
                elements.append(Markup(String(decoding: sink.bytes, as: UTF8.self)))
            }
            return elements
        }
    }
}

/// A chart whose title can be shown elsewhere.
protocol TitledChart: Chart {
    var title: String { get set }

    /// The height that suits a picture of that width with labels of ``BenchCharts/Named/textSize``, in pixels.
    func height(width: Int) -> Int
}

extension SeriesChart: TitledChart {
    func height(width: Int) -> Int { 280 }
}

extension StackedChart: TitledChart {
    /// The legend stands beside a wide one, above a narrow one.
    func height(width: Int) -> Int { width > BenchCharts.Named.narrowWidth ? 300 : 320 }
}

extension BarsChart: TitledChart {
    func height(width: Int) -> Int { height(textSize: BenchCharts.Named.textSize) }
}
