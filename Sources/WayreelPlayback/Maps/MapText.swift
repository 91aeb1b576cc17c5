internal import WayreelCore
internal import WayreelDrawing

/// A laid-out text of a map.
struct MapText {
    private let layout: TextLayout
    private let size: Double
    let width: Double
    let height: Double

    /// Whether a font has outlines for the whole text. Characters without are drawn as `\u{FFFD}`.
    static func isDrawn(_ text: String) throws(MediaError) -> Bool {
        let plain = text.onOneLine
        if plain.isEmpty { return true }
        return try TextLayout(plain, font: "DejaVu Sans", size: 16).outlinedText == plain
    }

    /// The maximum length; longer text is cut.
    static let maxCharacters = 90

    /// `width`: the line width in pixels at which text is wrapped.
    init(
        _ text: String, size: Double, isBold: Bool = false, width: Double? = nil,
        alignment: TextLayout.Alignment = .start
    ) throws(MediaError) {
        let plain = text.onOneLine
        let cut = plain.count > Self.maxCharacters ? "\(plain.prefix(Self.maxCharacters - 1))…" : plain
        let font = isBold ? "DejaVu Sans Bold" : "DejaVu Sans"
        let asked = try TextLayout(
            cut.isEmpty ? " " : cut, font: font, size: size, width: width, alignment: alignment)
        let shown = asked.outlinedText
        layout =
            shown == asked.text
            ? asked : try TextLayout(shown, font: font, size: size, width: width, alignment: alignment)
        self.size = size
        let bounds = layout.logicalBounds
        (self.width, height) = (bounds.width.rounded(.up), bounds.height)
        left = bounds.x
    }

    /// Lays out text in lines of about equal length, of at most `limit` pixels.
    init(
        balanced text: String, size: Double, isBold: Bool = false, width limit: Double,
        alignment: TextLayout.Alignment = .start
    ) throws(MediaError) {
        try self.init(text, size: size, isBold: isBold, width: limit, alignment: alignment)
        let lines = layout.lineCount
        for share in [0.5, 0.6, 0.7, 0.8, 0.9] where lines > 1 {
            let tried = try MapText(text, size: size, isBold: isBold, width: limit * share, alignment: alignment)
            if tried.layout.lineCount == lines {
                self = tried
                return
            }
        }
    }

    /// Lays out text on one line of at most `space` pixels, shortened if it is too long.
    init(_ text: String, size: Double, isBold: Bool = false, within space: Double) throws(MediaError) {
        var kept = text.prefix(Self.maxCharacters)
        try self.init(text, size: size, isBold: isBold)
        while width > space, kept.count > 1 {
            kept = kept.dropLast(max(1, kept.count / 12))
            try self.init("\(kept)…", size: size, isBold: isBold)
        }
    }

    /// The start of the widest line: centred lines begin inside the layout's width.
    private let left: Double

    func draw(on canvas: PathCanvas, x: Double, y: Double, color: RGBColor, halo: RGBColor? = nil) {
        canvas.addOutlines(of: layout, x: x - left, y: y)
        if let halo { canvas.stroke(halo, width: size * 0.34, keepingPath: true) }
        canvas.fill(color)
    }
}
