internal import CPango
package import WayreelCore

/// What text may be asked for; all of it is checked before Pango sees it.
package enum TextLimits {
    /// The most characters (Unicode scalars) in one text.
    package static let characters = 10_000
    /// The largest em, in pixels.
    package static let size = 4096.0
    /// The most lines that a text may be broken into, at half an em for each character.
    static let lines = 1000
    /// The furthest that a layout may reach, in pixels: half of what Pango's 32-bit coordinates hold.
    static let extent = 1_000_000.0

    /// Throws a `parameter` error where `text` is empty, too long or holds a NUL, or `font` is not a font description.
    package static func check(text: String, font: String) throws(MediaError) {
        func fault(_ reason: String, _ advice: String) -> MediaError {
            MediaError(.parameter, step: "text", reason: reason, advice: advice)
        }
        let count = text.unicodeScalars.count
        guard count > 0 else { throw fault("the text is empty", "give it some, or leave it out") }
        guard count <= characters else {
            throw fault("the text has \(count) characters; the limit is \(characters)", "shorten it")
        }
        guard !text.utf8.contains(0) else { throw fault("the text holds a NUL byte", "remove it") }
        guard !font.utf8.contains(0), font.utf8.count <= 256 else {
            throw fault("the font is not a font description", "name one as in 'DejaVu Serif Bold'")
        }
        try PangoLibrary.load()
        let description = pango_font_description_from_string(font)
        defer { pango_font_description_free(description) }
        guard pango_font_description_get_set_fields(description).rawValue & PANGO_FONT_MASK_SIZE.rawValue == 0 else {
            throw fault("the font '\(font)' holds a size", "give the size by itself")
        }
    }

    /// Throws a `parameter` error where an em of `size` pixels is no size, or too large for a text of so many characters, or
    /// lines of `width` pixels are too short for it.
    package static func check(size: Double, characters: Int, width: Double?) throws(MediaError) {
        func fault(_ reason: String, _ advice: String) -> MediaError {
            MediaError(.parameter, step: "text", reason: reason, advice: advice)
        }
        guard size > 0, size <= Self.size else {
            throw fault("a text's size is above 0 and at most 4096 pixels, not \(size)", "ask for another size")
        }
        // A line, and a column of one-character lines, is at most about two ems for each character.
        guard size * 2 * Double(characters) <= extent else {
            throw fault(
                "\(characters) characters of \(size) pixels are more than can be laid out",
                "shorten the text or make it smaller")
        }
        // Pango's time to break a text without spaces grows with its length times its lines: here, about a second.
        guard let width else { return }
        guard !width.isNaN else { throw fault("the lines' width is not a number", "give one in pixels") }
        guard Double(characters) * size / 2 / max(width, 1) <= Double(lines) else {
            throw fault(
                "\(characters) characters of \(size) pixels in lines of \(max(width, 1)) would be over \(lines) lines",
                "widen the lines, shorten the text or make it smaller")
        }
    }
}
