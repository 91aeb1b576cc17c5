internal import WayreelCore
internal import WayreelEngine
internal import WayreelStory

/// The fastest way between two positions, by A* (Hart, Nilsson and Raphael 1968): the estimate of the rest is the straight
/// line at the mode's top speed, on a plane whose scale is the smallest of the graph, so that it is never too long.
struct WaySearch {
    /// A way: the arcs, of which the first begins and the last ends within.
    struct Found {
        var arcs: [RoadGraph.Arc]
        /// Metres along the first arc, and along the last one.
        var start: Double
        var end: Double
        var seconds: Double
        /// Metres from the positions to the roads.
        var before: Double
        var after: Double
    }

    /// How far a road may be.
    static let reach = 2000.0
    /// How many roads are tried: the nearest one may be an island.
    private static let maxFeet = 8
    /// Seconds for a metre to the nearest road.
    private static let pace = 3.6 / 4

    private let graph: RoadGraph
    private let mode: TravelMode
    private let plane: Plane

    init(_ graph: RoadGraph, _ mode: TravelMode) {
        (self.graph, self.mode) = (graph, mode)
        let latitudes = graph.vertices.lazy.map { abs(Double($0.y)) / 1e7 }
        let (east, north) = (Plane(latitude: latitudes.max() ?? 0), Plane(latitude: latitudes.min() ?? 0))
        plane = Plane(x: east.x, y: north.y)
    }

    /// Returns the roads near a position, nearest first.
    func feet(of point: GeoPoint) -> [RoadGraph.Foot] {
        var radius = 100.0
        while true {
            let feet = graph.feet(of: point, within: radius) { edge in
                let arc = RoadGraph.Arc(edge: UInt32(edge), isReverse: false)
                return graph.pace(arc, mode) != nil || graph.pace(arc.reversed, mode) != nil
            }
            if feet.count >= Self.maxFeet || radius >= Self.reach { return Array(feet.prefix(Self.maxFeet)) }
            radius = min(radius * 3, Self.reach)
        }
    }

    /// A road near a position, in a direction in which it may be travelled.
    private struct Access {
        var arc: RoadGraph.Arc
        var offset: Double
        var beside: Double
        var pace: Double
    }

    private func accesses(_ feet: [RoadGraph.Foot]) -> [Access] {
        feet.flatMap { foot in
            [false, true].compactMap { isReverse in
                let arc = RoadGraph.Arc(edge: foot.edge, isReverse: isReverse)
                guard let pace = graph.pace(arc, mode) else { return nil }
                let offset = isReverse ? graph.length(arc) - foot.offset : foot.offset
                return Access(arc: arc, offset: offset, beside: foot.distance, pace: pace)
            }
        }
    }

    private static let none = UInt32.max

    /// Returns the fastest way between roads near two positions; nil if there is none.
    func way(from start: [RoadGraph.Foot], to end: [RoadGraph.Foot], near goal: GeoPoint) -> Found? {
        let (starts, ends) = (accesses(start), accesses(end))
        var best = (seconds: Double.infinity, start: -1, end: -1, vertex: Self.none)
        for (from, start) in starts.enumerated() {
            for (to, end) in ends.enumerated() where start.arc == end.arc && end.offset >= start.offset {
                let seconds =
                    (start.beside + end.beside) * Self.pace + (end.offset - start.offset) * start.pace
                if seconds < best.seconds { best = (seconds, from, to, Self.none) }
            }
        }
        let count = graph.vertices.count
        var costs = [Double](repeating: .infinity, count: count)
        // The arc by which a vertex is reached, and for the first vertices the index of the start.
        var arrivals = [UInt32](repeating: Self.none, count: count)
        var origins = [Int32](repeating: -1, count: count)
        var heap = SearchHeap()
        let far = ends.map(\.beside).max() ?? 0
        let top = RoadGraph.topSpeed(mode)
        let (goalX, goalY) = (goal.longitude * 1e7, goal.latitude * 1e7)
        func rest(_ vertex: Int) -> Double {
            let spot = graph.vertices[vertex]
            let (x, y) = ((Double(spot.x) - goalX) * plane.x, (Double(spot.y) - goalY) * plane.y)
            return max(0, (x * x + y * y).squareRoot() - far) / top
        }
        for (index, start) in starts.enumerated() {
            let vertex = graph.end(start.arc)
            let cost = start.beside * Self.pace + (graph.length(start.arc) - start.offset) * start.pace
            guard cost < costs[vertex] else { continue }
            (costs[vertex], origins[vertex], arrivals[vertex]) = (cost, Int32(index), Self.none)
            heap.insert(UInt32(vertex), cost: cost + rest(vertex))
        }
        // The ends by the vertex at which their arcs begin.
        let goals = Dictionary(grouping: ends.indices) { graph.start(ends[$0].arc) }
        let stopsCars = mode == .car && !graph.barriers.isEmpty
        while let (estimate, value) = heap.popFirst(), estimate < best.seconds {
            let vertex = Int(value)
            let cost = costs[vertex]
            guard estimate <= cost + rest(vertex) + 1e-9 else { continue }
            for index in goals[vertex] ?? [] {
                let end = ends[index]
                let seconds = cost + end.offset * end.pace + end.beside * Self.pace
                if seconds < best.seconds { best = (seconds, -1, index, value) }
            }
            if stopsCars, graph.barriers.contains(value) { continue }
            for arc in graph.arcs(from: vertex) {
                guard let pace = graph.pace(arc, mode) else { continue }
                let next = graph.end(arc)
                let total = cost + graph.length(arc) * pace
                guard total < costs[next] else { continue }
                (costs[next], arrivals[next], origins[next]) = (total, arc.rawValue, -1)
                heap.insert(UInt32(next), cost: total + rest(next))
            }
        }
        guard best.seconds < .infinity else { return nil }
        return found(best, starts, ends, arrivals, origins)
    }

    private func found(
        _ best: (seconds: Double, start: Int, end: Int, vertex: UInt32), _ starts: [Access], _ ends: [Access],
        _ arrivals: [UInt32], _ origins: [Int32]
    ) -> Found {
        let end = ends[best.end]
        var arcs = [end.arc]
        var first = best.start
        if best.vertex == Self.none {
            arcs = [end.arc]
        } else {
            var vertex = Int(best.vertex)
            while arrivals[vertex] != Self.none {
                let arc = RoadGraph.Arc(
                    edge: arrivals[vertex] >> 1, isReverse: arrivals[vertex] & 1 == 1)
                arcs.append(arc)
                vertex = graph.start(arc)
            }
            first = Int(origins[vertex])
            arcs.append(starts[first].arc)
            arcs.reverse()
        }
        let seconds = best.seconds - (starts[first].beside + end.beside) * Self.pace
        return Found(
            arcs: arcs, start: starts[first].offset, end: end.offset, seconds: seconds, before: starts[first].beside,
            after: end.beside)
    }
}
