internal import WayreelDrawing

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
