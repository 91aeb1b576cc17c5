internal import Glibc
internal import WayreelDrawing

/// Rectangles and points of a map by the square cells that they lie in, so that only neighbours are compared.
struct MapGrid {
    private struct Cell: Hashable {
        var column: Int
        var row: Int
    }

    private let cell: Double
    private var boxes: [Cell: [Rectangle]] = [:]
    private var points: [Cell: [(x: Double, y: Double)]] = [:]

    /// `cell`: the side of a cell in pixels.
    init(cell: Double) { self.cell = cell }

    mutating func insert(_ box: Rectangle) { for cell in cells(of: box) { boxes[cell, default: []].append(box) } }

    mutating func insert(x: Double, y: Double) {
        points[Cell(column: number(x), row: number(y)), default: []].append((x, y))
    }

    /// Whether a rectangle covers a part of another one.
    func overlaps(_ box: Rectangle) -> Bool {
        cells(of: box).contains { boxes[$0]?.contains { !$0.intersection(box).isEmpty } ?? false }
    }

    /// Returns the number of points within a rectangle.
    func countPoints(in box: Rectangle) -> Int {
        cells(of: box).reduce(0) { count, cell in
            count + (points[cell]?.count { $0.x > box.x && $0.x < box.maxX && $0.y > box.y && $0.y < box.maxY } ?? 0)
        }
    }

    /// Whether a point is nearer than `distance` to one of the points.
    func isNear(x: Double, y: Double, distance: Double) -> Bool {
        cells(of: Rectangle(x: x, y: y, width: 0, height: 0).grown(by: distance)).contains { cell in
            points[cell]?.contains { hypot($0.x - x, $0.y - y) < distance } ?? false
        }
    }

    private func number(_ value: Double) -> Int { Int((min(max(value, -1e6), 1e6) / cell).rounded(.down)) }

    private func cells(of box: Rectangle) -> [Cell] {
        let (columns, rows) = (number(box.x)...number(box.maxX), number(box.y)...number(box.maxY))
        return columns.flatMap { column in rows.map { Cell(column: column, row: $0) } }
    }
}
