package import WayreelCore
package import WayreelDrawing

/// The font that a chart's labels are set in.
package struct ChartText {
    package let font: String
    /// The em, in pixels.
    package let size: Double
    /// What is to be said of the font that labels come out in, where it is not the one asked for.
    package let warning: String?
    /// Where the digits stand below the top of a line, and how high they are.
    private let digitTop: Double
    private let digitHeight: Double

    /// A word or number, ready to be placed.
    package struct Label {
        fileprivate let layout: TextLayout?
        package let width: Double

        var text: String { layout?.text ?? "" }
    }

    /// Throws a `parameter` error where `font` is no description of a font, or `size` none that text can have.
    package init(font: String, size: Double) throws(MediaError) {
        self.font = font
        self.size = size
        let zero = try TextLayout("0", font: font, size: size)
        warning = zero.substitutionWarning
        (digitTop, digitHeight) = (zero.inkBounds.y, zero.inkBounds.height)
    }

    /// Throws an `unsupported` error where no installed font has the characters, or has them as pictures.
    package func label(_ text: String) throws(MediaError) -> Label {
        guard !text.isEmpty else { return Label(layout: nil, width: 0) }
        let layout = try TextLayout(text, font: font, size: size)
        guard layout.missingCharacters.isEmpty, !layout.glyphs.contains(where: \.isColor) else {
            throw MediaError(
                .unsupported, step: "draw", reason: "no installed font has outlines for the label '\(text)'",
                advice: "install one, as of the package fonts-dejavu-core, or draw without labels")
        }
        return Label(layout: layout, width: layout.logicalBounds.width)
    }

    /// Draws a label with its left edge (`anchor` 0), its middle (0.5) or its right edge (1) at `x`, and its digits centred on
    /// `y`; with a rim of `halo` around its letters where lines lie behind them.
    package func draw(
        _ label: Label, on canvas: PathCanvas, x: Double, anchor: Double = 0, y: Double, color: RGBColor,
        halo: RGBColor? = nil
    ) {
        guard let layout = label.layout else { return }
        let left = x - label.width * anchor
        canvas.addOutlines(of: layout, x: left, y: y - digitTop - digitHeight / 2)
        if let halo { canvas.stroke(halo, width: size / 4, keepingPath: true) }
        canvas.fill(color)
    }
}
