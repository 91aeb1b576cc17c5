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
    /// breaks in the text. With `fonts` it is laid out in the font of their file, and `font` has what that lacks. Throws
    /// a `parameter` error if the text is empty, contains a NUL, or exceeds ``TextLimits``.
    package init(
        _ text: String, font: String, size: Double, width: Double? = nil, alignment: Alignment = .start,
        fonts: FontSet? = nil
    ) throws(MediaError) {
        try TextLimits.check(text: text, font: font)
        try TextLimits.check(size: size, characters: text.unicodeScalars.count, width: width)
        self.text = text
        self.fonts = fonts
        context = Self.context(fonts?.map ?? pango_cairo_font_map_get_default())
        layout = pango_layout_new(context)
        description = pango_font_description_from_string(font)
        if fonts != nil {
            let others = pango_font_description_get_family(description).map { ",\(String(cString: $0))" } ?? ""
            pango_font_description_set_family(description, FontSet.family + others)
        }
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

    /// Creates a context on a font map, with grey antialiasing, without hinting and rounding.
    private static func context(_ map: UnsafeMutablePointer<PangoFontMap>?) -> OpaquePointer {
        let context = pango_font_map_create_context(map)!
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
    /// The owner of the font map.
    private let fonts: FontSet?
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

    // MARK: Font problems of a layout

    /// Characters missing from all installed fonts, each once, in text order.
    package var missingCharacters: [Unicode.Scalar] {
        var seen: Set<Unicode.Scalar> = []
        return runs.lazy.flatMap(\.glyphs).sorted { $0.textOffset < $1.textOffset }
            .compactMap(\.missing).filter { seen.insert($0).inserted }
    }

    /// The text with `\u{FFFD}` in place of characters without outlines in any installed font, also of colour glyphs.
    package var outlinedText: String {
        let images = Set(glyphs.filter(\.isColor).map(\.textOffset))
        let missing = Set(missingCharacters)
        guard !images.isEmpty || !missing.isEmpty else { return text }
        var offset = 0
        return text.reduce(into: "") { result, character in
            let bytes = character.utf8.count
            let isDrawn =
                !(offset..<offset + bytes).contains(where: images.contains)
                && !character.unicodeScalars.contains(where: missing.contains)
            result.append(isDrawn ? character : "\u{FFFD}")
            offset += bytes
        }
    }

    /// The requested font families and the one used instead; nil if one of them is installed.
    ///
    /// Generic families of fontconfig (`Sans`, `Serif`, `Monospace`, …) are never missing.
    package var substitutedFamily: (asked: String, used: String)? {
        guard let list = pango_font_description_get_family(description) else { return nil }
        let asked = String(cString: list)
        let names = asked.split(separator: ",").map { $0.trimmed { $0 == " " }.lowercased() }
        guard !names.contains(where: Self.aliases.contains) else { return nil }
        guard let font = pango_context_load_font(context, description) else { return (asked, "none") }
        defer { g_object_unref(font) }
        let loaded = pango_font_describe(font)
        defer { pango_font_description_free(loaded) }
        let used = pango_font_description_get_family(loaded).map { String(cString: $0) } ?? "none"
        return names.contains(used.lowercased()) ? nil : (asked, used)
    }

    /// A warning about ``substitutedFamily`` with the most similar installed family.
    package var substitutionWarning: String? {
        guard let (asked, used) = substitutedFamily else { return nil }
        let near = nearestName(to: asked, in: installedFamilies).map { "; did you mean '\($0)'?" }
        return "no font '\(asked)' is installed; '\(used)' is used instead\(near ?? "")"
    }

    /// Names of the installed families.
    package var installedFamilies: [String] {
        var list: UnsafeMutablePointer<UnsafeMutablePointer<PangoFontFamily>?>?
        var count: Int32 = 0
        pango_font_map_list_families(pango_context_get_font_map(context), &list, &count)
        defer { g_free(list) }
        return (0..<Int(count)).compactMap { list?[$0] }.map { String(cString: pango_font_family_get_name($0)) }
    }

    private static let aliases: Set<String> = [
        "", "sans", "sans-serif", "serif", "monospace", "mono", "system-ui", "ui-sans-serif", "ui-serif",
        "ui-monospace", "cursive", "fantasy", "emoji", "math",
    ]
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

/// Limits for text, checked before Pango is called.
package enum TextLimits {
    /// Max characters (Unicode scalars) in a text.
    package static let characters = 10_000
    /// Max font size (em) in pixels.
    package static let size = 4096.0
    /// Max number of lines after line breaking, assuming half an em per character.
    static let lines = 1000
    /// Max extent of a layout in pixels: half of what Pango's 32-bit coordinates can represent.
    static let extent = 1_000_000.0

    /// Throws a `parameter` error for an empty or too long `text`, a NUL, or an invalid `font` description.
    package static func check(text: String, font: String) throws(MediaError) {
        let fault = ErrorSite(.parameter, step: .text)
        let count = text.unicodeScalars.count
        guard count > 0 else { throw fault("the text is empty", "add text, or remove the overlay") }
        guard count <= characters else {
            throw fault("the text has \(count) characters; the limit is \(characters)", "shorten it")
        }
        guard !text.utf8.contains(0) else { throw fault("the text contains a NUL byte", "remove it") }
        guard !font.utf8.contains(0), font.utf8.count <= 256 else {
            throw fault("the font is not a font description", "use a name such as 'DejaVu Serif Bold'")
        }
        try SharedLibrary.pango.require(step: .draw)
        let description = pango_font_description_from_string(font)
        defer { pango_font_description_free(description) }
        guard pango_font_description_get_set_fields(description).rawValue & PANGO_FONT_MASK_SIZE.rawValue == 0 else {
            throw fault("the font '\(font)' contains a size", "set the size separately")
        }
    }

    /// Throws a `parameter` error for an invalid `size`, or if the text is too long for this size or for lines of
    /// `width` pixels.
    package static func check(size: Double, characters: Int, width: Double?) throws(MediaError) {
        let fault = ErrorSite(.parameter, step: .text)
        guard size > 0, size <= Self.size else {
            throw fault("the text size must be above 0 and at most 4096 pixels, not \(size)", "use another size")
        }
        // A line, or a column of one-character lines, takes at most about two ems per character.
        guard size * 2 * Double(characters) <= extent else {
            throw fault(
                "\(characters) characters of \(size) pixels exceed the layout limit",
                "shorten the text or reduce its size")
        }
        // Pango's time for text without spaces grows with length times lines; this limit is about a second.
        guard let width else { return }
        guard !width.isNaN else { throw fault("the line width is not a number", "set it in pixels") }
        guard Double(characters) * size / 2 / max(width, 1) <= Double(lines) else {
            throw fault(
                "\(characters) characters of \(size) pixels in lines of \(max(width, 1)) would exceed \(lines) lines",
                "widen the lines, shorten the text or reduce its size")
        }
    }
}
