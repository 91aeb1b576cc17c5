internal import Glibc
package import WayreelStory

/// Finds the circles near a position: a packed R-tree whose boxes are sorted into strips (Leutenegger and others
/// 1997, "STR").
package struct FenceIndex: Sendable {
    private static let fanout = 8

    /// The boxes of all levels, leaves first and root last.
    private var boxes: [GeoBox] = []
    /// The circle number of each leaf.
    private var circles: [Int32] = []
    /// The index in ``boxes`` at which each level begins.
    private var levels: [Int] = []

    /// Creates an index of circles from their centres and their radii in metres.
    package init(_ reaches: [(center: GeoPoint, radius: Double)]) {
        var leaves: [(box: GeoBox, circle: Int32)] = []
        for (number, reach) in reaches.enumerated() {
            let (box, other) = GeoBox.around(reach.center, radius: reach.radius)
            leaves.append((box, Int32(number)))
            if let other { leaves.append((other, Int32(number))) }
        }
        guard !leaves.isEmpty else { return }
        Self.sortIntoStrips(&leaves)
        boxes = leaves.map(\.box)
        circles = leaves.map(\.circle)
        levels = [0]
        var level = 0..<boxes.count
        while level.count > 1 {
            levels.append(boxes.count)
            for start in stride(from: level.lowerBound, to: level.upperBound, by: Self.fanout) {
                var parent = boxes[start]
                for child in start..<min(start + Self.fanout, level.upperBound) { parent.extend(over: boxes[child]) }
                boxes.append(parent)
            }
            level = level.upperBound..<boxes.count
        }
    }

    /// Sorts into strips of longitude, each sorted by latitude, so that neighbours in the list are neighbours on the
    /// Earth.
    private static func sortIntoStrips(_ leaves: inout [(box: GeoBox, circle: Int32)]) {
        func order(_ a: (box: GeoBox, circle: Int32), _ b: (box: GeoBox, circle: Int32), by key: (GeoBox) -> Double)
            -> Bool
        {
            let (x, y) = (key(a.box), key(b.box))
            return x == y ? a.circle < b.circle : x < y
        }
        leaves.sort { order($0, $1) { $0.west + $0.east } }
        let nodes = (leaves.count + fanout - 1) / fanout
        let strip = Int(Double(nodes).squareRoot().rounded(.up)) * fanout
        for start in stride(from: 0, to: leaves.count, by: strip) {
            leaves[start..<min(start + strip, leaves.count)].sort { order($0, $1) { $0.south + $0.north } }
        }
    }

    /// Calls `body` with each circle that may overlap a circle around a position, possibly twice, in no particular
    /// order.
    package func forEachNear(_ place: GeoPoint, radius: Double, _ body: (Int) -> Void) {
        guard !levels.isEmpty else { return }
        let (box, other) = GeoBox.around(place, radius: radius)
        search(box, levels.count - 1, boxes.count - 1, body)
        if let other { search(other, levels.count - 1, boxes.count - 1, body) }
    }

    private func search(_ box: GeoBox, _ level: Int, _ node: Int, _ body: (Int) -> Void) {
        guard boxes[node].overlaps(box) else { return }
        guard level > 0 else { return body(Int(circles[node])) }
        let first = levels[level - 1] + (node - levels[level]) * Self.fanout
        for child in first..<min(first + Self.fanout, levels[level]) { search(box, level - 1, child, body) }
    }
}

/// A range of latitudes and longitudes in degrees that does not cross the antimeridian.
package struct GeoBox: Hashable, Sendable {
    package var south: Double
    package var north: Double
    package var west: Double
    package var east: Double

    /// Returns a box slightly larger than a circle on the ellipsoid, or two boxes if the circle crosses the
    /// antimeridian.
    package static func around(_ center: GeoPoint, radius: Double) -> (GeoBox, GeoBox?) {
        // A degree of latitude is at least 110.57 km long, and a degree of longitude is at least as long as on a
        // sphere with such degrees.
        let reach = radius / 110_500 * 1.001 + 1e-7
        let (south, north) = (center.latitude - reach, center.latitude + reach)
        func box(_ west: Double, _ east: Double) -> GeoBox {
            GeoBox(south: south, north: north, west: west, east: east)
        }
        guard south > -89.9, north < 89.9 else { return (box(-180, 180), nil) }
        let width = reach / cos(max(abs(south), abs(north)) * .pi / 180)
        guard width < 180 else { return (box(-180, 180), nil) }
        let (west, east) = (center.longitude - width, center.longitude + width)
        if west < -180 { return (box(-180, east), box(west + 360, 180)) }
        if east > 180 { return (box(west, 180), box(-180, east - 360)) }
        return (box(west, east), nil)
    }

    func overlaps(_ other: GeoBox) -> Bool {
        south <= other.north && other.south <= north && west <= other.east && other.west <= east
    }

    mutating func extend(over other: GeoBox) {
        south = min(south, other.south)
        north = max(north, other.north)
        west = min(west, other.west)
        east = max(east, other.east)
    }
}
