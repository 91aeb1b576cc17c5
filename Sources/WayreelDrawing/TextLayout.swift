internal import CPango
package import WayreelCore

/// Text broken into lines and shaped by Pango: any script, either direction, with fallback fonts.
///
/// Coordinates are pixels from the top left of the layout, y downwards. Nothing is hinted or rounded to the pixel grid, so
/// that a text looks alike at every size. Fonts come from the font map that Pango keeps for each thread; a layout belongs
/// to the thread that made it.
package final class TextLayout {
    package enum Alignment: Sendable {
        /// Start and end follow the direction of each paragraph, left and right do not.
        case start, center, end, justify, left, right
    }

    /// Glyphs in one font on one line.
    struct Run {
        /// nil where no font is installed at all.
        let font: UnsafeMutablePointer<PangoFont>?
        let glyphs: [TextGlyph]
        /// Where the whole line has ink.
        let lineInk: Rectangle
    }

    /// Lays out `text` in `font`, a Pango description such as `DejaVu Serif Bold Italic`, with an em of `size` pixels.
    ///
    /// Lines are broken at `width` pixels, between words and, where a word is longer than a line, inside it; with nil, only
    /// where the text breaks them. Throws a `parameter` error where the text is empty, holds a NUL, or is longer than
    /// ``TextLimits`` allow at that size and width.
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
        // A word broken by force gets no hyphen: Pango does not know where the word's language would put one.
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
        // Pango's left is the start of a line, whichever side that is.
        let isRightToLeft = pango_layout_get_direction(layout, 0) == PANGO_DIRECTION_RTL
        pango_layout_set_alignment(layout, alignment.inPango(isRightToLeft: isRightToLeft))
    }

    /// A context on this thread's font map that smooths in grey and neither hints nor rounds.
    private static func context() -> OpaquePointer {
        let context = pango_font_map_create_context(pango_cairo_font_map_get_default())!
        let options = cairo_font_options_create()
        defer { cairo_font_options_destroy(options) }
        cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY)
        cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE)
        cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF)
        pango_cairo_context_set_font_options(context, options)
        pango_context_set_round_glyph_positions(context, 0)
        // Not the machine's locale, which would choose between Chinese and Japanese forms behind the author's back.
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

    /// Pango's units in a pixel.
    static let scale = Double(PANGO_SCALE)

    package var lineCount: Int { Int(pango_layout_get_line_count(layout)) }

    /// From the top to the baseline of the first line.
    package var firstBaseline: Double { Double(pango_layout_get_baseline(layout)) / Self.scale }

    /// Where there is ink.
    package var inkBounds: Rectangle {
        var ink = PangoRectangle()
        pango_layout_get_extents(layout, &ink, nil)
        return Rectangle(ink)
    }

    /// The block that the lines take up, from the ascent of the first to the descent of the last, as wide as the widest.
    package var logicalBounds: Rectangle {
        var logical = PangoRectangle()
        pango_layout_get_extents(layout, nil, &logical)
        return Rectangle(logical)
    }

    /// The glyphs in the order in which they stand, line after line and from left to right.
    package var glyphs: [TextGlyph] { runs.flatMap(\.glyphs) }

    /// The runs of all lines.
    lazy var runs: [Run] = {
        var runs: [Run] = []
        let place = pango_layout_get_iter(layout)
        defer { pango_layout_iter_free(place) }
        repeat {
            guard let run = pango_layout_iter_get_run_readonly(place)?.pointee else { continue }
            var ink = PangoRectangle()
            var extents = PangoRectangle()
            pango_layout_iter_get_line_extents(place, &ink, nil)
            pango_layout_iter_get_run_extents(place, nil, &extents)
            let glyphs = TextGlyph.placed(
                run.glyphs.pointee, textOffset: Int(run.item.pointee.offset),
                x: extents.x, baseline: pango_layout_iter_get_run_baseline(place))
            runs.append(Run(font: run.item.pointee.analysis.font, glyphs: glyphs, lineInk: Rectangle(ink)))
        } while pango_layout_iter_next_run(place) != 0
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
    /// Its number in its font, or what Pango puts in its place.
    package let index: UInt32
    /// The offset in the text's UTF-8 of what it stands for.
    package let textOffset: Int
    /// Its origin, on the baseline.
    package let x: Double
    package let y: Double
    /// Whether the font holds a picture of it in its own colours.
    package let isColor: Bool

    /// What no font has, where the glyph only marks its place.
    package var missing: Unicode.Scalar? {
        guard index & UInt32(PANGO_GLYPH_UNKNOWN_FLAG) != 0 else { return nil }
        return Unicode.Scalar(index & ~UInt32(PANGO_GLYPH_UNKNOWN_FLAG))
    }

    /// Whether there is something to draw.
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
