package import WayreelCore
package import WayreelDrawing

/// The font of a chart's labels.
package struct ChartText {
    package let font: String
    /// Font size (em) in pixels.
    package let size: Double
    /// A warning if the requested font is not installed.
    package let warning: String?
    /// Offset of digits below the top of a line, and their height.
    private let digitTop: Double
    private let digitHeight: Double

    /// A laid-out label.
    package struct Label {
        fileprivate let layout: TextLayout?
        package let width: Double

        var text: String { layout?.text ?? "" }
    }

    /// Throws a `parameter` error for an invalid `font` description or `size`.
    package init(font: String, size: Double) throws(MediaError) {
        self.font = font
        self.size = size
        let zero = try TextLayout("0", font: font, size: size)
        warning = zero.substitutionWarning
        (digitTop, digitHeight) = (zero.inkBounds.y, zero.inkBounds.height)
    }

    /// Throws an `unsupported` error if no installed font has outlines for the characters.
    package func label(_ text: String) throws(MediaError) -> Label {
        guard !text.isEmpty else { return Label(layout: nil, width: 0) }
        let layout = try TextLayout(text, font: font, size: size)
        guard layout.missingCharacters.isEmpty, !layout.glyphs.contains(where: \.isColor) else {
            throw MediaError(
                .unsupported, step: "draw", reason: "no installed font has outlines for the label '\(text)'",
                advice: "install a font such as the package fonts-dejavu-core, or draw without labels")
        }
        return Label(layout: layout, width: layout.logicalBounds.width)
    }

    /// Draws a label with its left edge (`anchor` 0), centre (0.5) or right edge (1) at `x`, its digits centred on `y`,
    /// and an outline of `halo` against lines behind it.
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
