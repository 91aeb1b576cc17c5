package import WayreelDrawing

/// Shapes of chart data.
extension PathCanvas {
    /// Adds a horizontal line that fills a pixel row if `y` is an integer.
    package func addHairline(atY y: Double, across area: Rectangle) {
        rectangle(Rectangle(x: area.x, y: y, width: area.width, height: 1))
    }

    /// Adds a vertical line that fills pixel columns if `x` is an integer.
    package func addHairline(atX x: Double, across area: Rectangle, thickness: Double = 1) {
        rectangle(Rectangle(x: x, y: area.y, width: thickness, height: area.height))
    }

    /// Adds an area between two step functions with steps `width` pixels wide, starting at `x`; `upper` and `lower`
    /// hold one height per step.
    package func addSteps(upper: [Double], lower: [Double], x: Double, width: Double) {
        precondition(upper.count == lower.count, "one upper and one lower edge per step")
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

    /// Adds a bar from a flat `base` to a rounded `tip`, upwards or downwards.
    package func addBar(x: Double, width: Double, base: Double, tip: Double, radius: Double) {
        let radius = min(radius, width / 2, abs(tip - base))
        let up = tip < base
        let shoulder = up ? tip + radius : tip - radius
        // A quarter circle as a Bézier curve.
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
