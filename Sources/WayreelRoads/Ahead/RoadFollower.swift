internal import WayreelEngine
internal import WayreelStory

/// Follows a road by its number or name, through junctions at which others run along or cross.
struct RoadFollower {
    /// Why a road is followed no farther.
    enum End: String {
        case limit, road, extract, fork
    }

    /// An arc of the road, and the metres from the traveller to its start: negative for that on which he is.
    struct Leg {
        var arc: RoadGraph.Arc
        var along: Double
    }

    private let graph: RoadGraph
    private(set) var legs: [Leg] = []
    /// The numbers that are followed: those that all of the road until now has had.
    private(set) var refs: Set<Substring> = []
    private var name: UInt32 = 0
    private(set) var end = End.limit
    /// The metres to the end.
    private(set) var length = 0.0

    /// How far a number may be missing, as in a roundabout.
    private static let gap = 600.0
    /// How long a ramp may be.
    private static let ramp = 5000.0
    private static let maxArcs = 100_000

    /// Follows the road of `place` for up to `limit` metres. `before` are the roads that were travelled last, the last one
    /// first: they say which of two numbers is followed where roads run along each other.
    init(_ graph: RoadGraph, from place: RoadGraph.Place, before: [RoadGraph.Road], limit: Double) {
        self.graph = graph
        follow(place.arc, -place.offset)
        let road = graph.road(place.arc)
        if road.isLink {
            guard leaveRamp(limit) else { return }
        } else {
            (refs, name) = (graph.refs(road), road.name)
            for earlier in before {
                let common = refs.intersection(graph.refs(earlier))
                if common.isEmpty { break }
                refs = common
            }
        }
        var visited: Set<RoadGraph.Arc> = Set(legs.map(\.arc))
        while length < limit, legs.count < Self.maxArcs {
            guard let last = legs.last?.arc else { return }
            let next = continuation(last).map { [$0] } ?? bridge(last, visited)
            guard let next, !next.contains(where: visited.contains) else {
                let vertex = graph.end(last)
                let leaves = graph.arcs(from: vertex).contains { $0 != last.reversed && graph.allows($0, .car) }
                end = leaves ? .road : .extract
                return
            }
            for arc in next { follow(arc, length) }
            visited.formUnion(next)
            if let arc = next.last { narrow(to: graph.road(arc)) }
        }
    }

    private mutating func follow(_ arc: RoadGraph.Arc, _ along: Double) {
        legs.append(Leg(arc: arc, along: along))
        length = along + graph.length(arc)
    }

    private mutating func narrow(to road: RoadGraph.Road) {
        let common = refs.intersection(graph.refs(road))
        if !common.isEmpty { refs = common }
        if refs.isEmpty, road.name != 0 { name = road.name }
    }

    /// Follows a ramp to the road that it leads to. Where it forks, nobody knows yet.
    private mutating func leaveRamp(_ limit: Double) -> Bool {
        while length < min(limit, Self.ramp), let last = legs.last?.arc {
            let ways = graph.waysOn(last)
            guard let next = ways.first else {
                end = .extract
                return false
            }
            guard ways.count == 1 else {
                end = .fork
                return false
            }
            guard !legs.contains(where: { $0.arc == next }) else { break }
            follow(next, length)
            let road = graph.road(next)
            if !road.isLink {
                (refs, name) = (graph.refs(road), road.name)
                return true
            }
        }
        end = .fork
        return false
    }

    // MARK: Junctions

    private func isSame(_ road: RoadGraph.Road) -> Bool {
        if !refs.isEmpty { return !refs.isDisjoint(with: graph.refs(road)) }
        return name != 0 && road.name == name
    }

    /// Returns the arc on which the road goes on after a junction.
    private func continuation(_ last: RoadGraph.Arc) -> RoadGraph.Arc? {
        let ways = graph.waysOn(last)
        let bearing = graph.bearing(last, atEnd: true)
        func turn(_ arc: RoadGraph.Arc) -> Double { abs((graph.bearing(arc, atEnd: false) - bearing).asTurn) }
        let here = graph.road(last)
        // More of its numbers first, ramps last, then the straightest.
        func rank(_ arc: RoadGraph.Arc) -> (Int, Int, Double) {
            let road = graph.road(arc)
            return (-refs.intersection(graph.refs(road)).count, road.isLink ? 1 : 0, turn(arc))
        }
        let same = ways.filter { isSame(graph.road($0)) }
        // A road with two carriageways begins anew beside: going back is no way on.
        if let best = same.filter({ turn($0) < 135 }).min(by: { rank($0) < rank($1) }) { return best }
        // A stretch of which nobody has written the number, as a bridge.
        guard ways.count == 1, let only = ways.first else { return nil }
        let road = graph.road(only)
        let isUnnamed = graph.refs(road).isEmpty && (road.name == 0 || road.name == here.name)
        return isUnnamed && road.isLink == here.isLink && road.roadClass == here.roadClass ? only : nil
    }

    /// Returns the arcs of a short way to where the number goes on, as through a roundabout.
    private func bridge(_ last: RoadGraph.Arc, _ visited: Set<RoadGraph.Arc>) -> [RoadGraph.Arc]? {
        guard !refs.isEmpty || name != 0 else { return nil }
        var previous: [RoadGraph.Arc: RoadGraph.Arc] = [:]
        var open: [(arc: RoadGraph.Arc, metres: Double)] = [(last, 0)]
        let bearing = graph.bearing(last, atEnd: true)
        while let index = open.indices.min(by: { open[$0].metres < open[$1].metres }), previous.count < 500 {
            let (arc, metres) = open.remove(at: index)
            if arc != last, isSame(graph.road(arc)), !graph.road(arc).isLink {
                // It goes on ahead, not back on the other carriageway.
                guard abs((graph.bearing(arc, atEnd: true) - bearing).asTurn) < 120 else { continue }
                var arcs = [arc]
                while let before = previous[arcs[0]], before != last { arcs.insert(before, at: 0) }
                return arcs
            }
            // Ramps lead to other roads.
            for next in graph.waysOn(arc) where previous[next] == nil && next != last && !visited.contains(next) {
                guard !graph.road(next).isLink || graph.road(last).isLink else { continue }
                let total = metres + (arc == last ? 0 : graph.length(arc))
                guard total <= Self.gap else { continue }
                previous[next] = arc
                open.append((next, total))
            }
        }
        return nil
    }
}

extension RoadGraph {
    /// The numbers of a road, without spaces: `A9`.
    func refs(_ road: Road) -> Set<Substring> {
        guard road.ref != 0 else { return [] }
        let text = texts[Int(road.ref)].filter { $0 != " " }
        return Set(text.split(whereSeparator: { $0 == ";" || $0 == "/" }))
    }

    /// The arcs on which a car may go on after an arc, without turning round.
    func waysOn(_ arc: Arc) -> [Arc] {
        arcs(from: end(arc)).filter { $0 != arc.reversed && allows($0, .car) }
    }
}
