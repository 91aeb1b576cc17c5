internal import CPango
package import WayreelCore

/// A canvas that writes pages of PDF, with text as letters, which readers search and read aloud.
package final class PDFCanvas: PathCanvas {
    private let page: PageSurface

    /// Pages on which a unit of the drawing is `pointsPerUnit` long, in points of 1/72 inch. Throws a `limit` error for
    /// a side outside 1 to 32 767 units.
    package init(
        size: PixelSize, pointsPerUnit: Double, title: String = "", summary: String = "", sink: some ByteSink
    ) throws(MediaError) {
        try PixelSurface.check(size)
        page = try PageSurface(
            width: Double(size.width) * pointsPerUnit, height: Double(size.height) * pointsPerUnit, size: size,
            title: title, summary: summary, sink: sink)
        super.init(on: page)
        scale(x: pointsPerUnit, y: pointsPerUnit)
    }

    package override func drawText(_ layout: TextLayout, x: Double, y: Double, color: RGBColor) {
        setSource(color)
        move(toX: x, y: y)
        pango_cairo_show_layout(context, layout.layout)
        cairo_new_path(context)
    }

    /// Ends the page, and begins another one of the same size.
    package func beginPage() { cairo_show_page(context) }

    /// Ends the file.
    package override func finish() throws(MediaError) {
        try super.finish()
        try page.finish()
    }
}
