internal import WayreelCore
internal import WayreelDrawing

/// A text overlay laid out and positioned on an image; lengths in pixels.
struct PositionedText {
    private let overlay: TextOverlay
    private let layout: TextLayout
    /// Top left corner of the layout before rotation.
    private let x: Double
    private let y: Double
    /// The text block including the box's padding; gravity and rotation refer to it.
    private let block: Rectangle
    /// In radians.
    private let angle: Double
    private let outlineWidth: Double
    private let boxRadius: Double
    private let shadow: Shadow?

    private struct Shadow {
        let x: Double
        let y: Double
        let blur: Double
        let color: RGBColor

        /// Max distance at which the blur is visible.
        var blurRadius: Double { (3 * blur).rounded(.up) + 1 }
    }

    init(_ overlay: TextOverlay, layout: TextLayout, on size: PixelSize) {
        self.overlay = overlay
        self.layout = layout
        angle = overlay.angle
        outlineWidth = overlay.outline?.width.bounded(on: size) ?? 0
        boxRadius = overlay.box?.radius.bounded(on: size) ?? 0
        shadow = overlay.shadow.map { shadow in
            Shadow(
                x: shadow.x.bounded(on: size), y: shadow.y.bounded(on: size), blur: shadow.blur.bounded(on: size),
                color: shadow.color)
        }
        // Gravity and margins apply to the bounding box of the rotated block; both have the same centre.
        var lines = layout.logicalBounds
        if let width = overlay.width { (lines.x, lines.width) = (0, width.bounded(on: size)) }
        let frame = lines.grown(by: overlay.box?.padding.bounded(on: size) ?? 0)
        let turned = frame.bounds(turnedBy: angle, aboutX: frame.midX, y: frame.midY)
        let left = Self.origin(size.width, turned.width, overlay.gravity.x, overlay.marginX.bounded(on: size))
        let top = Self.origin(size.height, turned.height, overlay.gravity.y, overlay.marginY.bounded(on: size))
        // The first baseline is aligned to the pixel grid for sharp horizontal strokes.
        x = (left - turned.x).rounded()
        y = (top - turned.y + layout.firstBaseline).rounded() - layout.firstBaseline
        block = frame.moved(x: x, y: y)
    }

    /// Returns the start of a block of `own` pixels: `margin` from an edge, or centred.
    private static func origin(_ all: Int, _ own: Double, _ share: Double, _ margin: Double) -> Double {
        (Double(all) - own) * share + margin * (1 - 2 * share)
    }

    /// The visible bounds of glyphs and outline.
    private var letters: Rectangle { turned(layout.inkBounds.moved(x: x, y: y).grown(by: outlineWidth + 1)) }

    private var box: Rectangle? { overlay.box == nil ? nil : turned(block) }

    /// The bounds of everything drawn.
    var bounds: Rectangle {
        let drawn = letters.union(box ?? letters)
        return shadow.map { drawn.union(letters.moved(x: $0.x, y: $0.y).grown(by: $0.blurRadius)) } ?? drawn
    }

    private func turned(_ rectangle: Rectangle) -> Rectangle {
        rectangle.bounds(turnedBy: angle, aboutX: block.midX, y: block.midY)
    }

    /// Returns a warning if glyphs or box exceed an image of `size`.
    func overflow(of size: PixelSize) -> String? {
        let drawn = letters.grown(by: -1).union(box ?? letters.grown(by: -1))
        let image = size.area
        let beyond = max(
            image.x - drawn.x, image.y - drawn.y, drawn.maxX - image.maxX, drawn.maxY - image.maxY)
        guard beyond > 0.5 else { return nil }
        return "the text overflows the image of \(size) by \(Int(beyond.rounded(.up))) pixels and is clipped;"
            + " make it smaller or shorter"
    }

    /// Draws the part inside `area` of the image on a canvas of its size.
    func draw(on canvas: Canvas, showing area: Rectangle, task: TaskContext) throws(MediaError) {
        canvas.translate(x: -area.x, y: -area.y)
        if let box = overlay.box {
            canvas.withState {
                turn(canvas)
                canvas.rectangle(block, radius: boxRadius)
                canvas.fill(box.color)
            }
        }
        try drawShadow(on: canvas, showing: area)
        try task.check()
        try canvas.withState { () throws(MediaError) in
            turn(canvas)
            try drawLetters(on: canvas)
        }
        try canvas.finish()
    }

    private func turn(_ canvas: Canvas) {
        canvas.translate(x: block.midX, y: block.midY)
        canvas.rotate(by: angle)
        canvas.translate(x: -block.midX, y: -block.midY)
    }

    private func drawLetters(on canvas: Canvas) throws(MediaError) {
        canvas.addOutlines(of: layout, x: x, y: y, margin: outlineWidth)
        if let outline = overlay.outline, outlineWidth > 0 {
            // The stroke is centred on the glyph edges; its inner half is covered by opaque glyphs, otherwise erased.
            let line = { canvas.stroke(outline.color, width: 2 * outlineWidth, keepingPath: true) }
            if overlay.color.alpha < 1 {
                canvas.withGroup {
                    line()
                    canvas.erase(keepingPath: true)
                }
            } else {
                line()
            }
        }
        canvas.fill(overlay.color)
        try canvas.drawColorGlyphs(of: layout, x: x, y: y, opacity: overlay.color.alpha)
    }

    /// Draws the blurred shape of glyphs and outline; its offset is not rotated with the text.
    private func drawShadow(on canvas: Canvas, showing area: Rectangle) throws(MediaError) {
        guard let shadow else { return }
        // Glyphs outside the area cast shadows into it.
        let needed = area.moved(x: -shadow.x, y: -shadow.y).grown(by: shadow.blurRadius)
        let extent = letters.grown(by: shadow.blurRadius).intersection(needed).pixelBounds
        guard !extent.isEmpty else { return }
        let mask = try PixelSurface(size: extent.pixelSize, format: .coverage8)
        let shape = Canvas(on: mask)
        shape.translate(x: -extent.x, y: -extent.y)
        turn(shape)
        shape.addOutlines(of: layout, x: x, y: y, margin: outlineWidth)
        if outlineWidth > 0 { shape.stroke(.black, width: 2 * outlineWidth, keepingPath: true) }
        shape.fill(.black)
        try shape.drawColorGlyphs(of: layout, x: x, y: y)
        try shape.finish()
        try mask.blurCoverage(sigma: shadow.blur)
        canvas.paint(shadow.color, through: mask, x: extent.x + shadow.x, y: extent.y + shadow.y)
    }
}

extension PixelSize {
    /// The whole image.
    var area: Rectangle { Rectangle(x: 0, y: 0, width: Double(width), height: Double(height)) }
}

extension Rectangle {
    /// The smallest enclosing rectangle on the pixel grid.
    var pixelBounds: Rectangle {
        let (left, top) = (x.rounded(.down), y.rounded(.down))
        return isEmpty
            ? Rectangle(x: left, y: top, width: 0, height: 0)
            : Rectangle(x: left, y: top, width: maxX.rounded(.up) - left, height: maxY.rounded(.up) - top)
    }

    /// The size of a rectangle on the pixel grid.
    var pixelSize: PixelSize { PixelSize(width: Int(width), height: Int(height)) }
}
