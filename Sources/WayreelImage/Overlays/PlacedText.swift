internal import WayreelCore
internal import WayreelDrawing

/// A text overlay laid out and put in its place on a picture; all lengths in pixels of the picture.
struct PlacedText {
    private let overlay: TextOverlay
    private let layout: TextLayout
    /// The top left corner of the layout, before it is turned.
    private let x: Double
    private let y: Double
    /// The lines, with the box's padding; what gravity and rotation refer to.
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

        /// How far the blur can be seen.
        var reach: Double { (3 * blur).rounded(.up) + 1 }
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
        // Gravity and margins place the upright bounds of the turned block; it turns about the middle, which both share.
        var lines = layout.logicalBounds
        if let width = overlay.width { (lines.x, lines.width) = (0, width.bounded(on: size)) }
        let frame = lines.grown(by: overlay.box?.padding.bounded(on: size) ?? 0)
        let turned = frame.bounds(turnedBy: angle, aboutX: frame.midX, y: frame.midY)
        let left = Self.place(size.width, turned.width, overlay.gravity.x, overlay.marginX.bounded(on: size))
        let top = Self.place(size.height, turned.height, overlay.gravity.y, overlay.marginY.bounded(on: size))
        // The first baseline is put on the pixel grid, where horizontal strokes are crispest.
        x = (left - turned.x).rounded()
        y = (top - turned.y + layout.firstBaseline).rounded() - layout.firstBaseline
        block = frame.moved(x: x, y: y)
    }

    /// Where a block of `own` pixels begins: `margin` inwards from an edge, or in the middle.
    private static func place(_ all: Int, _ own: Double, _ share: Double, _ margin: Double) -> Double {
        (Double(all) - own) * share + margin * (1 - 2 * share)
    }

    /// Where letters and outline are seen.
    private var letters: Rectangle { turned(layout.inkBounds.moved(x: x, y: y).grown(by: outlineWidth + 1)) }

    private var box: Rectangle? { overlay.box == nil ? nil : turned(block) }

    /// Everything that is drawn.
    var bounds: Rectangle {
        let drawn = letters.union(box ?? letters)
        return shadow.map { drawn.union(letters.moved(x: $0.x, y: $0.y).grown(by: $0.reach)) } ?? drawn
    }

    private func turned(_ rectangle: Rectangle) -> Rectangle {
        rectangle.bounds(turnedBy: angle, aboutX: block.midX, y: block.midY)
    }

    /// A warning where letters or box reach beyond a picture of `size`.
    func overflow(of size: PixelSize) -> String? {
        let drawn = letters.grown(by: -1).union(box ?? letters.grown(by: -1))
        let picture = size.area
        let beyond = max(
            picture.x - drawn.x, picture.y - drawn.y, drawn.maxX - picture.maxX, drawn.maxY - picture.maxY)
        guard beyond > 0.5 else { return nil }
        return "the text overflows the picture of \(size) by \(Int(beyond.rounded(.up))) pixels and is clipped;"
            + " make it smaller or shorter"
    }

    /// Draws the part inside `area` of the picture on a canvas of its size.
    func draw(on canvas: Canvas, showing area: Rectangle, watch: TaskWatch) throws(MediaError) {
        canvas.translate(x: -area.x, y: -area.y)
        if let box = overlay.box {
            canvas.withState {
                turn(canvas)
                canvas.rectangle(block, radius: boxRadius)
                canvas.fill(box.color)
            }
        }
        try drawShadow(on: canvas, showing: area)
        try watch.check()
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
            // The line straddles the edge of the letters; its inner half is covered by them or, where one could see
            // through them, taken away again.
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

    /// Letters and outline as one shape, blurred; it falls straight down on the picture even from a text that is turned.
    private func drawShadow(on canvas: Canvas, showing area: Rectangle) throws(MediaError) {
        guard let shadow else { return }
        // Letters outside the area throw their shadow into it.
        let needed = area.moved(x: -shadow.x, y: -shadow.y).grown(by: shadow.reach)
        let extent = letters.grown(by: shadow.reach).intersection(needed).pixelBounds
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
    /// The whole picture.
    var area: Rectangle { Rectangle(x: 0, y: 0, width: Double(width), height: Double(height)) }
}

extension Rectangle {
    /// The smallest rectangle on the pixel grid around this one.
    var pixelBounds: Rectangle {
        let (left, top) = (x.rounded(.down), y.rounded(.down))
        return isEmpty
            ? Rectangle(x: left, y: top, width: 0, height: 0)
            : Rectangle(x: left, y: top, width: maxX.rounded(.up) - left, height: maxY.rounded(.up) - top)
    }

    /// The size of a rectangle on the pixel grid.
    var pixelSize: PixelSize { PixelSize(width: Int(width), height: Int(height)) }
}
