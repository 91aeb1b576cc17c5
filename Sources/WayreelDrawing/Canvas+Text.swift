internal import CPango
package import WayreelCore

extension PathCanvas {
    /// Adds the outlines of the letters to the path, with the layout's top left corner at (`x`, `y`).
    ///
    /// Glyphs in colour have no outline, and what no font has leaves a gap. Lines that lie outside the surface are left out,
    /// with `margin` pixels to spare for a stroke.
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
    /// Draws the glyphs that bring their own colours (emoji), with the layout's top left corner at (`x`, `y`).
    ///
    /// Throws a `limit` error where there is no memory for it.
    package func drawColorGlyphs(
        of layout: TextLayout, x: Double, y: Double, opacity: Double = 1
    ) throws(MediaError) {
        for run in visibleRuns(of: layout, x: x, y: y, margin: 0) {
            let glyphs = run.placed(x: x, y: y) { $0.isColor }
            guard !glyphs.isEmpty, let font = run.font.flatMap(GlyphFont.init) else { continue }
            if opacity == 1, font.size <= 4 * GlyphFont.pictureSize {
                font.set(on: context)
                cairo_show_glyphs(context, glyphs, Int32(glyphs.count))
            } else {
                for glyph in glyphs { try draw(glyph, of: font, opacity: opacity) }
            }
        }
    }

    /// Draws a glyph in colour as a picture of its own, which is then enlarged and painted: cairo would take memory for the
    /// whole of an enlarged glyph, however little of it is seen.
    private func draw(_ glyph: cairo_glyph_t, of font: GlyphFont, opacity: Double) throws(MediaError) {
        let extents = font.pictureExtents(of: glyph.index)
        let (left, top) = (extents.x.rounded(.down), extents.y.rounded(.down))
        let size = PixelSize(
            width: Int((extents.maxX - left).rounded(.up)), height: Int((extents.maxY - top).rounded(.up)))
        guard size.width > 0, size.height > 0 else { return }
        let picture = try PixelSurface(size: size)
        let canvas = Canvas(on: picture)
        font.set(on: canvas.context, size: GlyphFont.pictureSize)
        var atOrigin = cairo_glyph_t(index: glyph.index, x: -left, y: -top)
        cairo_show_glyphs(canvas.context, &atOrigin, 1)
        try canvas.finish()
        withState {
            translate(x: glyph.x, y: glyph.y)
            scale(x: font.size / GlyphFont.pictureSize, y: font.size / GlyphFont.pictureSize)
            cairo_set_source_surface(context, picture.handle, left, top)
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

/// A font of a layout as cairo knows it. Lives no longer than the layout.
private struct GlyphFont {
    /// The em, in pixels, at which glyphs in colour are drawn before they are scaled: about that of the bitmaps in the fonts.
    static let pictureSize = 128.0

    /// The em, in pixels.
    let size: Double
    private let scaled: OpaquePointer

    init?(_ font: UnsafeMutablePointer<PangoFont>) {
        guard let scaled = pango_cairo_font_get_scaled_font(OpaquePointer(font)) else { return nil }
        var matrix = cairo_matrix_t()
        cairo_scaled_font_get_font_matrix(scaled, &matrix)
        self.scaled = scaled
        size = matrix.yy
    }

    /// Sets face, matrix and options apart, and not the scaled font, which is tied to another transformation.
    func set(on context: OpaquePointer, size: Double? = nil) {
        var matrix = matrix(size: size ?? self.size)
        cairo_set_font_face(context, cairo_scaled_font_get_font_face(scaled))
        cairo_set_font_matrix(context, &matrix)
        let options = options()
        cairo_set_font_options(context, options)
        cairo_font_options_destroy(options)
    }

    /// Where a glyph has ink around its origin, at `pictureSize`.
    func pictureExtents(of index: UInt) -> Rectangle {
        var (matrix, upright) = (matrix(size: Self.pictureSize), cairo_matrix_t())
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
