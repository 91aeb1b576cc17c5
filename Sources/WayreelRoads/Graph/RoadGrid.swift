internal import Glibc
internal import WayreelCore
internal import WayreelEngine
internal import WayreelStory

/// The edges of a graph by the cells of a grid that their segments touch.
struct RoadGrid: Sendable {
    /// The south-western corner, and the size of a cell, in units of 1e-7 degrees.
    private let west: Int64
    private let south: Int64
    private let size: Int64
    private let columns: Int
    private let rows: Int
    /// The edges of each cell: those of `first[cell]` up to `first[cell + 1]`, in ascending order.
    private let first: [UInt32]
    private let entries: [UInt32]

    /// About 200 metres.
    private static let smallest: Int64 = 20_000
    private static let maxCells = 1 << 22

    /// Throws a `limit` error if the segments are too many.
    init(edges: [RoadGraph.Edge], points: [RoadGraph.Spot]) throws(MediaError) {
        let (xs, ys) = (points.lazy.map { Int64($0.x) }, points.lazy.map { Int64($0.y) })
        let (west, south) = (xs.min() ?? 0, ys.min() ?? 0)
        let (width, height) = ((xs.max() ?? 0) - west + 1, (ys.max() ?? 0) - south + 1)
        var size = Self.smallest
        while (width / size + 1) * (height / size + 1) > Self.maxCells { size *= 2 }
        let most = points.count * 8 + 4096
        while true {
            let cells = Cells(west: west, south: south, size: size, columns: Int(width / size + 1))
            let count = cells.count * Int(height / size + 1)
            var first = [UInt32](repeating: 0, count: count + 1)
            var total = 0
            // A few long segments must not fill the grid.
            let isSmall = cells.visit(edges, points) { cell, _ in
                first[cell + 1] += 1
                total += 1
                return total <= most
            }
            guard isSmall else {
                guard size < 1 << 31 else {
                    throw MediaError(
                        .limit, step: .route, reason: "the extract has too many long roads",
                        advice: "take a smaller box")
                }
                size *= 4
                continue
            }
            for cell in 0..<count { first[cell + 1] += first[cell] }
            var next = first
            var entries = [UInt32](repeating: 0, count: total)
            _ = cells.visit(edges, points) { cell, edge in
                entries[Int(next[cell])] = edge
                next[cell] += 1
                return true
            }
            (self.west, self.south, self.size) = (west, south, size)
            (columns, rows) = (cells.count, Int(height / size + 1))
            (self.first, self.entries) = (first, entries)
            return
        }
    }

    var bytes: Int { (first.count + entries.count) * 4 }

    /// Where the cells are; `count` of them in a row.
    private struct Cells {
        let west: Int64
        let south: Int64
        let size: Int64
        let count: Int

        init(west: Int64, south: Int64, size: Int64, columns: Int) {
            (self.west, self.south, self.size, count) = (west, south, size, columns)
        }

        /// Calls `body` with each cell that an edge may touch, once for the edge in most cases. Stops and returns false
        /// when `body` does.
        func visit(
            _ edges: [RoadGraph.Edge], _ points: [RoadGraph.Spot], _ body: (Int, UInt32) -> Bool
        ) -> Bool {
            for index in edges.indices {
                let start = Int(edges[index].firstPoint)
                let end = index + 1 < edges.count ? Int(edges[index + 1].firstPoint) : points.count
                var last = -1
                for point in start..<end - 1 {
                    let (a, b) = (points[point], points[point + 1])
                    let (ax, ay) = ((Int64(a.x) - west) / size, (Int64(a.y) - south) / size)
                    let (bx, by) = ((Int64(b.x) - west) / size, (Int64(b.y) - south) / size)
                    for y in min(ay, by)...max(ay, by) {
                        for x in min(ax, bx)...max(ax, bx) {
                            let cell = Int(y) * count + Int(x)
                            guard cell != last else { continue }
                            last = cell
                            guard body(cell, UInt32(index)) else { return false }
                        }
                    }
                }
            }
            return true
        }
    }

    /// Returns the edges that may come within `radius` metres of a point, each once.
    func edges(near point: GeoPoint, within radius: Double) -> [UInt32] {
        let plane = Plane(latitude: point.latitude)
        guard plane.x > 0, plane.y > 0 else { return [] }
        let (x, y) = (point.longitude * 1e7 - Double(west), point.latitude * 1e7 - Double(south))
        let size = Double(size)
        func cells(_ middle: Double, _ reach: Double, _ count: Int) -> ClosedRange<Int>? {
            let (low, high) = (((middle - reach) / size).rounded(.down), ((middle + reach) / size).rounded(.down))
            guard high >= 0, low < Double(count) else { return nil }
            return Int(max(low, 0))...Int(min(high, Double(count - 1)))
        }
        guard let across = cells(x, radius / plane.x, columns), let up = cells(y, radius / plane.y, rows) else {
            return []
        }
        var found: [UInt32] = []
        for row in up {
            for column in across {
                let cell = row * columns + column
                found += entries[Int(first[cell])..<Int(first[cell + 1])]
            }
        }
        found.sort()
        var last: UInt32?
        found.removeAll { edge in
            defer { last = edge }
            return edge == last
        }
        return found
    }
}

extension RoadGraph {
    /// The point of an edge that is nearest to a position.
    struct Foot: Sendable {
        var edge: UInt32
        /// Metres from the start of the edge.
        var offset: Double
        /// Metres from the position.
        var distance: Double
        /// The direction of the edge there, in degrees clockwise from north.
        var bearing: Double
    }

    /// Returns the nearest point of each edge within `radius` metres that `isUsed` takes, nearest first.
    func feet(of point: GeoPoint, within radius: Double, where isUsed: (Int) -> Bool) -> [Foot] {
        var feet: [Foot] = []
        let plane = Plane(latitude: point.latitude)
        for edge in grid.edges(near: point, within: radius) where isUsed(Int(edge)) {
            let foot = foot(of: point, on: edge, plane)
            if foot.distance <= radius { feet.append(foot) }
        }
        return feet.sorted { ($0.distance, $0.edge) < ($1.distance, $1.edge) }
    }

    private func foot(of point: GeoPoint, on edge: UInt32, _ plane: Plane) -> Foot {
        let (px, py) = (point.longitude * 1e7, point.latitude * 1e7)
        var best = (square: Double.infinity, offset: 0.0, x: 0.0, y: 0.0)
        var along = 0.0
        for index in pointRange(Int(edge)).dropLast() {
            let (a, b) = (points[index], points[index + 1])
            let step = plane.vector(a, b)
            let (ax, ay) = ((px - Double(a.x)) * plane.x, (py - Double(a.y)) * plane.y)
            let square = step.x * step.x + step.y * step.y
            let share = square > 0 ? min(max((ax * step.x + ay * step.y) / square, 0), 1) : 0
            let (dx, dy) = (ax - share * step.x, ay - share * step.y)
            let length = square.squareRoot()
            if dx * dx + dy * dy < best.square {
                best = (dx * dx + dy * dy, along + share * length, step.x, step.y)
            }
            along += length
        }
        let bearing = atan2(best.x, best.y) * 180 / .pi
        return Foot(
            edge: edge, offset: min(best.offset, Double(edges[Int(edge)].length)),
            distance: best.square.squareRoot(), bearing: bearing < 0 ? bearing + 360 : bearing)
    }
}
