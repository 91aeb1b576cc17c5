internal import Glibc
package import WayreelCore

/// A chart of measurements, drawn as SVG.
package protocol Chart: Sendable {
    /// No title if empty.
    var title: String { get }
    /// A description for readers who do not see it.
    var summary: String { get }

    /// Returns a height in pixels that suits labels of this size (em).
    func height(textSize: Double) -> Int

    /// Throws a `parameter` error if the measurements cannot be drawn.
    func check() throws(MediaError)

    /// Draws the checked chart.
    func paint(_ drawing: ChartDrawing) throws(MediaError)
}

extension Chart {
    /// Draws the chart and writes it as SVG. Throws the errors of ``write(_:as:to:)``.
    package func draw(_ image: ChartImage, to sink: some ByteSink) throws(MediaError) {
        try write(image, as: .svg, to: sink)
    }

    /// Draws the chart and writes it as pixels, SVG or PDF. Equal charts give equal bytes.
    ///
    /// Throws the errors of ``check()`` and `sink`, a `limit` error for an image that is too large, and an
    /// `unsupported` error if no font is installed.
    package func write(
        _ image: ChartImage, as kind: DrawingFile.Kind, to sink: some ByteSink
    ) throws(MediaError) {
        try check()
        try image.check()
        var file = DrawingFile(kind, size: image.size)
        (file.title, file.summary) = (title, summary)
        if image.theme == .followingReader { file.styleSheet = ChartTheme.darkStyleSheet }
        try file.write(to: sink) { (canvas) throws(MediaError) in try paint(try ChartDrawing(image, on: canvas)) }
    }
}

let chartFault = ErrorSite(.parameter, step: .chart)

/// Max magnitude of a value or time.
let maxChartMagnitude = 1e18

/// Canvas, theme and font of a chart.
package struct ChartDrawing {
    let image: ChartImage
    let theme: ChartTheme
    let text: ChartText
    let canvas: PathCanvas

    fileprivate init(_ image: ChartImage, on canvas: PathCanvas) throws(MediaError) {
        (self.image, self.canvas, theme) = (image, canvas, image.theme.colors)
        text = try ChartText(font: image.font, size: image.em)
        canvas.rectangle(bounds)
        canvas.fill(theme.background)
    }

    var em: Double { text.size }

    var lineWidth: Double { text.lineWidth }

    var bounds: Rectangle {
        Rectangle(x: 0, y: 0, width: Double(image.size.width), height: Double(image.size.height))
    }

    /// Draws a note in the centre of an area without data.
    func drawNote(_ note: String, in area: Rectangle) throws(MediaError) {
        guard area.height >= 1.5 * em else { return }
        let label = try text.label(note, within: area.width - em)
        text.draw(label, on: canvas, x: area.midX, anchor: 0.5, y: area.midY, color: theme.axisText)
    }
}

/// Size and theme of a chart image.
package struct ChartImage: Hashable, Sendable {
    /// Colour theme of a chart.
    package enum Theme: String, Hashable, Sendable, CaseIterable {
        case light, dark
        /// Light or dark by the viewer's preference, light in print.
        case followingReader

        fileprivate var colors: ChartTheme { self == .dark ? .dark : .light }
    }

    package var size: PixelSize
    package var theme: Theme
    /// Font size (em) of all labels in pixels, 4 to 200; nil for one that suits the size.
    package var textSize: Double?
    /// A Pango font family list, without style words and size.
    package var font = "DejaVu Sans"

    package init(size: PixelSize, theme: Theme = .light) { (self.size, self.theme) = (size, theme) }

    /// Max pixels of an image, which bounds its memory: 32 million.
    static let pixelLimit = 32_000_000

    /// Throws a `parameter` or `limit` error for invalid settings.
    func check() throws(MediaError) {
        try PixelSurface.check(size)
        guard size.pixels <= Self.pixelLimit else {
            throw MediaError(
                .limit, step: .chart, reason: "a chart of \(size) is too large: at most 32 million pixels",
                advice: "use a smaller size")
        }
        guard (4...200).contains(em) else {
            throw MediaError(
                .parameter, step: .chart, reason: "the text size must be 4 to 200 pixels, not \(em.shortDescription)")
        }
    }

    /// 12 pixels for 600 × 300, more for larger images, at least 10.
    var em: Double {
        textSize ?? min(max(12 * pow(Double(size.width) * Double(size.height) / 180_000, 0.2), 10), 64).rounded()
    }
}
