package import WayreelCore
internal import WayreelDrawing

/// A chart of measurements, drawn the same in PNG and SVG.
package protocol Chart: Sendable {
    /// No title if empty.
    var title: String { get }
    /// A textual description for accessibility.
    var summary: String { get }

    /// Throws a `parameter` error if the measurements cannot be drawn.
    func check() throws(MediaError)

    /// Draws the checked chart.
    func paint(_ drawing: ChartDrawing) throws(MediaError)
}

extension Chart {
    /// Draws the chart and writes the image to `sink`. Equal charts give equal bytes.
    ///
    /// Throws the errors of ``check()`` and `sink`, a `limit` error for an image that is too large, and an
    /// `unsupported` error if no font is installed.
    package func draw(
        _ image: ChartImage, as type: ChartImage.FileType, to sink: some ByteSink
    ) throws(MediaError) {
        try check()
        try image.check()
        switch type {
        case .svg, .inlineSVG:
            var preamble = SVGPreamble()
            preamble.isInline = type == .inlineSVG
            (preamble.title, preamble.summary) = (title, summary)
            if type == .svg, image.theme == .followingReader { preamble.styleSheet = ChartTheme.darkStyleSheet }
            let canvas = try SVGCanvas(size: image.size, preamble: preamble, sink: sink)
            try paint(try ChartDrawing(image, on: canvas))
            try canvas.finish()
        case .png:
            let isOpaque = image.colors.background.alpha == 1
            let surface = try PixelSurface(size: image.size, format: isOpaque ? .rgb24 : .argb32)
            let canvas = Canvas(on: surface)
            try paint(try ChartDrawing(image, on: canvas))
            try canvas.finish()
            try surface.writePNG(to: sink)
        }
    }
}

/// Canvas, theme and font of a chart.
package struct ChartDrawing {
    let image: ChartImage
    let theme: ChartTheme
    let text: ChartText
    let canvas: PathCanvas

    fileprivate init(_ image: ChartImage, on canvas: PathCanvas) throws(MediaError) {
        (self.image, self.canvas, theme) = (image, canvas, image.colors)
        text = try ChartText(font: image.font, size: image.em)
        guard theme.background.alpha > 0 else { return }
        canvas.rectangle(bounds)
        canvas.fill(theme.background)
    }

    var em: Double { text.size }

    /// Width of data lines.
    var lineWidth: Double { max(1.5, em / 7) }

    var bounds: Rectangle {
        Rectangle(x: 0, y: 0, width: Double(image.size.width), height: Double(image.size.height))
    }

    /// Colour of the outline that separates a mark from what is below.
    var ground: RGBColor { theme.background.alpha == 1 ? theme.background : baseTheme.background }

    private var baseTheme: ChartTheme { image.theme == .dark ? .dark : .light }

    /// Draws a note in the centre of an area without data.
    func drawNote(_ note: String, in area: Rectangle) throws(MediaError) {
        guard area.height >= 1.5 * em else { return }
        let label = try text.label(note, within: area.width - em)
        text.draw(label, on: canvas, x: area.midX, anchor: 0.5, y: area.midY, color: theme.axisText)
    }
}

/// A `parameter` error about a chart.
func chartFault(_ reason: String, advice: MediaError.Advice? = nil) -> MediaError {
    MediaError(.parameter, step: "chart", reason: reason, advice: advice)
}
