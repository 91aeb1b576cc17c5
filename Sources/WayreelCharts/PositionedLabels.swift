internal import WayreelCore
internal import WayreelDrawing

/// Data points with labels that do not overlap.
struct PositionedLabels {
    let area: Rectangle
    let drawing: ChartDrawing
    private var taken: [Rectangle] = []
    private var texts: [(text: String, x: Double, y: Double)] = []

    init(area: Rectangle, drawing: ChartDrawing) { (self.area, self.drawing) = (area, drawing) }

    private var radius: Double { drawing.lineWidth * 1.5 + 1 }

    mutating func drawPoint(x: Double, y: Double, text: String, color: RGBColor) throws(MediaError) {
        let canvas = drawing.canvas
        canvas.circle(centerX: x, centerY: y, radius: radius)
        canvas.fill(drawing.ground)
        canvas.circle(centerX: x, centerY: y, radius: radius - 1)
        canvas.fill(color)
        taken.append(Rectangle(x: x, y: y, width: 0, height: 0).grown(by: radius))
        texts.append((text, x, y))
    }

    /// Draws each label above its point, or else below, right or left.
    mutating func drawTexts() throws(MediaError) {
        let em = drawing.em
        for (text, x, y) in texts {
            let label = try drawing.text.label(text, within: min(area.width - em, 20 * em))
            guard label.width > 0, area.height >= 6 * em else { continue }
            let (distance, half) = (radius + em * 0.35, label.width / 2)
            let middle = min(max(x, area.x + half + 2), area.maxX - half - 2)
            let positions = [
                (middle, y - distance - em / 2), (middle, y + distance + em / 2), (x + distance + half, y),
                (x - distance - half, y),
            ]
            let boxes = positions.map { position in
                Rectangle(x: position.0 - half, y: position.1 - em * 0.65, width: label.width, height: em * 1.3)
            }
            guard let box = boxes.first(where: isFree) else { continue }
            taken.append(box)
            drawing.text.draw(
                label, on: drawing.canvas, x: box.x, y: box.midY, color: drawing.theme.text, halo: drawing.ground)
        }
    }

    private func isFree(_ box: Rectangle) -> Bool {
        box.x >= area.x && box.maxX <= area.maxX && box.y >= area.y && box.maxY <= area.maxY
            && !taken.contains { !$0.intersection(box).isEmpty }
    }
}
