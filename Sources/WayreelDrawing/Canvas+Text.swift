internal import CPango

extension Canvas {
    /// Adds the outlines of the letters to the path, with the layout's top left corner at (`x`, `y`).
    ///
    /// Glyphs in colour have no outline, and what no font has leaves a gap. Lines that lie outside the surface are left out,
    /// with `margin` pixels to spare for a stroke.
    package func addOutlines(of layout: TextLayout, x: Double, y: Double, margin: Double = 0) {
        forEachRun(of: layout, x: x, y: y, margin: margin) { run in
            let glyphs = run.placed(x: x, y: y) { !$0.isColor }
            cairo_glyph_path(context, glyphs, Int32(glyphs.count))
        }
    }

    /// Draws the glyphs that bring their own colours (emoji), with the layout's top left corner at (`x`, `y`).
    package func drawColorGlyphs(of layout: TextLayout, x: Double, y: Double, opacity: Double = 1) {
        forEachRun(of: layout, x: x, y: y, margin: 0) { run in
            let glyphs = run.placed(x: x, y: y) { $0.isColor }
            guard !glyphs.isEmpty else { return }
            if opacity < 1 { cairo_push_group(context) }
            cairo_show_glyphs(context, glyphs, Int32(glyphs.count))
            if opacity < 1 {
                cairo_pop_group_to_source(context)
                cairo_paint_with_alpha(context, opacity)
            }
        }
    }

    private func forEachRun(
        of layout: TextLayout, x: Double, y: Double, margin: Double, _ body: (TextLayout.Run) -> Void
    ) {
        let visible = visible.moved(x: -x, y: -y).grown(by: margin)
        for run in layout.runs where !run.lineInk.intersection(visible).isEmpty {
            // The face, matrix and options apart, and not the scaled font, which is tied to another transformation.
            guard let font = pango_cairo_font_get_scaled_font(OpaquePointer(run.font)) else { continue }
            var matrix = cairo_matrix_t()
            cairo_scaled_font_get_font_matrix(font, &matrix)
            cairo_set_font_face(context, cairo_scaled_font_get_font_face(font))
            cairo_set_font_matrix(context, &matrix)
            if let options = cairo_font_options_create() {
                cairo_scaled_font_get_font_options(font, options)
                cairo_set_font_options(context, options)
                cairo_font_options_destroy(options)
            }
            body(run)
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
