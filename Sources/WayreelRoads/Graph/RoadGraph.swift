internal import Glibc
public import WayreelCore
internal import WayreelEngine
internal import WayreelStory

/// The roads of an OpenStreetMap extract as a graph: vertices, edges between them with their shape, and what the tags say.
///
///     let roads = try RoadGraph.read(path: "bayreuth-north.osm.pbf")
///     let way = try roads.way(through: [start, end], by: .bicycle)
///
/// Positions are kept in units of 1e-7 degrees, and all else by index in flat arrays: about 70 bytes for each node of a road,
/// see ``bytes``. Nodes at one position count as one. The graph does not know restrictions of turns.
///
/// © OpenStreetMap contributors: whoever shows what is made of it shows `GroundExtract.attribution`, too.
public final class RoadGraph: Sendable {
    /// A position in units of 1e-7 degrees.
    struct Spot: Hashable, Sendable {
        var x: Int32
        var y: Int32

        var point: GeoPoint { GeoPoint(latitude: Double(y) / 1e7, longitude: Double(x) / 1e7) }
    }

    /// A way of OpenStreetMap. Texts are indices of ``texts``, of which the first is empty.
    struct Road: Sendable {
        var id: Int64
        var roadClass: RoadClass
        var isLink: Bool
        var isRoundabout: Bool
        var access: RoadAccess
        /// In km/h; 0 if unknown.
        var maxSpeed: UInt8
        var name: UInt32
        var ref: UInt32
        var destination: UInt32
        var destinationRef: UInt32
    }

    /// A stretch of a way between two vertices.
    struct Edge: Sendable {
        var from: UInt32
        var to: UInt32
        var road: UInt32
        /// The index of its first point; its last one precedes the first point of the next edge.
        var firstPoint: UInt32
        /// In metres.
        var length: Float
        /// That of the road, and the index of its ``Paces``: a search reads nothing else.
        var access: RoadAccess
        var paces: UInt16
    }

    /// The seconds for a metre.
    struct Paces: Hashable, Sendable {
        var car: Float
        var bicycle: Float
        var foot: Float

        subscript(mode: TravelMode) -> Float {
            switch mode {
            case .car: car
            case .bicycle: bicycle
            case .foot: foot
            }
        }
    }

    /// An edge in one of its directions: `2 * edge`, and 1 more for that from its end to its start.
    struct Arc: Hashable, Sendable {
        var rawValue: UInt32

        init(edge: UInt32, isReverse: Bool) { rawValue = edge << 1 | (isReverse ? 1 : 0) }

        var edge: Int { Int(rawValue >> 1) }
        var isReverse: Bool { rawValue & 1 == 1 }
        var reversed: Arc { Arc(edge: rawValue >> 1, isReverse: !isReverse) }
    }

    /// A junction of a motorway, as a node says it.
    struct Junction: Sendable {
        var number: String?
        var name: String?
        var exitTo: String?
    }

    let vertices: [Spot]
    let edges: [Edge]
    let points: [Spot]
    let roads: [Road]
    let texts: [String]
    let paces: [Paces]
    /// The smallest of each: those of the fastest roads.
    let smallestPaces: Paces
    /// The smallest scale of all vertices: no distance on this plane is too long.
    let smallestPlane: Plane
    /// The arcs that leave each vertex, whoever may travel them: those of `firstArc[v]` up to `firstArc[v + 1]`.
    let firstArc: [UInt32]
    let arcs: [Arc]
    /// Of vertices.
    let junctions: [UInt32: Junction]
    /// Vertices that no car passes.
    let barriers: Set<UInt32>
    let grid: RoadGrid
    /// The services beside the roads, in the order of the file.
    public let services: [RoadService]
    /// What could not be read.
    public let warnings: [MediaWarning]

    init(_ parts: RoadParts, warnings: [MediaWarning]) throws(MediaError) {
        (vertices, edges, points, roads) = (parts.vertices, parts.edges, parts.points, parts.roads)
        (texts, junctions, barriers, services) = (parts.texts, parts.junctions, parts.barriers, parts.services)
        self.warnings = warnings
        paces = parts.paces
        func smallest(_ mode: TravelMode) -> Float {
            let either: RoadAccess = [.forward(mode), .backward(mode)]
            let used = parts.edges.lazy.filter { !$0.access.isDisjoint(with: either) }
            return used.map { parts.paces[Int($0.paces)][mode] }.min() ?? 0
        }
        smallestPaces = Paces(car: smallest(.car), bicycle: smallest(.bicycle), foot: smallest(.foot))
        let latitudes = parts.vertices.lazy.map { abs(Double($0.y)) / 1e7 }
        smallestPlane = Plane(
            x: Plane(latitude: latitudes.max() ?? 0).x, y: Plane(latitude: latitudes.min() ?? 0).y)
        var first = [UInt32](repeating: 0, count: vertices.count + 1)
        for edge in parts.edges {
            first[Int(edge.from) + 1] += 1
            first[Int(edge.to) + 1] += 1
        }
        for vertex in vertices.indices { first[vertex + 1] += first[vertex] }
        var next = first
        var arcs = [Arc](repeating: Arc(edge: 0, isReverse: false), count: parts.edges.count * 2)
        for (index, edge) in parts.edges.enumerated() {
            for (vertex, isReverse) in [(edge.from, false), (edge.to, true)] {
                arcs[Int(next[Int(vertex)])] = Arc(edge: UInt32(index), isReverse: isReverse)
                next[Int(vertex)] += 1
            }
        }
        (firstArc, self.arcs) = (first, arcs)
        grid = try RoadGrid(edges: parts.edges, points: parts.points)
    }

    /// The number of vertices: junctions, ends and nodes with tags of their own.
    public var vertexCount: Int { vertices.count }
    /// The number of stretches between vertices.
    public var edgeCount: Int { edges.count }
    /// The number of bytes that the arrays take, without texts and services.
    public var bytes: Int {
        vertices.count * MemoryLayout<Spot>.stride + edges.count * MemoryLayout<Edge>.stride
            + points.count * MemoryLayout<Spot>.stride + roads.count * MemoryLayout<Road>.stride
            + firstArc.count * 4 + arcs.count * 4 + grid.bytes
    }

    // MARK: Reading it

    func road(_ arc: Arc) -> Road { roads[Int(edges[arc.edge].road)] }
    func length(_ arc: Arc) -> Double { Double(edges[arc.edge].length) }
    func start(_ arc: Arc) -> Int { Int(arc.isReverse ? edges[arc.edge].to : edges[arc.edge].from) }
    func end(_ arc: Arc) -> Int { Int(arc.isReverse ? edges[arc.edge].from : edges[arc.edge].to) }
    func text(_ index: UInt32) -> String? { index == 0 ? nil : texts[Int(index)] }

    func arcs(from vertex: Int) -> ArraySlice<Arc> { arcs[Int(firstArc[vertex])..<Int(firstArc[vertex + 1])] }

    /// The indices of an edge's points, at least two.
    func pointRange(_ edge: Int) -> Range<Int> {
        let end = edge + 1 < edges.count ? Int(edges[edge + 1].firstPoint) : points.count
        return Int(edges[edge].firstPoint)..<end
    }

    func allows(_ arc: Arc, _ mode: TravelMode) -> Bool {
        edges[arc.edge].access.contains(arc.isReverse ? .backward(mode) : .forward(mode))
    }

    /// Returns the seconds that somebody takes for a metre of an arc, or nil if it may not be travelled.
    func pace(_ arc: Arc, _ mode: TravelMode) -> Double? {
        allows(arc, mode) ? Double(paces[Int(edges[arc.edge].paces)][mode]) : nil
    }

    // MARK: Shapes

    /// Returns the points of an arc in its direction.
    func shape(_ arc: Arc) -> [Spot] {
        let shape = points[pointRange(arc.edge)]
        return arc.isReverse ? shape.reversed() : Array(shape)
    }

    /// Returns the point `offset` metres along an arc, and the direction there in degrees clockwise from north.
    func point(on arc: Arc, at offset: Double) -> (point: GeoPoint, bearing: Double) {
        let range = pointRange(arc.edge)
        var rest = min(max(arc.isReverse ? length(arc) - offset : offset, 0), length(arc))
        for index in range.dropLast() {
            let (a, b) = (points[index], points[index + 1])
            let plane = Plane(a)
            let step = plane.vector(a, b)
            let length = (step.x * step.x + step.y * step.y).squareRoot()
            if rest <= length || index + 2 == range.upperBound {
                // Lengths are rounded: ends are exact.
                let share = rest < 0.005 ? 0 : rest > length - 0.005 ? 1 : rest / length
                let bearing = atan2(step.x, step.y) * 180 / .pi + (arc.isReverse ? 180 : 0)
                let point = GeoPoint(
                    latitude: (Double(a.y) + (Double(b.y) - Double(a.y)) * share) / 1e7,
                    longitude: (Double(a.x) + (Double(b.x) - Double(a.x)) * share) / 1e7)
                return (point, bearing.asCompassDegrees)
            }
            rest -= length
        }
        return (points[range.lowerBound].point, 0)
    }

    /// Returns the direction in which an arc begins or ends, over its first or last 15 metres.
    func bearing(_ arc: Arc, atEnd: Bool) -> Double {
        let length = length(arc)
        let (a, b) =
            atEnd
            ? (point(on: arc, at: length - min(15, length)).point, point(on: arc, at: length).point)
            : (point(on: arc, at: 0).point, point(on: arc, at: min(15, length)).point)
        let plane = Plane(latitude: a.latitude)
        let step = plane.vector(a, b)
        return (atan2(step.x, step.y) * 180 / .pi).asCompassDegrees
    }
}

extension RoadGraph.Road {
    /// The paces by class, and for cars by the speed limit, of which they drive 88 % on average.
    var paces: RoadGraph.Paces {
        var car = roadClass.speed(.car) * (isLink ? 0.6 : 1)
        if maxSpeed > 0 { car = min(Double(maxSpeed), 130) * 0.88 }
        // Where a tag allows what the class does not, people are slow.
        func pace(_ speed: Double) -> Float { Float(3.6 / (speed > 0 ? speed : 4)) }
        return RoadGraph.Paces(
            car: pace(car), bicycle: pace(roadClass.speed(.bicycle)), foot: pace(roadClass.speed(.foot)))
    }
}

/// The plane around a position: metres east and north, for distances of some kilometres.
struct Plane {
    /// Metres in a unit of 1e-7 degrees.
    let x: Double
    let y: Double

    init(latitude: Double) {
        let scale = LocalScale(latitude: latitude)
        (x, y) = (scale.east / 1e7, scale.north / 1e7)
    }

    init(x: Double, y: Double) { (self.x, self.y) = (x, y) }

    init(_ spot: RoadGraph.Spot) { self.init(latitude: Double(spot.y) / 1e7) }

    func vector(_ a: RoadGraph.Spot, _ b: RoadGraph.Spot) -> (x: Double, y: Double) {
        ((Double(b.x) - Double(a.x)) * x, (Double(b.y) - Double(a.y)) * y)
    }

    func vector(_ a: GeoPoint, _ b: GeoPoint) -> (x: Double, y: Double) {
        ((b.longitude - a.longitude) * 1e7 * x, (b.latitude - a.latitude) * 1e7 * y)
    }

    func distance(_ a: RoadGraph.Spot, _ b: RoadGraph.Spot) -> Double {
        let step = vector(a, b)
        return (step.x * step.x + step.y * step.y).squareRoot()
    }
}
