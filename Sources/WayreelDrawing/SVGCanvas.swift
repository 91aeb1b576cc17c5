internal import CPango
package import WayreelCore

/// A canvas that writes each painted path as SVG 1.1.
///
/// Text is written as outlines, so that it looks the same everywhere. Equal drawings give equal bytes.
package final class SVGCanvas: PathCanvas {
    private let sink: any ByteSink
    private var failure: MediaError?

    /// Throws a `limit` error for a side outside 1 to 32 767 pixels, like ``PixelSurface``.
    package init(
        size: PixelSize, preamble: SVGPreamble = SVGPreamble(), sink: some ByteSink
    ) throws(MediaError) {
        try PixelSurface.check(size)
        self.sink = sink
        super.init(on: try PathSurface(size: size))
        write(preamble.text(for: size))
    }

    package override func fill(_ color: RGBColor, keepingPath: Bool = false) {
        writePath(paint("fill", color), keepingPath: keepingPath)
    }

    package override func stroke(_ color: RGBColor, width: Double, keepingPath: Bool = false) {
        let line = #" fill="none" stroke-width="\#(SVGNumber(width))" stroke-linecap="round" stroke-linejoin="round""#
        writePath(paint("stroke", color) + line, keepingPath: keepingPath)
    }

    /// Ends the file.
    package override func finish() throws(MediaError) {
        write("</svg>\n")
        if let failure { throw failure }
        try super.finish()
    }

    private func writePath(_ attributes: String, keepingPath: Bool) {
        var matrix = cairo_matrix_t()
        cairo_get_matrix(context, &matrix)
        let terms = [matrix.xx, matrix.yx, matrix.xy, matrix.yy, matrix.x0, matrix.y0]
        let transform =
            terms == [1, 0, 0, 1, 0, 0]
            ? "" : #" transform="matrix(\#(terms.map { "\($0)" }.joined(separator: ",")))""#
        let path = cairo_copy_path(context)!
        defer { cairo_path_destroy(path) }
        let data = SVGPathData(path.pointee)
        if !data.text.isEmpty { write("<path\(attributes)\(transform) d=\"\(data.text)\"/>\n") }
        if !keepingPath { cairo_new_path(context) }
    }

    private func paint(_ kind: String, _ color: RGBColor) -> String {
        let opacity = color.alpha < 1 ? " \(kind)-opacity=\"\(SVGNumber(color.alpha))\"" : ""
        return " \(kind)=\"\(color.hexadecimal)\"" + opacity
    }

    /// Keeps the first error of the sink for ``finish()``.
    private func write(_ text: String) {
        guard failure == nil else { return }
        do throws(MediaError) { try sink.write(text) } catch { failure = error }
    }
}
