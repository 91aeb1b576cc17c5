internal import COSM
internal import Glibc
package import WayreelMapFiles

/// A position on the grid of a zoom: ``Grid/extent`` units to a tile, x to the east and y to the south.
struct GridPoint: Hashable, Sendable {
    var x: Int32
    var y: Int32

    /// The coordinate along an axis.
    subscript(axis: Axis) -> Int32 {
        @inline(__always) get { axis == .x ? x : y }
    }

    enum Axis {
        case x, y
    }
}

/// A rectangle on the grid of a zoom, with its borders.
struct GridBox: Hashable, Sendable {
    var minX: Int32
    var minY: Int32
    var maxX: Int32
    var maxY: Int32

    /// The smallest one around points; nil if there are none.
    init?(around points: some Sequence<GridPoint>) {
        var points = points.makeIterator()
        guard let first = points.next() else { return nil }
        (minX, minY, maxX, maxY) = (first.x, first.y, first.x, first.y)
        while let point = points.next() {
            (minX, maxX) = (min(minX, point.x), max(maxX, point.x))
            (minY, maxY) = (min(minY, point.y), max(maxY, point.y))
        }
    }

    init(minX: Int32, minY: Int32, maxX: Int32, maxY: Int32) {
        (self.minX, self.minY, self.maxX, self.maxY) = (minX, minY, maxX, maxY)
    }

    func contains(_ point: GridPoint) -> Bool {
        minX <= point.x && point.x <= maxX && minY <= point.y && point.y <= maxY
    }

    /// The corners, clockwise from the north-west.
    var ring: [GridPoint] {
        [
            GridPoint(x: minX, y: minY), GridPoint(x: maxX, y: minY), GridPoint(x: maxX, y: maxY),
            GridPoint(x: minX, y: maxY),
        ]
    }

    /// Returns the part that both have; nil if that has no area.
    func intersection(_ other: GridBox) -> GridBox? {
        let part = GridBox(
            minX: max(minX, other.minX), minY: max(minY, other.minY), maxX: min(maxX, other.maxX),
            maxY: min(maxY, other.maxY))
        return part.minX < part.maxX && part.minY < part.maxY ? part : nil
    }
}

/// The grid of tiles in the Mercator projection (EPSG:3857).
enum Grid {
    /// Units to a tile's side.
    static let extent: Int32 = 4096
    /// The zoom whose grid positions are first put on: 2²⁹ units around the equator, 7.5 cm each there.
    static let finestZoom = 17
    private static let size = Double(extent) * Double(1 << finestZoom)

    /// Returns a position of the finest grid. Longitudes beyond -180 to 180 and latitudes near the poles lie outside of
    /// all tiles.
    static func point(longitude: Double, latitude: Double) -> GridPoint {
        let radians = min(max(latitude, -89), 89) * .pi / 180
        let x = (min(max(longitude, -360), 360) / 360 + 0.5) * size
        let y = (0.5 - asinh(tan(radians)) / (2 * .pi)) * size
        return GridPoint(x: Int32(x.rounded()), y: Int32(y.rounded()))
    }

    static func point(_ point: wr_osm_point) -> GridPoint {
        Self.point(longitude: Double(point.longitude) / 1e7, latitude: Double(point.latitude) / 1e7)
    }

    static func box(_ box: GroundBox) -> GridBox {
        let northWest = point(longitude: box.west, latitude: box.north)
        let southEast = point(longitude: box.east, latitude: box.south)
        return GridBox(minX: northWest.x, minY: northWest.y, maxX: southEast.x, maxY: southEast.y)
    }

    /// Returns the position on the grid of a zoom of one on the finest grid, rounded.
    static func point(_ point: GridPoint, at zoom: Int) -> GridPoint {
        let shift = Int32(finestZoom - zoom)
        guard shift > 0 else { return point }
        let half = Int32(1) << (shift - 1)
        return GridPoint(x: (point.x &+ half) >> shift, y: (point.y &+ half) >> shift)
    }

    static func box(_ box: GridBox, at zoom: Int) -> GridBox {
        let (first, last) = (
            point(GridPoint(x: box.minX, y: box.minY), at: zoom), point(GridPoint(x: box.maxX, y: box.maxY), at: zoom)
        )
        return GridBox(minX: first.x, minY: first.y, maxX: last.x, maxY: last.y)
    }

    /// Returns the columns and rows of the tiles of a zoom that a box has a part of.
    static func tiles(of box: GroundBox, at zoom: Int) -> (columns: Range<Int>, rows: Range<Int>) {
        let grid = self.box(box)
        let side = Int(extent) << (finestZoom - zoom)
        func range(_ low: Int32, _ high: Int32) -> Range<Int> {
            let first = max(0, Int(low)) / side
            // A box that ends where a tile begins has nothing of it.
            let last = (min(Int(high), Int(size)) - 1) / side
            return first..<max(first, last) + 1
        }
        return (range(grid.minX, grid.maxX), range(grid.minY, grid.maxY))
    }
}

extension GroundBox {
    /// Returns the columns and rows of the tiles of a zoom, 0 to 17, that it has a part of.
    package func tiles(at zoom: Int) -> (columns: Range<Int>, rows: Range<Int>) { Grid.tiles(of: self, at: zoom) }

    /// Returns whether both have a part of the same tile of a zoom, 0 to 17.
    package func sharesTile(with other: GroundBox, at zoom: Int) -> Bool {
        let (own, others) = (Grid.tiles(of: self, at: zoom), Grid.tiles(of: other, at: zoom))
        return own.columns.overlaps(others.columns) && own.rows.overlaps(others.rows)
    }
}

/// Rings and lines on a grid. A ring's last point is not its first one again.
extension [GridPoint] {
    /// Twice the area of the ring: positive if it runs clockwise on a map, whose y goes down.
    var doubleArea: Double {
        guard let origin = first, count > 2 else { return 0 }
        var sum = 0.0
        var (x, y) = (Double(self[1].x) - Double(origin.x), Double(self[1].y) - Double(origin.y))
        for point in self[2...] {
            let (nextX, nextY) = (Double(point.x) - Double(origin.x), Double(point.y) - Double(origin.y))
            sum += x * nextY - nextX * y
            (x, y) = (nextX, nextY)
        }
        return sum
    }

    /// Returns whether a point lies in the ring; one on its border may or may not.
    func encloses(_ point: GridPoint) -> Bool {
        guard var previous = last else { return false }
        var isInside = false
        for next in self {
            if (next.y > point.y) != (previous.y > point.y) {
                let share = (Double(point.y) - Double(next.y)) / (Double(previous.y) - Double(next.y))
                if Double(point.x) < Double(next.x) + share * (Double(previous.x) - Double(next.x)) {
                    isInside.toggle()
                }
            }
            previous = next
        }
        return isInside
    }

    /// Returns the line without points that repeat the one before.
    var withoutRepetitions: [GridPoint] {
        var points: [GridPoint] = []
        points.reserveCapacity(count)
        for point in self where point != points.last { points.append(point) }
        return points
    }

    /// Returns the ring without repetitions, points on straight sides, and spikes; an empty array if nothing is left.
    var cleanRing: [GridPoint] {
        var points: [GridPoint] = []
        points.reserveCapacity(count)
        for point in self {
            while points.count > 1, Self.isFlat(points[points.count - 2], points[points.count - 1], point) {
                points.removeLast()
            }
            if point != points.last { points.append(point) }
        }
        // The same where the ring closes.
        var start = 0
        while points.count - start > 2 {
            if Self.isFlat(points[points.count - 2], points[points.count - 1], points[start]) {
                points.removeLast()
            } else if Self.isFlat(points[points.count - 1], points[start], points[start + 1]) {
                start += 1
            } else {
                return start == 0 ? points : Array(points[start...])
            }
        }
        return []
    }

    /// Whether three points lie on one line, in any order.
    private static func isFlat(_ a: GridPoint, _ b: GridPoint, _ c: GridPoint) -> Bool {
        let (abX, abY) = (Int(b.x) - Int(a.x), Int(b.y) - Int(a.y))
        let (bcX, bcY) = (Int(c.x) - Int(b.x), Int(c.y) - Int(b.y))
        return abX * bcY == abY * bcX
    }
}

extension [[GridPoint]] {
    /// Returns a point within the polygon of an outer ring and the rings within it, for a label: the middle of the
    /// widest part at half of its height; nil if it has no area.
    var innerPoint: GridPoint? {
        guard let box = first.flatMap({ GridBox(around: $0) }), box.minY < box.maxY else { return nil }
        // Between two rows of the grid, so that no corner lies on the line.
        let height = ((Double(box.minY) + Double(box.maxY)) / 2).rounded(.down) + 0.5
        var crossings: [Double] = []
        for ring in self {
            guard var previous = ring.last else { continue }
            for next in ring {
                if (Double(next.y) > height) != (Double(previous.y) > height) {
                    let share = (height - Double(next.y)) / (Double(previous.y) - Double(next.y))
                    crossings.append(Double(next.x) + share * (Double(previous.x) - Double(next.x)))
                }
                previous = next
            }
        }
        crossings.sort()
        let spans = stride(from: 0, to: crossings.count - 1, by: 2).map { (crossings[$0], crossings[$0 + 1]) }
        guard let widest = spans.max(by: { $0.1 - $0.0 < $1.1 - $1.0 }) else { return nil }
        return GridPoint(x: Int32(((widest.0 + widest.1) / 2).rounded()), y: Int32(height.rounded(.down)))
    }
}
