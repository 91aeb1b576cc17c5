internal import Glibc
package import WayreelCore
internal import WayreelDrawing

/// The picture that a chart becomes.
package struct ChartPicture: Hashable, Sendable {
    /// Whose colours a chart has.
    package enum Theme: String, Hashable, Sendable, CaseIterable {
        case light, dark
        /// Light or dark, as the reader's screen is at the moment; on paper light. Only in SVG: a PNG is light.
        case followingReader
    }

    package enum FileType: String, Hashable, Sendable, CaseIterable {
        case png, svg
        /// An `<svg>` element for an HTML page. To follow the reader's theme the page needs ``ChartTheme/darkStyleSheet``.
        case inlineSVG
    }

    package var size: PixelSize
    package var theme: Theme
    /// The theme's where nil; may be transparent. A colour of its own does not follow the reader.
    package var background: RGBColor?
    /// A Pango font family list with style words, without a size.
    package var font = "DejaVu Sans"
    /// The em of all labels, in pixels, 4 to 200; one that suits the size where nil.
    package var textSize: Double?

    package init(size: PixelSize, theme: Theme = .light, background: RGBColor? = nil) {
        (self.size, self.theme, self.background) = (size, theme, background)
    }

    /// The most pixels of a picture, which bounds its memory: 32 million.
    static let pixelLimit = 32_000_000

    /// Throws a `parameter` or `limit` error where no chart can be drawn as that.
    func check() throws(MediaError) {
        try PixelSurface.check(size)
        guard size.pixels <= Self.pixelLimit else {
            throw MediaError(
                .limit, step: "chart", reason: "a chart of \(size) is too large: at most 32 million pixels",
                advice: "ask for a smaller one")
        }
        guard (4...200).contains(em) else {
            throw MediaError(
                .parameter, step: "chart", reason: "the text size is 4 to 200 pixels, not \(em.shortDescription)")
        }
    }

    /// 12 pixels on 600 × 300, more on larger pictures, at least 10.
    var em: Double {
        textSize ?? min(max(12 * pow(Double(size.width) * Double(size.height) / 180_000, 0.2), 10), 64).rounded()
    }

    var colors: ChartTheme {
        var colors: ChartTheme = theme == .dark ? .dark : .light
        if let background { colors.background = background }
        return colors
    }
}
