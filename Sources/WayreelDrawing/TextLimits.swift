internal import CPango
package import WayreelCore

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
        func fault(_ reason: String, _ advice: MediaError.Advice) -> MediaError {
            MediaError(.parameter, step: "text", reason: reason, advice: advice)
        }
        let count = text.unicodeScalars.count
        guard count > 0 else { throw fault("the text is empty", "add text, or remove the overlay") }
        guard count <= characters else {
            throw fault("the text has \(count) characters; the limit is \(characters)", "shorten it")
        }
        guard !text.utf8.contains(0) else { throw fault("the text contains a NUL byte", "remove it") }
        guard !font.utf8.contains(0), font.utf8.count <= 256 else {
            throw fault("the font is not a font description", "use a name such as 'DejaVu Serif Bold'")
        }
        try PangoLibrary.load()
        let description = pango_font_description_from_string(font)
        defer { pango_font_description_free(description) }
        guard pango_font_description_get_set_fields(description).rawValue & PANGO_FONT_MASK_SIZE.rawValue == 0 else {
            throw fault("the font '\(font)' contains a size", "set the size separately")
        }
    }

    /// Throws a `parameter` error for an invalid `size`, or if the text is too long for this size or for lines of
    /// `width` pixels.
    package static func check(size: Double, characters: Int, width: Double?) throws(MediaError) {
        func fault(_ reason: String, _ advice: MediaError.Advice) -> MediaError {
            MediaError(.parameter, step: "text", reason: reason, advice: advice)
        }
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
