internal import WayreelCore
internal import WayreelDrawing

/// A laid-out text of a map.
struct MapText {
    private let layout: TextLayout
    private let size: Double
    let width: Double
    let height: Double

    /// Text that is longer is cut.
    private static let maxCharacters = 90

    /// `width`: where lines are broken, in pixels.
    init(
        _ text: String, size: Double, isBold: Bool = false, width: Double? = nil,
        alignment: TextLayout.Alignment = .start
    ) throws(MediaError) {
        let plain = text.onOneLine
        let cut = plain.count > Self.maxCharacters ? "\(plain.prefix(Self.maxCharacters - 1))…" : plain
        layout = try TextLayout(
            cut.isEmpty ? " " : cut, font: isBold ? "DejaVu Sans Bold" : "DejaVu Sans", size: size, width: width,
            alignment: alignment)
        self.size = size
        let bounds = layout.logicalBounds
        (self.width, height) = (bounds.width.rounded(.up), bounds.height)
        left = bounds.x
    }

    /// Where the widest line begins: centred lines begin inside of the layout's width.
    private let left: Double

    func draw(on canvas: PathCanvas, x: Double, y: Double, color: RGBColor, halo: RGBColor? = nil) {
        canvas.addOutlines(of: layout, x: x - left, y: y)
        if let halo { canvas.stroke(halo, width: size * 0.34, keepingPath: true) }
        canvas.fill(color)
    }
}
