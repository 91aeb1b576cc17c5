internal import Glibc
internal import WayreelCharts
internal import WayreelCore
internal import WayreelDrawing

/// The kinds of events, each with its own colour and symbol.
enum MapSymbol: String, CaseIterable {
    case camera, radio, scrapbook, goggles, quiz

    /// The index of the theme's series whose colour is used.
    private var series: Int {
        switch self {
        case .camera: 0
        case .radio: 1
        case .scrapbook: 2
        case .goggles: 3
        case .quiz: 5
        }
    }

    func color(_ theme: ChartTheme) -> RGBColor { theme.color(ofSeries: series) }

    /// Draws the symbol about (`x`, `y`), within a circle of `radius`.
    func draw(on canvas: PathCanvas, x: Double, y: Double, radius r: Double, ink: RGBColor, ground: RGBColor) {
        func box(_ left: Double, _ top: Double, _ width: Double, _ height: Double, corner: Double = 0) {
            canvas.rectangle(
                Rectangle(x: x + left * r, y: y + top * r, width: width * r, height: height * r), radius: corner * r)
            canvas.fill(ink)
        }
        func disc(_ dx: Double, _ dy: Double, _ radius: Double, _ color: RGBColor) {
            canvas.circle(centerX: x + dx * r, centerY: y + dy * r, radius: radius * r)
            canvas.fill(color)
        }
        func line(_ points: [(Double, Double)], width: Double) {
            for (index, point) in points.enumerated() {
                let (px, py) = (x + point.0 * r, y + point.1 * r)
                index == 0 ? canvas.move(toX: px, y: py) : canvas.line(toX: px, y: py)
            }
            canvas.stroke(ink, width: width * r)
        }
        switch self {
        case .camera:
            box(-0.62, -0.36, 1.24, 0.86, corner: 0.16)
            box(-0.26, -0.54, 0.52, 0.3, corner: 0.1)
            disc(0, 0.06, 0.3, ground)
            disc(0, 0.06, 0.16, ink)
        case .radio:
            disc(-0.42, 0.42, 0.17, ink)
            for radius in [0.52, 0.9] {
                canvas.arc(
                    centerX: x - 0.42 * r, centerY: y + 0.42 * r, radius: radius * r, from: -.pi / 2, to: 0)
                canvas.stroke(ink, width: 0.2 * r)
            }
        case .scrapbook:
            box(-0.46, -0.58, 0.92, 1.16, corner: 0.12)
            for (top, width) in [(-0.32, 0.56), (-0.06, 0.56), (0.2, 0.34)] {
                canvas.rectangle(
                    Rectangle(x: x - 0.28 * r, y: y + top * r, width: width * r, height: 0.13 * r), radius: 0.06 * r)
                canvas.fill(ground)
            }
        case .goggles:
            for side in [-1.0, 1] {
                canvas.circle(centerX: x + side * 0.37 * r, centerY: y + 0.04 * r, radius: 0.27 * r)
                canvas.stroke(ink, width: 0.17 * r)
            }
            line([(-0.12, -0.04), (0.12, -0.04)], width: 0.16)
        case .quiz:
            canvas.arc(centerX: x, centerY: y - 0.24 * r, radius: 0.3 * r, from: .pi * 1.02, to: .pi * 2.42)
            canvas.line(toX: x, y: y + 0.22 * r)
            canvas.stroke(ink, width: 0.2 * r)
            disc(0, 0.54, 0.13, ink)
        }
    }
}
