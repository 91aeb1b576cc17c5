internal import Glibc
internal import WayreelCore
internal import WayreelDrawing

/// Draws the marks and lines of a map.
struct MapMarks {
    private let image: MapImage
    private let canvas: PathCanvas
    private var theme: ChartTheme { image.colors }
    private var em: Double { image.em }

    init(_ image: MapImage, _ canvas: PathCanvas) {
        self.image = image
        self.canvas = canvas
    }

    /// Draws an event: a disc in its kind's colour with the kind's symbol, or a ring if it was not found.
    func marker(_ symbol: MapSymbol?, x: Double, y: Double, radius: Double, isFilled: Bool) {
        let color = symbol?.color(theme) ?? theme.muted
        canvas.circle(centerX: x, centerY: y, radius: radius + max(1.5, em * 0.13))
        canvas.fill(image.ground)
        canvas.circle(centerX: x, centerY: y, radius: radius)
        canvas.fill(isFilled ? color : image.ground)
        if !isFilled {
            let width = max(1.5, em * 0.14)
            canvas.circle(centerX: x, centerY: y, radius: radius - width / 2)
            canvas.stroke(color, width: width)
        }
        let ink = isFilled ? image.ground : color
        symbol?.draw(
            on: canvas, x: x, y: y, radius: radius * (isFilled ? 0.92 : 0.82), ink: ink,
            ground: isFilled ? color : image.ground)
    }

    func ring(x: Double, y: Double, radius: Double, color: RGBColor) {
        canvas.circle(centerX: x, centerY: y, radius: radius)
        canvas.stroke(color, width: max(1.5, em * 0.14))
    }

    /// Draws the number of an event in a tour.
    func badge(_ text: MapText, x: Double, y: Double) {
        let half = (width: max(text.width / 2 + em * 0.22, em * 0.5), height: em * 0.5)
        let box = Rectangle(x: x - half.width, y: y - half.height, width: 2 * half.width, height: 2 * half.height)
        canvas.rectangle(box.grown(by: max(1, em * 0.09)), radius: em)
        canvas.fill(image.ground)
        canvas.rectangle(box, radius: em)
        canvas.fill(theme.text)
        text.draw(on: canvas, x: x - text.width / 2, y: y - text.height / 2, color: image.ground)
    }

    /// Draws a flag whose pole stands at (`x`, `y`).
    func flag(x: Double, y: Double, height: Double) {
        let width = max(1.5, em * 0.13)
        for (color, line) in [(image.ground, width + em * 0.25), (theme.text, width)] {
            canvas.move(toX: x, y: y)
            canvas.line(toX: x, y: y - height)
            canvas.stroke(color, width: line)
        }
        canvas.addLine([(x, y - height), (x + height * 0.56, y - height * 0.74), (x, y - height * 0.48)])
        canvas.closePath()
        canvas.stroke(image.ground, width: em * 0.2, keepingPath: true)
        canvas.fill(theme.text)
    }

    /// Draws a dotted line from event to event.
    func route(_ points: [(x: Double, y: Double)]) {
        let spacing = em * 0.5
        var rest = spacing / 2
        for (a, b) in zip(points, points.dropFirst()) {
            let length = hypot(b.x - a.x, b.y - a.y)
            // Skip segments with more dots than can be distinguished.
            guard length > 0, length < 100_000 else { continue }
            var along = rest
            while along <= length {
                canvas.circle(
                    centerX: a.x + (b.x - a.x) * along / length, centerY: a.y + (b.y - a.y) * along / length,
                    radius: max(1, em * 0.09))
                along += spacing
            }
            rest = along - length
        }
        canvas.fill(theme.axis)
    }

    /// The thickness of the walk in pixels.
    private var walkWidth: Double { max(2, em * 0.2) }

    /// Draws a line whose colour shows the time. `shares` has a value per point, from 0 at the walk's start to 1 at
    /// its end.
    func walk(_ points: [(x: Double, y: Double)], shares: [Double]) {
        canvas.addLine(points)
        canvas.stroke(image.ground, width: walkWidth + em * 0.2)
        var start = 0
        for index in points.indices.dropFirst() {
            let isLast = index == points.count - 1
            guard isLast || Self.step(shares[index]) != Self.step(shares[start]) else { continue }
            canvas.addLine(Array(points[start...index]))
            canvas.stroke(walkColor(shares[start]), width: walkWidth)
            start = index
        }
    }

    /// Draws a dashed line where the signal was lost.
    func gap(from a: (x: Double, y: Double), to b: (x: Double, y: Double)) {
        let dash = em * 0.45
        let length = hypot(b.x - a.x, b.y - a.y)
        guard length > 0, length < 100_000 else { return }
        for along in stride(from: dash, to: length - dash, by: 2.2 * dash) {
            let (from, to) = (along / length, min(along + dash, length) / length)
            canvas.move(toX: a.x + (b.x - a.x) * from, y: a.y + (b.y - a.y) * from)
            canvas.line(toX: a.x + (b.x - a.x) * to, y: a.y + (b.y - a.y) * to)
        }
        canvas.stroke(theme.axis, width: walkWidth * 0.6)
    }

    /// Returns the index of the colour step; the walk is drawn in 16 distinguishable colours.
    private static func step(_ share: Double) -> Int { Int((min(max(share, 0), 1) * 15.999).rounded(.down)) }

    func walkColor(_ share: Double) -> RGBColor {
        let step = image.walkStyle == .plain ? 0.75 : 0.25 + 0.7 * Double(Self.step(share)) / 15
        return image.ground.mixed(with: theme.text, share: step)
    }

    /// Marks a position that was not used: a small cross.
    func unused(x: Double, y: Double) {
        let arm = em * 0.22
        for slope in [-1.0, 1] {
            canvas.move(toX: x - arm, y: y - arm * slope)
            canvas.line(toX: x + arm, y: y + arm * slope)
        }
        canvas.stroke(theme.axis, width: max(1, em * 0.1))
    }

    /// Marks the start of the walk: a ring.
    func walkStart(x: Double, y: Double) {
        canvas.circle(centerX: x, centerY: y, radius: em * 0.38)
        canvas.fill(image.ground)
        canvas.circle(centerX: x, centerY: y, radius: em * 0.28)
        canvas.stroke(theme.text, width: max(1.5, em * 0.16))
    }

    /// Marks the end of the walk: a square.
    func walkEnd(x: Double, y: Double) {
        for (half, color) in [(em * 0.38, image.ground), (em * 0.27, theme.text)] {
            canvas.rectangle(Rectangle(x: x - half, y: y - half, width: 2 * half, height: 2 * half), radius: em * 0.06)
            canvas.fill(color)
        }
    }

    /// Marks the player's position when an event was found: a diamond.
    func foundAt(x: Double, y: Double) {
        canvas.addDiamond(x: x, y: y, radius: em * 0.4)
        canvas.fill(image.ground)
        canvas.addDiamond(x: x, y: y, radius: em * 0.27)
        canvas.fill(theme.text)
    }

    /// Draws an arrow to the north with its letter; its upper right corner is at (`x`, `y`).
    func north(_ letter: MapText, x: Double, y: Double) {
        let (half, height) = (em * 0.48, em * 1.7)
        let middle = x - half
        canvas.addLine([(middle, y), (middle + half, y + height), (middle, y + height * 0.78)])
        canvas.closePath()
        canvas.fill(theme.text)
        canvas.addLine([(middle, y), (middle - half, y + height), (middle, y + height * 0.78)])
        canvas.closePath()
        canvas.fill(theme.axis)
        letter.draw(on: canvas, x: middle - letter.width / 2, y: y + height, color: theme.text, halo: image.ground)
    }

    /// Draws a bar of two halves in alternating colours, with its length above it.
    func scaleBar(_ bar: ScaleBar, _ label: MapText, x: Double, y: Double) {
        let height = max(3, em * 0.24)
        canvas.rectangle(Rectangle(x: x - 1.5, y: y - 1.5, width: bar.pixels + 3, height: height + 3))
        canvas.fill(image.ground)
        canvas.rectangle(Rectangle(x: x, y: y, width: bar.pixels, height: height))
        canvas.fill(theme.text)
        canvas.rectangle(
            Rectangle(x: x + bar.pixels / 2, y: y + 1, width: bar.pixels / 2 - 1, height: height - 2))
        canvas.fill(image.ground)
        label.draw(on: canvas, x: x, y: y - label.height - em * 0.1, color: theme.text, halo: image.ground)
    }
}

/// The kinds of events, each with its own colour and symbol.
enum MapSymbol: String, CaseIterable {
    case camera, radio, scrapbook, goggles, quiz, exhibit

    /// The index of the theme's series whose colour is used.
    private var series: Int {
        switch self {
        case .camera: 0
        case .radio: 1
        case .scrapbook: 2
        case .goggles: 3
        case .quiz: 5
        case .exhibit: 4
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
            canvas.move(toX: x - 0.12 * r, y: y - 0.04 * r)
            canvas.line(toX: x + 0.12 * r, y: y - 0.04 * r)
            canvas.stroke(ink, width: 0.16 * r)
        case .quiz:
            canvas.arc(centerX: x, centerY: y - 0.24 * r, radius: 0.3 * r, from: .pi * 1.02, to: .pi * 2.42)
            canvas.line(toX: x, y: y + 0.22 * r)
            canvas.stroke(ink, width: 0.2 * r)
            disc(0, 0.54, 0.13, ink)
        case .exhibit:
            disc(0, -0.3, 0.32, ink)
            box(-0.22, 0.12, 0.44, 0.2)
            box(-0.42, 0.34, 0.84, 0.24, corner: 0.06)
        }
    }
}
