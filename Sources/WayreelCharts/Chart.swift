package import WayreelCore
internal import WayreelDrawing

/// Measurements as a picture: the same drawing in pixels and in SVG.
package protocol Chart: Sendable {
    /// None where empty.
    var title: String { get }
    /// What the chart shows in words, for those who cannot see it.
    var summary: String { get }

    /// Throws a `parameter` error where the measurements are none that can be drawn.
    func check() throws(MediaError)

    /// Draws what has been checked.
    func paint(_ drawing: ChartDrawing) throws(MediaError)
}

extension Chart {
    /// Draws the chart and writes the picture to `sink`. Equal charts give equal bytes.
    ///
    /// Throws as ``check()`` does, what `sink` throws, a `limit` error where the picture is too large, and an `unsupported`
    /// one where no font is installed.
    package func draw(
        _ picture: ChartPicture, as type: ChartPicture.FileType, to sink: some ByteSink
    ) throws(MediaError) {
        try check()
        try picture.check()
        switch type {
        case .svg, .inlineSVG:
            var preamble = SVGPreamble()
            preamble.isInline = type == .inlineSVG
            (preamble.title, preamble.summary) = (title, summary)
            if type == .svg, picture.theme == .followingReader { preamble.styleSheet = ChartTheme.darkStyleSheet }
            let canvas = try SVGCanvas(size: picture.size, preamble: preamble, sink: sink)
            try paint(try ChartDrawing(picture, on: canvas))
            try canvas.finish()
        case .png:
            let isOpaque = picture.colors.background.alpha == 1
            let surface = try PixelSurface(size: picture.size, format: isOpaque ? .rgb24 : .argb32)
            let canvas = Canvas(on: surface)
            try paint(try ChartDrawing(picture, on: canvas))
            try canvas.finish()
            try surface.writePNG(to: sink)
        }
    }
}

/// What a chart is drawn with.
package struct ChartDrawing {
    let picture: ChartPicture
    let theme: ChartTheme
    let text: ChartText
    let canvas: PathCanvas

    fileprivate init(_ picture: ChartPicture, on canvas: PathCanvas) throws(MediaError) {
        (self.picture, self.canvas, theme) = (picture, canvas, picture.colors)
        text = try ChartText(font: picture.font, size: picture.em)
        guard theme.background.alpha > 0 else { return }
        canvas.rectangle(bounds)
        canvas.fill(theme.background)
    }

    var em: Double { text.size }

    /// Of lines that show values.
    var lineWidth: Double { max(1.5, em / 7) }

    var bounds: Rectangle {
        Rectangle(x: 0, y: 0, width: Double(picture.size.width), height: Double(picture.size.height))
    }

    /// What sets a mark off from what it lies on.
    var ground: RGBColor { theme.background.alpha == 1 ? theme.background : baseTheme.background }

    private var baseTheme: ChartTheme { picture.theme == .dark ? .dark : .light }

    /// Says in the middle of an area that there is nothing to see.
    func drawNote(_ note: String, in area: Rectangle) throws(MediaError) {
        guard area.height >= 1.5 * em else { return }
        let label = try text.label(note, within: area.width - em)
        text.draw(label, on: canvas, x: area.midX, anchor: 0.5, y: area.midY, color: theme.axisText)
    }
}

/// A `parameter` error about a chart.
func chartFault(_ reason: String, advice: String? = nil) -> MediaError {
    MediaError(.parameter, step: "chart", reason: reason, advice: advice)
}
