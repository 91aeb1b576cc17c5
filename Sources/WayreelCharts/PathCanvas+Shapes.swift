package import WayreelDrawing

/// The shapes that charts draw their values as.
extension PathCanvas {
    /// Adds a line across an area that fills a row of pixels, where `y` is a whole number.
    package func addHairline(atY y: Double, across area: Rectangle) {
        rectangle(Rectangle(x: area.x, y: y, width: area.width, height: 1))
    }

    /// Adds a line from the top to the bottom of an area that fills columns of pixels, where `x` is a whole number.
    package func addHairline(atX x: Double, across area: Rectangle, thickness: Double = 1) {
        rectangle(Rectangle(x: x, y: area.y, width: thickness, height: area.height))
    }

    /// Adds an area between two rows of steps, each `width` pixels wide, from `x` on; `upper` and `lower` have one height for
    /// each step.
    package func addSteps(upper: [Double], lower: [Double], x: Double, width: Double) {
        precondition(upper.count == lower.count, "an upper and a lower edge for each step")
        guard let first = upper.first else { return }
        move(toX: x, y: first)
        for (step, y) in upper.enumerated() {
            line(toX: x + Double(step) * width, y: y)
            line(toX: x + Double(step + 1) * width, y: y)
        }
        for (step, y) in lower.enumerated().reversed() {
            line(toX: x + Double(step + 1) * width, y: y)
            line(toX: x + Double(step) * width, y: y)
        }
        closePath()
    }

    /// Adds a line through points.
    package func addLine(_ points: [(x: Double, y: Double)]) {
        for (index, point) in points.enumerated() {
            index == 0 ? move(toX: point.x, y: point.y) : line(toX: point.x, y: point.y)
        }
    }

    /// Adds a bar that stands flat at `base` and ends rounded at `tip`, above or below.
    package func addBar(x: Double, width: Double, base: Double, tip: Double, radius: Double) {
        let radius = min(radius, width / 2, abs(tip - base))
        let up = tip < base
        let shoulder = up ? tip + radius : tip - radius
        // A quarter of a circle as a Bézier curve.
        let handle = radius * (1 - 0.552_284_75)
        let rim = up ? tip + handle : tip - handle
        move(toX: x, y: base)
        line(toX: x, y: shoulder)
        curve(control1X: x, control1Y: rim, control2X: x + handle, control2Y: tip, toX: x + radius, y: tip)
        line(toX: x + width - radius, y: tip)
        curve(
            control1X: x + width - handle, control1Y: tip, control2X: x + width, control2Y: rim, toX: x + width,
            y: shoulder)
        line(toX: x + width, y: base)
        closePath()
    }
}
