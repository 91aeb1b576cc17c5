internal import CPango
package import WayreelCore

extension PathCanvas {
    /// Adds glyph outlines to the path, with the layout's top left corner at (`x`, `y`).
    ///
    /// Colour glyphs have no outline, and missing glyphs leave a gap. Lines outside the surface are skipped, allowing
    /// for a stroke of `margin` pixels.
    package func addOutlines(of layout: TextLayout, x: Double, y: Double, margin: Double = 0) {
        for run in visibleRuns(of: layout, x: x, y: y, margin: margin) {
            let glyphs = run.placed(x: x, y: y) { !$0.isColor }
            guard !glyphs.isEmpty, let font = run.font.flatMap(GlyphFont.init) else { continue }
            font.set(on: context)
            cairo_glyph_path(context, glyphs, Int32(glyphs.count))
        }
    }

    fileprivate func visibleRuns(of layout: TextLayout, x: Double, y: Double, margin: Double) -> [TextLayout.Run] {
        let visible = visible.moved(x: -x, y: -y).grown(by: margin)
        return layout.runs.filter { !$0.lineInk.intersection(visible).isEmpty }
    }
}

extension Canvas {
    /// Draws colour glyphs (emoji), with the layout's top left corner at (`x`, `y`).
    ///
    /// Throws a `limit` error if memory is exhausted.
    package func drawColorGlyphs(
        of layout: TextLayout, x: Double, y: Double, opacity: Double = 1
    ) throws(MediaError) {
        for run in visibleRuns(of: layout, x: x, y: y, margin: 0) {
            let glyphs = run.placed(x: x, y: y) { $0.isColor }
            guard !glyphs.isEmpty, let font = run.font.flatMap(GlyphFont.init) else { continue }
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

/// A layout's font as a cairo font. Must not outlive the layout.
private struct GlyphFont {
    /// Font size in pixels at which colour glyphs are drawn before scaling; close to the size of bitmap fonts.
    static let glyphImageSize = 128.0

    /// Font size (em) in pixels.
    let size: Double
    private let scaled: OpaquePointer

    init?(_ font: UnsafeMutablePointer<PangoFont>) {
        guard let scaled = pango_cairo_font_get_scaled_font(OpaquePointer(font)) else { return nil }
        var matrix = cairo_matrix_t()
        cairo_scaled_font_get_font_matrix(scaled, &matrix)
        self.scaled = scaled
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
