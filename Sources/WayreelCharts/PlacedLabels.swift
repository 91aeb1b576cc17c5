internal import WayreelCore
internal import WayreelDrawing

/// Points in a chart, and texts beside them that do not cover each other.
struct PlacedLabels {
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

    /// Writes each text above its point, or else where there is room: below, right, left.
    mutating func drawTexts() throws(MediaError) {
        let em = drawing.em
        for (text, x, y) in texts {
            let label = try drawing.text.label(text, within: min(area.width - em, 20 * em))
            guard label.width > 0, area.height >= 6 * em else { continue }
            let (reach, half) = (radius + em * 0.35, label.width / 2)
            let middle = min(max(x, area.x + half + 2), area.maxX - half - 2)
            let places = [
                (middle, y - reach - em / 2), (middle, y + reach + em / 2), (x + reach + half, y),
                (x - reach - half, y),
            ]
            let boxes = places.map { place in
                Rectangle(x: place.0 - half, y: place.1 - em * 0.65, width: label.width, height: em * 1.3)
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
