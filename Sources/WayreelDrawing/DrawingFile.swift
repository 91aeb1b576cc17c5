package import WayreelCore

/// A drawing as a file of pixels or of paths.
package struct DrawingFile {
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        case png, svg, pdf
    }

    package var kind: Kind
    /// In units of the drawing, which are the pixels of a PNG.
    package var size: PixelSize
    /// The title and the description of an SVG and a PDF.
    package var title = ""
    package var summary = ""
    /// CSS of an SVG.
    package var styleSheet = ""
    /// Whether a PNG needs no alpha.
    package var isOpaque = true
    /// Units in a millimetre of an SVG and a PDF with a true size; nil: an SVG's unit is a pixel of the page, and a
    /// PDF's 1/96 inch, which is the same in print.
    package var unitsPerMillimetre: Double?

    package init(_ kind: Kind, size: PixelSize) { (self.kind, self.size) = (kind, size) }

    /// Passes a canvas to `paint` and writes the file to `sink`. Equal drawings give equal bytes.
    ///
    /// Throws the errors of `paint` and `sink`, and a `limit` error for a size that cannot be drawn.
    package func write(
        to sink: some ByteSink, _ paint: (PathCanvas) throws(MediaError) -> Void
    ) throws(MediaError) {
        try write(to: sink, pages: 1) { (canvas, _) throws(MediaError) in try paint(canvas) }
    }

    /// Passes a canvas to `paint` for each of `count` pages, with the number of the page from 0 on. Only a PDF has more than
    /// one.
    package func write(
        to sink: some ByteSink, pages count: Int, _ paint: (PathCanvas, Int) throws(MediaError) -> Void
    ) throws(MediaError) {
        precondition(count == 1 || kind == .pdf && count > 1, "only a PDF has several pages")
        switch kind {
        case .png:
            let surface = try PixelSurface(size: size, format: isOpaque ? .rgb24 : .argb32)
            let canvas = Canvas(on: surface)
            try paint(canvas, 0)
            try canvas.finish()
            try surface.writePNG(to: sink)
        case .svg:
            var preamble = SVGPreamble()
            (preamble.title, preamble.summary, preamble.styleSheet) = (title, summary, styleSheet)
            preamble.unitsPerMillimetre = unitsPerMillimetre
            let canvas = try SVGCanvas(size: size, preamble: preamble, sink: sink)
            try paint(canvas, 0)
            try canvas.finish()
        case .pdf:
            let canvas = try PDFCanvas(
                size: size, pointsPerUnit: unitsPerMillimetre.map { 72 / 25.4 / $0 } ?? 0.75, title: title,
                summary: summary, sink: sink)
            for page in 0..<count {
                if page > 0 { canvas.beginPage() }
                try paint(canvas, page)
            }
            try canvas.finish()
        }
    }
}
