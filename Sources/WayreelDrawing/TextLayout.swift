internal import CPango
package import WayreelCore

/// Text laid out by Pango: any script and direction, line breaking, fallback fonts.
///
/// Coordinates are pixels from the top left of the layout, y downwards. Nothing is hinted or rounded to the pixel grid,
/// so that text looks alike at every size. Fonts come from Pango's per-thread font map; a layout belongs to the thread
/// that created it.
package final class TextLayout {
    package enum Alignment: Sendable {
        /// Start and end follow the text direction of each paragraph; left and right do not.
        case start, center, end, justify, left, right
    }

    /// Glyphs of one font on one line.
    struct Run {
        /// nil if no font is installed.
        let font: UnsafeMutablePointer<PangoFont>?
        let glyphs: [TextGlyph]
        /// Ink bounds of the whole line.
        let lineInk: Rectangle
    }

    /// Lays out `text` in `font`, a Pango description such as `DejaVu Serif Bold Italic`, with an em of `size` pixels.
    ///
    /// Lines are broken at `width` pixels, between words or, for longer words, inside them; with nil, only at line
    /// breaks in the text. Throws a `parameter` error if the text is empty, contains a NUL, or exceeds ``TextLimits``.
    package init(
        _ text: String, font: String, size: Double, width: Double? = nil, alignment: Alignment = .start
    ) throws(MediaError) {
        try TextLimits.check(text: text, font: font)
        try TextLimits.check(size: size, characters: text.unicodeScalars.count, width: width)
        self.text = text
        context = Self.context()
        layout = pango_layout_new(context)
        description = pango_font_description_from_string(font)
        pango_font_description_set_absolute_size(description, max(1, (size * Self.scale).rounded()))
        pango_layout_set_font_description(layout, description)
        pango_layout_set_wrap(layout, PANGO_WRAP_WORD_CHAR)
        pango_layout_set_width(layout, width.map { Int32(min(max($0, 1), TextLimits.extent) * Self.scale) } ?? -1)
        pango_layout_set_justify(layout, alignment == .justify ? 1 : 0)
        // Disables hyphens at forced breaks, since Pango does not hyphenate by language.
        let attributes = pango_attr_list_new()
        pango_attr_list_insert(attributes, pango_attr_insert_hyphens_new(0))
        pango_layout_set_attributes(layout, attributes)
        pango_attr_list_unref(attributes)
        var text = text
        text.withUTF8 { utf8 in
            utf8.withMemoryRebound(to: CChar.self) {
                pango_layout_set_text(layout, $0.baseAddress, Int32($0.count))
            }
        }
        // Pango's left alignment means the start of a line in either direction.
        let isRightToLeft = pango_layout_get_direction(layout, 0) == PANGO_DIRECTION_RTL
        pango_layout_set_alignment(layout, alignment.inPango(isRightToLeft: isRightToLeft))
    }

    /// Creates a context on this thread's font map, with grey antialiasing, without hinting and rounding.
    private static func context() -> OpaquePointer {
        let context = pango_font_map_create_context(pango_cairo_font_map_get_default())!
        let options = cairo_font_options_create()
        defer { cairo_font_options_destroy(options) }
        cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY)
        cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE)
        cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF)
        pango_cairo_context_set_font_options(context, options)
        pango_context_set_round_glyph_positions(context, 0)
        // Sets a fixed language; otherwise the locale would choose between Chinese and Japanese glyph variants.
        pango_context_set_language(context, pango_language_from_string("en"))
        return context
    }

    deinit {
        pango_font_description_free(description)
        g_object_unref(UnsafeMutableRawPointer(layout))
        g_object_unref(UnsafeMutableRawPointer(context))
    }

    package let text: String
    let context: OpaquePointer
    let layout: OpaquePointer
    let description: OpaquePointer

    /// Pango units per pixel.
    static let scale = Double(PANGO_SCALE)

    package var lineCount: Int { Int(pango_layout_get_line_count(layout)) }

    /// Distance from the top to the first baseline.
    package var firstBaseline: Double { Double(pango_layout_get_baseline(layout)) / Self.scale }

    /// Bounds of the ink.
    package var inkBounds: Rectangle {
        var ink = PangoRectangle()
        pango_layout_get_extents(layout, &ink, nil)
        return Rectangle(ink)
    }

    /// Bounds of the lines: first ascent to last descent, width of the widest line.
    package var logicalBounds: Rectangle {
        var logical = PangoRectangle()
        pango_layout_get_extents(layout, nil, &logical)
        return Rectangle(logical)
    }

    /// Glyphs line by line, from left to right.
    package var glyphs: [TextGlyph] { runs.flatMap(\.glyphs) }

    /// The runs of all lines.
    lazy var runs: [Run] = {
        var runs: [Run] = []
        let iterator = pango_layout_get_iter(layout)
        defer { pango_layout_iter_free(iterator) }
        repeat {
            guard let run = pango_layout_iter_get_run_readonly(iterator)?.pointee else { continue }
            var ink = PangoRectangle()
            var extents = PangoRectangle()
            pango_layout_iter_get_line_extents(iterator, &ink, nil)
            pango_layout_iter_get_run_extents(iterator, nil, &extents)
            let glyphs = TextGlyph.placed(
                run.glyphs.pointee, textOffset: Int(run.item.pointee.offset),
                x: extents.x, baseline: pango_layout_iter_get_run_baseline(iterator))
            runs.append(Run(font: run.item.pointee.analysis.font, glyphs: glyphs, lineInk: Rectangle(ink)))
        } while pango_layout_iter_next_run(iterator) != 0
        return runs
    }()
}

extension TextLayout.Alignment {
    fileprivate func inPango(isRightToLeft: Bool) -> PangoAlignment {
        switch self {
        case .start, .justify: PANGO_ALIGN_LEFT
        case .center: PANGO_ALIGN_CENTER
        case .end: PANGO_ALIGN_RIGHT
        case .left: isRightToLeft ? PANGO_ALIGN_RIGHT : PANGO_ALIGN_LEFT
        case .right: isRightToLeft ? PANGO_ALIGN_LEFT : PANGO_ALIGN_RIGHT
        }
    }
}

/// One glyph of a layout.
package struct TextGlyph: Sendable {
    /// Glyph index in its font, or Pango's placeholder.
    package let index: UInt32
    /// UTF-8 offset of its text.
    package let textOffset: Int
    /// Origin on the baseline.
    package let x: Double
    package let y: Double
    /// Whether it is a colour glyph.
    package let isColor: Bool

    /// The character, if no font has a glyph for it.
    package var missing: Unicode.Scalar? {
        guard index & UInt32(PANGO_GLYPH_UNKNOWN_FLAG) != 0 else { return nil }
        return Unicode.Scalar(index & ~UInt32(PANGO_GLYPH_UNKNOWN_FLAG))
    }

    /// Whether it is visible.
    var isDrawn: Bool { index & UInt32(PANGO_GLYPH_UNKNOWN_FLAG) == 0 && index != UInt32(PANGO_GLYPH_EMPTY) }

    fileprivate static func placed(
        _ string: PangoGlyphString, textOffset: Int, x: Int32, baseline: Int32
    ) -> [TextGlyph] {
        var pen = Int(x)
        return (0..<Int(string.num_glyphs)).map { i in
            let glyph = string.glyphs[i]
            defer { pen += Int(glyph.geometry.width) }
            return TextGlyph(
                index: glyph.glyph, textOffset: textOffset + Int(string.log_clusters[i]),
                x: Double(pen + Int(glyph.geometry.x_offset)) / TextLayout.scale,
                y: Double(Int(baseline) + Int(glyph.geometry.y_offset)) / TextLayout.scale,
                isColor: glyph.attr.is_color != 0)
        }
    }
}

extension Rectangle {
    fileprivate init(_ rectangle: PangoRectangle) {
        self.init(
            x: Double(rectangle.x) / TextLayout.scale, y: Double(rectangle.y) / TextLayout.scale,
            width: Double(rectangle.width) / TextLayout.scale, height: Double(rectangle.height) / TextLayout.scale)
    }
}
