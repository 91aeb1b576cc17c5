package import WayreelDrawing

/// Marker shapes of data series.
package enum ChartMark: CaseIterable, Sendable {
    case circle, square, triangle, diamond

    static func ofSeries(_ index: Int) -> ChartMark { allCases[index % allCases.count] }
}

extension PathCanvas {
    /// Adds a marker at (`x`, `y`) with about the area of a circle of `radius`; it extends at most 1.35 times that.
    package func add(_ mark: ChartMark, x: Double, y: Double, radius: Double) {
        switch mark {
        case .circle: circle(centerX: x, centerY: y, radius: radius)
        case .square:
            let half = radius * 0.886
            rectangle(Rectangle(x: x - half, y: y - half, width: 2 * half, height: 2 * half))
        case .triangle: addPolygon([(0, -1.25), (1.15, 0.85), (-1.15, 0.85)], x: x, y: y, radius: radius)
        case .diamond: addPolygon([(0, -1.25), (1.25, 0), (0, 1.25), (-1.25, 0)], x: x, y: y, radius: radius)
        }
    }

    private func addPolygon(_ corners: [(x: Double, y: Double)], x: Double, y: Double, radius: Double) {
        addLine(corners.map { (x: x + $0.x * radius, y: y + $0.y * radius) })
        closePath()
    }
}
