internal import CPango
internal import Glibc
package import WayreelCore

/// Drawing operations common to pixels and vector files; pixel coordinates, y downwards.
///
/// Shapes are added to a path, which `fill` and `stroke` consume unless they keep it. Belongs to one thread.
package class PathCanvas {
    let context: OpaquePointer
    private let surface: DrawingSurface

    init(on surface: DrawingSurface) {
        self.surface = surface
        context = cairo_create(surface.handle)
        cairo_set_antialias(context, CAIRO_ANTIALIAS_GRAY)
        cairo_set_line_join(context, CAIRO_LINE_JOIN_ROUND)
        cairo_set_line_cap(context, CAIRO_LINE_CAP_ROUND)
    }

    deinit { cairo_destroy(context) }

    /// Ends the drawing. Throws if any operation failed.
    package func finish() throws(MediaError) {
        cairo_surface_flush(surface.handle)
        try checkDrawing(cairo_status(context), of: "the drawing")
    }

    /// Runs `body` and restores transformation and colour.
    package func withState<Failure: Error>(_ body: () throws(Failure) -> Void) throws(Failure) {
        cairo_save(context)
        defer { cairo_restore(context) }
        try body()
    }

    // MARK: Transformation

    package func translate(x: Double, y: Double) { cairo_translate(context, x, y) }
    package func scale(x: Double, y: Double) { cairo_scale(context, x, y) }
    /// Rotates clockwise by an angle in radians.
    package func rotate(by angle: Double) { cairo_rotate(context, angle) }

    /// The visible area in current coordinates.
    var visible: Rectangle {
        var left = 0.0, top = 0.0, right = 0.0, bottom = 0.0
        cairo_clip_extents(context, &left, &top, &right, &bottom)
        return Rectangle(x: left, y: top, width: right - left, height: bottom - top)
    }

    // MARK: Path

    package func move(toX x: Double, y: Double) { cairo_move_to(context, x, y) }
    package func line(toX x: Double, y: Double) { cairo_line_to(context, x, y) }
    package func closePath() { cairo_close_path(context) }

    /// Adds a cubic Bézier curve to (`x`, `y`).
    package func curve(
        control1X: Double, control1Y: Double, control2X: Double, control2Y: Double, toX x: Double, y: Double
    ) {
        cairo_curve_to(context, control1X, control1Y, control2X, control2Y, x, y)
    }

    /// Adds a clockwise arc (radians, 0 to the right) as a new subpath.
    package func arc(centerX: Double, centerY: Double, radius: Double, from start: Double, to end: Double) {
        cairo_new_sub_path(context)
        cairo_arc(context, centerX, centerY, radius, start, end)
    }

    package func circle(centerX: Double, centerY: Double, radius: Double) {
        arc(centerX: centerX, centerY: centerY, radius: radius, from: 0, to: 2 * .pi)
        closePath()
    }

    /// Adds a rectangle with corners of `radius`, at most half the shorter side.
    package func rectangle(_ area: Rectangle, radius: Double = 0) {
        let radius = min(radius, area.width / 2, area.height / 2)
        guard radius > 0 else {
            cairo_rectangle(context, area.x, area.y, area.width, area.height)
            return
        }
        cairo_new_sub_path(context)
        let corners = [
            (area.maxX - radius, area.y + radius), (area.maxX - radius, area.maxY - radius),
            (area.x + radius, area.maxY - radius), (area.x + radius, area.y + radius),
        ]
        for (quarter, (x, y)) in corners.enumerated() {
            let start = (Double(quarter) - 1) * .pi / 2
            cairo_arc(context, x, y, radius, start, start + .pi / 2)
        }
        cairo_close_path(context)
    }

    // MARK: Paint

    package func fill(_ color: RGBColor, keepingPath: Bool = false) {
        setSource(color)
        cairo_fill_preserve(context)
        if !keepingPath { cairo_new_path(context) }
    }

    /// Strokes the path with a line of `width`, centred on it, with round joins and caps.
    package func stroke(_ color: RGBColor, width: Double, keepingPath: Bool = false) {
        setSource(color)
        cairo_set_line_width(context, width)
        cairo_stroke_preserve(context)
        if !keepingPath { cairo_new_path(context) }
    }

    /// Strokes the path, and consumes it, with a line that has straight ends. `dash`: the lengths of lines and gaps in
    /// pixels; empty for a whole line.
    package func strokeFlat(_ color: RGBColor, width: Double, dash: [Double] = []) {
        cairo_save(context)
        cairo_set_dash(context, dash, Int32(dash.count), 0)
        cairo_set_line_cap(context, CAIRO_LINE_CAP_BUTT)
        stroke(color, width: width)
        cairo_restore(context)
    }

    func setSource(_ color: RGBColor) {
        cairo_set_source_rgba(context, color.red, color.green, color.blue, color.alpha)
    }

    /// Adds glyph outlines to the path, with the layout's top left corner at (`x`, `y`).
    ///
    /// Colour glyphs have no outline, and missing glyphs leave a gap. Lines outside the surface are skipped, allowing
    /// for a stroke of `margin` pixels.
    package func addOutlines(of layout: TextLayout, x: Double, y: Double, margin: Double = 0) {
        for run in visibleRuns(of: layout, x: x, y: y, margin: margin) {
            let glyphs = run.placed(x: x, y: y) { !$0.isColor }
            guard !glyphs.isEmpty, let font = run.font.flatMap({ GlyphFont($0, of: layout) }) else { continue }
            font.set(on: context)
            cairo_glyph_path(context, glyphs, Int32(glyphs.count))
        }
    }

    /// Draws text in one colour, with the layout's top left corner at (`x`, `y`): as outlines, or as letters where the
    /// file has such.
    package func drawText(_ layout: TextLayout, x: Double, y: Double, color: RGBColor) {
        addOutlines(of: layout, x: x, y: y)
        fill(color)
    }

    /// Draws a PNG as a parallelogram: `right` and `down` lead from its upper left `corner` along its upper and its left
    /// edge.
    ///
    /// Throws a `decoding` error if it is none.
    package func draw(
        png: [UInt8], corner: (x: Double, y: Double), right: (x: Double, y: Double), down: (x: Double, y: Double)
    ) throws(MediaError) {
        let picture = try PixelSurface(png: png)
        let (width, height) = (Double(picture.size.width), Double(picture.size.height))
        // Nothing is seen of less than half a pixel, and no filter is that wide.
        guard max(hypot(right.x, right.y), hypot(down.x, down.y)) >= 0.5 else { return }
        withState {
            var matrix = cairo_matrix_t(
                xx: right.x / width, yx: right.y / width, xy: down.x / height, yy: down.y / height, x0: corner.x,
                y0: corner.y)
            cairo_transform(context, &matrix)
            cairo_set_source_surface(context, picture.handle, 0, 0)
            cairo_pattern_set_filter(cairo_get_source(context), CAIRO_FILTER_BEST)
            cairo_rectangle(context, 0, 0, width, height)
            cairo_fill_preserve(context)
            cairo_new_path(context)
        }
    }

    fileprivate func visibleRuns(of layout: TextLayout, x: Double, y: Double, margin: Double) -> [TextLayout.Run] {
        let visible = visible.moved(x: -x, y: -y).grown(by: margin)
        return layout.runs.filter { !$0.lineInk.intersection(visible).isEmpty }
    }
}

/// A pixel canvas, with operations that vector files lack.
package final class Canvas: PathCanvas {
    package override init(on surface: DrawingSurface) { super.init(on: surface) }

    /// Makes the inside of the path transparent.
    package func erase(keepingPath: Bool = false) {
        cairo_save(context)
        cairo_set_operator(context, CAIRO_OPERATOR_CLEAR)
        cairo_fill_preserve(context)
        cairo_restore(context)
        if !keepingPath { cairo_new_path(context) }
    }

    /// Draws `body` on a separate layer and composites it.
    package func withGroup<Failure: Error>(_ body: () throws(Failure) -> Void) throws(Failure) {
        cairo_push_group(context)
        defer {
            cairo_pop_group_to_source(context)
            cairo_paint(context)
        }
        try body()
    }

    /// Paints `color` through `mask`, whose top left corner is at (`x`, `y`).
    package func paint(_ color: RGBColor, through mask: PixelSurface, x: Double, y: Double) {
        setSource(color)
        cairo_mask_surface(context, mask.handle, x, y)
    }

    /// Draws `image`, with its top left corner at (`x`, `y`).
    package func draw(_ image: PixelSurface, x: Double, y: Double) {
        cairo_set_source_surface(context, image.handle, x, y)
        cairo_paint(context)
    }

    /// Draws colour glyphs (emoji), with the layout's top left corner at (`x`, `y`).
    ///
    /// Throws a `limit` error if memory is exhausted.
    package func drawColorGlyphs(
        of layout: TextLayout, x: Double, y: Double, opacity: Double = 1
    ) throws(MediaError) {
        for run in visibleRuns(of: layout, x: x, y: y, margin: 0) {
            let glyphs = run.placed(x: x, y: y) { $0.isColor }
            guard !glyphs.isEmpty, let font = run.font.flatMap({ GlyphFont($0, of: layout) }) else { continue }
            if opacity == 1, font.size <= 4 * GlyphFont.glyphImageSize {
                font.set(on: context)
                cairo_show_glyphs(context, glyphs, Int32(glyphs.count))
            } else {
                for glyph in glyphs { try draw(glyph, of: font, opacity: opacity) }
            }
        }
    }

    /// Draws a colour glyph to a separate surface, which is then scaled: cairo would allocate the whole enlarged glyph,
    /// even if only a small part is visible.
    private func draw(_ glyph: cairo_glyph_t, of font: GlyphFont, opacity: Double) throws(MediaError) {
        let extents = font.imageExtents(of: glyph.index)
        let (left, top) = (extents.x.rounded(.down), extents.y.rounded(.down))
        let size = PixelSize(
            width: Int((extents.maxX - left).rounded(.up)), height: Int((extents.maxY - top).rounded(.up)))
        guard size.width > 0, size.height > 0 else { return }
        let image = try PixelSurface(size: size)
        let canvas = Canvas(on: image)
        font.set(on: canvas.context, size: GlyphFont.glyphImageSize)
        var atOrigin = cairo_glyph_t(index: glyph.index, x: -left, y: -top)
        cairo_show_glyphs(canvas.context, &atOrigin, 1)
        try canvas.finish()
        withState {
            translate(x: glyph.x, y: glyph.y)
            scale(x: font.size / GlyphFont.glyphImageSize, y: font.size / GlyphFont.glyphImageSize)
            cairo_set_source_surface(context, image.handle, left, top)
            cairo_pattern_set_filter(cairo_get_source(context), CAIRO_FILTER_GOOD)
            cairo_paint_with_alpha(context, opacity)
        }
    }
}

extension TextLayout.Run {
    fileprivate func placed(x: Double, y: Double, where isWanted: (TextGlyph) -> Bool) -> [cairo_glyph_t] {
        glyphs.filter { $0.isDrawn && isWanted($0) }.map { glyph in
            cairo_glyph_t(index: UInt(glyph.index), x: x + glyph.x, y: y + glyph.y)
        }
    }
}

/// A layout's font as a cairo font.
private struct GlyphFont {
    /// Font size in pixels at which colour glyphs are drawn before scaling; close to the size of bitmap fonts.
    static let glyphImageSize = 128.0

    /// Font size (em) in pixels.
    let size: Double
    private let scaled: OpaquePointer
    /// Owns the font.
    private let layout: TextLayout

    init?(_ font: UnsafeMutablePointer<PangoFont>, of layout: TextLayout) {
        guard let scaled = pango_cairo_font_get_scaled_font(OpaquePointer(font)) else { return nil }
        var matrix = cairo_matrix_t()
        cairo_scaled_font_get_font_matrix(scaled, &matrix)
        (self.scaled, self.layout) = (scaled, layout)
        size = matrix.yy
    }

    /// Sets face, matrix and options; a scaled font is bound to another transformation.
    func set(on context: OpaquePointer, size: Double? = nil) {
        var matrix = matrix(size: size ?? self.size)
        cairo_set_font_face(context, cairo_scaled_font_get_font_face(scaled))
        cairo_set_font_matrix(context, &matrix)
        let options = options()
        cairo_set_font_options(context, options)
        cairo_font_options_destroy(options)
    }

    /// Returns the ink bounds of a glyph around its origin, at `glyphImageSize`.
    func imageExtents(of index: UInt) -> Rectangle {
        var (matrix, upright) = (matrix(size: Self.glyphImageSize), cairo_matrix_t())
        cairo_matrix_init_identity(&upright)
        let options = options()
        defer { cairo_font_options_destroy(options) }
        let font = cairo_scaled_font_create(cairo_scaled_font_get_font_face(scaled), &matrix, &upright, options)
        defer { cairo_scaled_font_destroy(font) }
        var glyph = cairo_glyph_t(index: index, x: 0, y: 0)
        var extents = cairo_text_extents_t()
        cairo_scaled_font_glyph_extents(font, &glyph, 1, &extents)
        return Rectangle(x: extents.x_bearing, y: extents.y_bearing, width: extents.width, height: extents.height)
    }

    private func matrix(size: Double) -> cairo_matrix_t {
        var matrix = cairo_matrix_t()
        cairo_scaled_font_get_font_matrix(scaled, &matrix)
        cairo_matrix_scale(&matrix, size / self.size, size / self.size)
        return matrix
    }

    private func options() -> OpaquePointer? {
        let options = cairo_font_options_create()
        cairo_scaled_font_get_font_options(scaled, options)
        return options
    }
}
