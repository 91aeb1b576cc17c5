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

    /// Adds a diamond with about the area of a circle of `radius`; it extends 1.25 times that.
    package func addDiamond(x: Double, y: Double, radius: Double) {
        let reach = 1.25 * radius
        addLine([(x, y - reach), (x + reach, y), (x, y + reach), (x - reach, y)])
        closePath()
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

/// Dash patterns that distinguish lines without colour.
extension PathCanvas {
    /// Alternating lengths of dashes and gaps in line widths, minus the round caps; a solid line first.
    private static let dashes: [[Double]] = [[], [5, 2.5], [0.5, 2.5], [7, 2.5, 0.5, 2.5]]

    /// The dash pattern of a series, different from those of other series with the same colour; there are `colorCount`
    /// colours.
    static func dash(ofSeries index: Int, colorCount: Int) -> Int { (index + index / colorCount) % dashes.count }

    /// Adds a dashed line through points. Patterns of very long lines are scaled to bound the number of dashes.
    func addLine(_ points: [(x: Double, y: Double)], dash: Int, lineWidth: Double) {
        let pattern = Self.dashes[dash % Self.dashes.count]
        guard !pattern.isEmpty, let first = points.first else { return addLine(points) }
        let total = zip(points, points.dropFirst()).reduce(0) { $0 + Self.distance($1.0, $1.1) }
        let scale = max(lineWidth, total / (3000 * pattern.reduce(0, +)))
        let lengths = pattern.map { $0 * scale }
        // Index in the pattern and the remaining length of that part.
        var (part, left) = (0, lengths[0])
        var pen = first
        move(toX: pen.x, y: pen.y)
        for point in points.dropFirst() {
            var length = Self.distance(pen, point)
            while length > left {
                let share = left / length
                pen = (x: pen.x + (point.x - pen.x) * share, y: pen.y + (point.y - pen.y) * share)
                step(to: pen, drawing: part % 2 == 0)
                length -= left
                part = (part + 1) % lengths.count
                left = lengths[part]
            }
            left -= length
            pen = point
            step(to: pen, drawing: part % 2 == 0)
        }
    }

    private static func distance(_ a: (x: Double, y: Double), _ b: (x: Double, y: Double)) -> Double {
        ((a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y)).squareRoot()
    }

    private func step(to point: (x: Double, y: Double), drawing: Bool) {
        drawing ? line(toX: point.x, y: point.y) : move(toX: point.x, y: point.y)
    }
}
