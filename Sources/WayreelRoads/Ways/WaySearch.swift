internal import WayreelCore
internal import WayreelEngine
internal import WayreelStory

/// The fastest way between two positions, by A* (Hart, Nilsson and Raphael 1968): the estimate of the rest is the straight
/// line at the speed of the fastest roads, on a plane whose scale is the smallest of the graph, so that it is never too long.
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
    /// How many roads are tried if no way leads from or to the nearest one, which may be an island.
    private static let maxFeet = 8
    /// How much farther than the nearest road another one is as near.
    private static let equallyNear = 3.0
    /// Seconds for a metre beside the roads, where nobody knows the way.
    private static let pace = 3.6

    private let graph: RoadGraph
    private let mode: TravelMode

    init(_ graph: RoadGraph, _ mode: TravelMode) { (self.graph, self.mode) = (graph, mode) }

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

    private struct Mark: OptionSet {
        let rawValue: UInt8

        /// Its way is the fastest.
        static let closed = Mark(rawValue: 1)
        static let goal = Mark(rawValue: 2)
        /// No car passes.
        static let barrier = Mark(rawValue: 4)
    }

    /// What is known of a vertex, in 16 bytes: a search waits for memory most of the time.
    private struct Label {
        /// In seconds.
        var cost = Double.infinity
        /// The arc by which it is reached; none of the first vertices has one.
        var arrival = WaySearch.none
        var mark: Mark = []
    }

    /// Returns the fastest way between the roads that are nearest to two positions, or else between others near them; nil
    /// if there is none.
    func way(from start: [RoadGraph.Foot], to end: [RoadGraph.Foot], near goal: GeoPoint) -> Found? {
        func nearest(_ feet: [RoadGraph.Foot]) -> [RoadGraph.Foot] {
            feet.filter { $0.distance <= (feet.first?.distance ?? 0) + Self.equallyNear }
        }
        let found = search(nearest(start), nearest(end), goal)
        if found != nil || nearest(start).count == start.count && nearest(end).count == end.count { return found }
        return search(start, end, goal)
    }

    private func search(_ start: [RoadGraph.Foot], _ end: [RoadGraph.Foot], _ goal: GeoPoint) -> Found? {
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
        var labels = [Label](repeating: Label(), count: count)
        // The starts from which the first vertices are reached.
        var origins: [Int: Int] = [:]
        if mode == .car { for vertex in graph.barriers { labels[Int(vertex)].mark = .barrier } }
        // The ends by the vertex at which their arcs begin.
        let goals = Dictionary(grouping: ends.indices) { graph.start(ends[$0].arc) }
        for vertex in goals.keys { labels[vertex].mark.insert(.goal) }
        let far = ends.map(\.beside).max() ?? 0
        let (goalX, goalY) = (goal.longitude * 1e7, goal.latitude * 1e7)
        let (plane, smallestPace) = (graph.smallestPlane, Double(graph.smallestPaces[mode]))
        func rest(_ spot: RoadGraph.Spot) -> Double {
            let (x, y) = ((Double(spot.x) - goalX) * plane.x, (Double(spot.y) - goalY) * plane.y)
            return max(0, (x * x + y * y).squareRoot() - far) * smallestPace
        }
        var heap = SearchHeap()
        for (index, start) in starts.enumerated() {
            let vertex = graph.end(start.arc)
            let cost = start.beside * Self.pace + (graph.length(start.arc) - start.offset) * start.pace
            guard cost < labels[vertex].cost else { continue }
            (labels[vertex].cost, origins[vertex]) = (cost, index)
            heap.insert(UInt32(vertex), cost: cost + rest(graph.vertices[vertex]))
        }
        let (forward, backward) = (RoadAccess.forward(mode), RoadAccess.backward(mode))
        // Without checks of bounds, the search takes half of the time. All indices are the graph's own.
        graph.edges.withUnsafeBufferPointer { edges in
            graph.paces.withUnsafeBufferPointer { paces in
                graph.vertices.withUnsafeBufferPointer { vertices in
                    labels.withUnsafeMutableBufferPointer { labels in
                        while let (estimate, value) = heap.popFirst(), estimate < best.seconds {
                            let vertex = Int(value)
                            let (cost, mark) = (labels[vertex].cost, labels[vertex].mark)
                            if !mark.isDisjoint(with: [.closed, .barrier]) { continue }
                            labels[vertex].mark.insert(.closed)
                            for index in mark.contains(.goal) ? goals[vertex] ?? [] : [] {
                                let end = ends[index]
                                let seconds = cost + end.offset * end.pace + end.beside * Self.pace
                                if seconds < best.seconds { best = (seconds, -1, index, value) }
                            }
                            for at in Int(graph.firstArc[vertex])..<Int(graph.firstArc[vertex + 1]) {
                                let arc = graph.arcs[at]
                                let edge = edges[arc.edge]
                                guard edge.access.contains(arc.isReverse ? backward : forward) else { continue }
                                let next = Int(arc.isReverse ? edge.from : edge.to)
                                let total = cost + Double(edge.length) * Double(paces[Int(edge.paces)][mode])
                                guard total < labels[next].cost else { continue }
                                (labels[next].cost, labels[next].arrival) = (total, arc.rawValue)
                                heap.insert(UInt32(next), cost: total + rest(vertices[next]))
                            }
                        }
                    }
                }
            }
        }
        guard best.seconds < .infinity else { return nil }
        return found(best, starts, ends, labels, origins)
    }

    private func found(
        _ best: (seconds: Double, start: Int, end: Int, vertex: UInt32), _ starts: [Access], _ ends: [Access],
        _ labels: [Label], _ origins: [Int: Int]
    ) -> Found {
        let end = ends[best.end]
        var arcs = [end.arc]
        var first = best.start
        if best.vertex == Self.none {
            arcs = [end.arc]
        } else {
            var vertex = Int(best.vertex)
            while labels[vertex].arrival != Self.none {
                let arc = RoadGraph.Arc(
                    edge: labels[vertex].arrival >> 1, isReverse: labels[vertex].arrival & 1 == 1)
                arcs.append(arc)
                vertex = graph.start(arc)
            }
            first = origins[vertex] ?? 0
            arcs.append(starts[first].arc)
            arcs.reverse()
        }
        let seconds = best.seconds - (starts[first].beside + end.beside) * Self.pace
        return Found(
            arcs: arcs, start: starts[first].offset, end: end.offset, seconds: seconds, before: starts[first].beside,
            after: end.beside)
    }
}
