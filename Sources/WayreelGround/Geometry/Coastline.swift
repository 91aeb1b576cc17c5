/// The sea in a box. OpenStreetMap has no areas of it, only the ways of its coast, whose direction tells the sides:
/// land lies to the left of it, and water to the right.
struct Coastline {
    /// The water as polygons: outer rings, clockwise on a map, each followed by the rings of its islands.
    private(set) var polygons: [[[GridPoint]]] = []
    /// The number of ends of the coast inside of the box, where the extract lacks its continuation. They are connected
    /// with the nearest border of the box.
    private(set) var looseEnds = 0

    /// A stretch of the coast between two borders of the box, and where on the border it begins and ends.
    private struct Stretch {
        var points: [GridPoint]
        var start: Int
        var end: Int
    }

    private let box: GridBox

    /// `ways` are those of the coast, on the grid that the box is on. Without a coast in the box, there is no water.
    init(_ ways: [[GridPoint]], in box: GridBox) {
        self.box = box
        var stretches: [Stretch] = []
        var rings: [[GridPoint]] = []
        for way in Generalization.joined(ways, directed: true) {
            let isClosed = way.first == way.last
            if isClosed, way.allSatisfy(box.contains) {
                rings.append(Array(way.dropLast()))
                continue
            }
            for part in Clipping.line(isClosed ? startingOutside(way) : way, to: box) {
                if let found = stretch(part) { stretches.append(found) }
            }
        }
        var waters = connected(stretches)
        let lakes = rings.filter { $0.doubleArea > 0 }
        let islands = rings.filter { $0.doubleArea < 0 }
        waters += lakes
        polygons = waters.map { [$0] }
        var alone: [[GridPoint]] = []
        for island in islands {
            // The smallest water around it.
            let around = waters.indices.filter { waters[$0].encloses(island[0]) }
            if let index = around.min(by: { abs(waters[$0].doubleArea) < abs(waters[$1].doubleArea) }) {
                polygons[index].append(island)
            } else {
                alone.append(island)
            }
        }
        // Islands only: the sea fills the box.
        if stretches.isEmpty, !alone.isEmpty { polygons.append([box.ring] + alone) }
    }

    /// Returns a closed way that begins at a point outside of the box.
    private func startingOutside(_ way: [GridPoint]) -> [GridPoint] {
        guard let start = way.firstIndex(where: { !box.contains($0) }) else { return way }
        return Array(way[start..<way.count - 1] + way[...start])
    }

    /// Returns a part of the coast that begins and ends at the border; nil if it only touches that.
    private mutating func stretch(_ part: [GridPoint]) -> Stretch? {
        var points = part.withoutRepetitions
        guard points.count > 1 else { return nil }
        if !isOnBorder(points[0]) {
            looseEnds += 1
            points.insert(nearestOnBorder(points[0]), at: 0)
        }
        if let last = points.last, !isOnBorder(last) {
            looseEnds += 1
            points.append(nearestOnBorder(last))
        }
        // Along the border, it divides nothing.
        guard points.contains(where: { !isOnBorder($0) }) || side(points[0]) != side(points[points.count - 1]) else {
            return nil
        }
        return Stretch(points: points, start: position(points[0]), end: position(points[points.count - 1]))
    }

    /// Returns the water's rings: each follows stretches to their ends, and then the border clockwise to the next
    /// stretch.
    private func connected(_ stretches: [Stretch]) -> [[GridPoint]] {
        let starts = stretches.indices.sorted { stretches[$0].start < stretches[$1].start }
        var isUsed = [Bool](repeating: false, count: stretches.count)
        var rings: [[GridPoint]] = []
        for first in starts where !isUsed[first] {
            var ring: [GridPoint] = []
            var index = first
            repeat {
                isUsed[index] = true
                ring += stretches[index].points
                let end = stretches[index].end
                // The first one begins the ring again, and others that are used belong to other rings.
                let open = starts.filter { $0 == first || !isUsed[$0] }
                let next = open.first { stretches[$0].start >= end } ?? open.first ?? first
                ring += corners(from: end, to: stretches[next].start)
                index = next
            } while index != first
            rings.append(ring.withoutRepetitions)
        }
        return rings
    }

    // MARK: The border

    private var width: Int { Int(box.maxX) - Int(box.minX) }
    private var height: Int { Int(box.maxY) - Int(box.minY) }
    private var length: Int { 2 * (width + height) }

    private func isOnBorder(_ point: GridPoint) -> Bool {
        point.x == box.minX || point.x == box.maxX || point.y == box.minY || point.y == box.maxY
    }

    /// The side that a point of the border is on: 0 north, 1 east, 2 south, 3 west.
    private func side(_ point: GridPoint) -> Int {
        if point.y == box.minY, point.x < box.maxX { return 0 }
        if point.x == box.maxX, point.y < box.maxY { return 1 }
        return point.y == box.maxY && point.x > box.minX ? 2 : 3
    }

    /// Returns how far along the border a point of it is, clockwise from the north-west.
    private func position(_ point: GridPoint) -> Int {
        switch side(point) {
        case 0: Int(point.x) - Int(box.minX)
        case 1: width + Int(point.y) - Int(box.minY)
        case 2: width + height + Int(box.maxX) - Int(point.x)
        default: 2 * width + height + Int(box.maxY) - Int(point.y)
        }
    }

    /// Returns the corners that lie clockwise between two positions on the border.
    private func corners(from start: Int, to end: Int) -> [GridPoint] {
        let end = end < start ? end + length : end
        let positions = [0, width, width + height, 2 * width + height].enumerated()
        let all = positions.map { ($0.element, box.ring[$0.offset]) }
        return (all + all.map { ($0.0 + length, $0.1) }).filter { start < $0.0 && $0.0 < end }.map(\.1)
    }

    private func nearestOnBorder(_ point: GridPoint) -> GridPoint {
        let ways: [(distance: Int, point: GridPoint)] = [
            (Int(point.y) - Int(box.minY), GridPoint(x: point.x, y: box.minY)),
            (Int(box.maxX) - Int(point.x), GridPoint(x: box.maxX, y: point.y)),
            (Int(box.maxY) - Int(point.y), GridPoint(x: point.x, y: box.maxY)),
            (Int(point.x) - Int(box.minX), GridPoint(x: box.minX, y: point.y)),
        ]
        return ways.min { $0.distance < $1.distance }?.point ?? point
    }
}
