package import WayreelCore

/// The font that a chart's labels are set in.
package struct ChartText {
    package let font: String
    /// The em, in pixels.
    package let size: Double
    /// Where the digits stand below the top of a line, and how high they are.
    private let digitTop: Double
    private let digitHeight: Double

    /// A word or number, ready to be placed.
    package struct Label {
        fileprivate let layout: TextLayout?
        package let width: Double
    }

    /// Throws a `parameter` error where `font` is no description of a font, or `size` none that text can have.
    package init(font: String, size: Double) throws(MediaError) {
        self.font = font
        self.size = size
        let zero = try TextLayout("0", font: font, size: size).inkBounds
        (digitTop, digitHeight) = (zero.y, zero.height)
    }

    package func label(_ text: String) throws(MediaError) -> Label {
        guard !text.isEmpty else { return Label(layout: nil, width: 0) }
        let layout = try TextLayout(text, font: font, size: size)
        return Label(layout: layout, width: layout.logicalBounds.width)
    }

    /// Draws a label with its left edge (`anchor` 0), its middle (0.5) or its right edge (1) at `x`, and its digits centred on
    /// `y`.
    package func draw(
        _ label: Label, on canvas: PathCanvas, x: Double, anchor: Double = 0, y: Double, color: RGBColor
    ) {
        guard let layout = label.layout else { return }
        let left = x - label.width * anchor
        canvas.addOutlines(of: layout, x: left, y: y - digitTop - digitHeight / 2)
        canvas.fill(color)
    }
}
