internal import Glibc
package import WayreelCore
internal import WayreelDrawing

/// Size, theme and format of a chart image.
package struct ChartImage: Hashable, Sendable {
    /// Colour theme of a chart.
    package enum Theme: String, Hashable, Sendable, CaseIterable {
        case light, dark
        /// Light or dark by the viewer's preference, light in print. Only in SVG; PNG is light.
        case followingReader
    }

    package enum FileType: String, Hashable, Sendable, CaseIterable {
        case png, svg
        /// An `<svg>` element for an HTML page. To follow the viewer's theme, the page needs
        /// ``ChartTheme/darkStyleSheet``.
        case inlineSVG
    }

    package var size: PixelSize
    package var theme: Theme
    /// The theme's if nil; may be transparent. A custom background disables following the viewer's theme.
    package var background: RGBColor?
    /// A Pango font family list with style words, without size.
    package var font = "DejaVu Sans"
    /// Font size (em) of all labels in pixels, 4 to 200; nil for one that suits the size.
    package var textSize: Double?

    package init(size: PixelSize, theme: Theme = .light, background: RGBColor? = nil) {
        (self.size, self.theme, self.background) = (size, theme, background)
    }

    /// Max pixels of an image, which bounds its memory: 32 million.
    static let pixelLimit = 32_000_000

    /// Throws a `parameter` or `limit` error for invalid settings.
    func check() throws(MediaError) {
        try PixelSurface.check(size)
        guard size.pixels <= Self.pixelLimit else {
            throw MediaError(
                .limit, step: "chart", reason: "a chart of \(size) is too large: at most 32 million pixels",
                advice: "use a smaller size")
        }
        guard (4...200).contains(em) else {
            throw MediaError(
                .parameter, step: "chart", reason: "the text size must be 4 to 200 pixels, not \(em.shortDescription)")
        }
    }

    /// 12 pixels for 600 × 300, more for larger images, at least 10.
    var em: Double {
        textSize ?? min(max(12 * pow(Double(size.width) * Double(size.height) / 180_000, 0.2), 10), 64).rounded()
    }

    var colors: ChartTheme {
        var colors: ChartTheme = theme == .dark ? .dark : .light
        if let background { colors.background = background }
        return colors
    }
}
