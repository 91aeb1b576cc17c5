internal import WayreelDrawing

/// Lines that can be told apart without their colours.
extension PathCanvas {
    /// Lengths of strokes and gaps in turn, in line widths with the round ends taken off; an unbroken line first.
    private static let dashes: [[Double]] = [[], [5, 2.5], [0.5, 2.5], [7, 2.5, 0.5, 2.5]]

    /// The dash of a series that keeps it apart from all others of the same colour, of which there are `colorCount`.
    static func dash(ofSeries index: Int, colorCount: Int) -> Int { (index + index / colorCount) % dashes.count }

    /// Adds a line through points in one of the dashes, which are drawn out where a line is so long as to have thousands.
    func addLine(_ points: [(x: Double, y: Double)], dash: Int, lineWidth: Double) {
        let pattern = Self.dashes[dash % Self.dashes.count]
        guard !pattern.isEmpty, let first = points.first else { return addLine(points) }
        let total = zip(points, points.dropFirst()).reduce(0) { $0 + Self.distance($1.0, $1.1) }
        let scale = max(lineWidth, total / (3000 * pattern.reduce(0, +)))
        let lengths = pattern.map { $0 * scale }
        // Where in the pattern the pen is, and how much of that part is left.
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
