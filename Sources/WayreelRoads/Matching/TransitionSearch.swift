/// The ways on the roads from one place to near ones, by Dijkstra's algorithm within a limit. It keeps its arrays from
/// search to search.
struct TransitionSearch {
    struct Way {
        /// Negative if the place lies a little behind, as positions of somebody who stands do.
        var metres: Double
        var turnsRound: Bool
    }

    private let graph: RoadGraph
    private let mode: TravelMode
    /// The metres to each vertex, if its stamp is that of the search, and the arc by which it was reached.
    private var metres: [Double]
    private var arrival: [RoadGraph.Arc]
    private var turned: [Bool]
    private var stamps: [UInt32]
    private var stamp: UInt32 = 0
    private var heap = SearchHeap()

    /// The metres that turning round at a junction counts for.
    private static let turningRound = 40.0
    private static let maxVertices = 4000
    /// How far back somebody may be who has not turned.
    private static let backwards = 60.0

    init(_ graph: RoadGraph, _ mode: TravelMode) {
        (self.graph, self.mode) = (graph, mode)
        metres = [Double](repeating: 0, count: graph.vertices.count)
        arrival = [RoadGraph.Arc](
            repeating: RoadGraph.Arc(edge: 0, isReverse: false), count: graph.vertices.count)
        turned = [Bool](repeating: false, count: graph.vertices.count)
        stamps = [UInt32](repeating: 0, count: graph.vertices.count)
    }

    /// Returns the way to each target that is no longer than `limit` metres.
    mutating func ways(
        from place: RoadGraph.Place, to targets: [RoadGraph.Place], within limit: Double
    ) -> [Way?] {
        var ways = targets.map { direct(from: place, to: $0) }
        var open = targets.indices.filter { ways[$0] == nil }
        guard !open.isEmpty else { return ways }
        begin()
        let length = graph.length(place.arc)
        reach(graph.end(place.arc), by: place.arc, metres: length - place.offset, turnsRound: false, limit)
        var settled = 0
        while settled < Self.maxVertices, let (cost, value) = heap.popFirst() {
            let vertex = Int(value)
            guard cost <= metres[vertex] else { continue }
            settled += 1
            open.removeAll { target in
                let goal = targets[target]
                guard graph.start(goal.arc) == vertex else { return false }
                let total = cost + goal.offset
                // Coming back on the same road means turning round.
                let turns = turned[vertex] || goal.arc == arrival[vertex].reversed
                if total <= limit { ways[target] = Way(metres: total, turnsRound: turns) }
                return true
            }
            if open.isEmpty { break }
            let arcs = graph.arcs(from: vertex)
            for arc in arcs where graph.allows(arc, mode) {
                let turnsRound = arc == arrival[vertex].reversed
                let extra = turnsRound && arcs.count > 1 ? Self.turningRound : 0
                reach(
                    graph.end(arc), by: arc, metres: cost + extra + graph.length(arc),
                    turnsRound: turned[vertex] || turnsRound, limit)
            }
        }
        return ways
    }

    private func direct(from place: RoadGraph.Place, to target: RoadGraph.Place) -> Way? {
        if target.arc == place.arc {
            let ahead = target.offset - place.offset
            return ahead >= -Self.backwards ? Way(metres: ahead, turnsRound: false) : nil
        }
        guard target.arc == place.arc.reversed else { return nil }
        let position = graph.length(place.arc) - target.offset
        return Way(metres: abs(position - place.offset), turnsRound: true)
    }

    private mutating func begin() {
        heap.removeAll()
        stamp &+= 1
        if stamp == 0 {
            stamps = [UInt32](repeating: 0, count: stamps.count)
            stamp = 1
        }
    }

    private mutating func reach(
        _ vertex: Int, by arc: RoadGraph.Arc, metres cost: Double, turnsRound: Bool, _ limit: Double
    ) {
        guard cost <= limit, stamps[vertex] != stamp || cost < metres[vertex] else { return }
        (stamps[vertex], metres[vertex], arrival[vertex], turned[vertex]) = (stamp, cost, arc, turnsRound)
        heap.insert(UInt32(vertex), cost: cost)
    }
}
