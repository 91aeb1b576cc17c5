internal import WayreelCore
internal import WayreelEngine
internal import WayreelStory

/// Lists the turns of a way.
struct WayListing {
    private let graph: RoadGraph
    private let mode: TravelMode
    private(set) var way: RoadWay

    /// A turn of less than this, in degrees, is none.
    private static let straight = 20.0
    /// From this on, a bend at a junction is told of on the same road, too.
    private static let bend = 40.0

    init(_ graph: RoadGraph, _ mode: TravelMode, _ positions: [GeoPoint], _ legs: [WaySearch.Found]) {
        (self.graph, self.mode) = (graph, mode)
        way = RoadWay(mode)
        for (index, leg) in legs.enumerated() {
            if index == 0 { addStop(positions[0], leg.arcs[0], leg.start, leg.before) }
            add(leg)
            let last = leg.arcs[leg.arcs.count - 1]
            let (point, bearing) = graph.point(on: last, at: leg.end)
            addStop(positions[index + 1], last, leg.end, leg.after)
            way.steps.append(
                RoadWay.Step(
                    turn: .arrive, stop: index + 1, road: nil, position: point, bearing: bearing, length: 0, duration: 0
                ))
        }
        way.length = way.length.rounded(places: 1)
        way.duration = way.duration.rounded(places: 1)
        for index in way.steps.indices {
            way.steps[index].length = way.steps[index].length.rounded(places: 1)
            way.steps[index].duration = way.steps[index].duration.rounded(places: 1)
            way.steps[index].bearing = way.steps[index].bearing.rounded(places: 1)
        }
    }

    private mutating func addStop(_ position: GeoPoint, _ arc: RoadGraph.Arc, _ offset: Double, _ beside: Double) {
        way.stops.append(
            RoadWay.Stop(
                position: position, road: graph.point(on: arc, at: offset).point, beside: beside.rounded(places: 1),
                along: way.length.rounded(places: 1)))
    }

    private mutating func add(_ leg: WaySearch.Found) {
        var before: RoadGraph.Arc?
        for (index, arc) in leg.arcs.enumerated() {
            let start = index == 0 ? leg.start : 0
            let end = index == leg.arcs.count - 1 ? leg.end : graph.length(arc)
            if let before {
                turn(from: before, to: arc)
            } else {
                let (point, bearing) = graph.point(on: arc, at: start)
                way.steps.append(step(.depart, arc, point, bearing))
            }
            travel(arc, from: start, to: end)
            before = arc
        }
    }

    private func step(
        _ turn: RoadWay.Turn, _ arc: RoadGraph.Arc, _ position: GeoPoint, _ bearing: Double
    ) -> RoadWay.Step {
        RoadWay.Step(
            turn: turn, road: graph.name(of: graph.road(arc)), position: position, bearing: bearing, length: 0,
            duration: 0)
    }

    /// Adds a stretch of an arc to the last step and to the line.
    private mutating func travel(_ arc: RoadGraph.Arc, from start: Double, to end: Double) {
        let length = max(0, end - start)
        let seconds = length * (graph.pace(arc, mode) ?? 0)
        way.length += length
        way.duration += seconds
        way.steps[way.steps.count - 1].length += length
        way.steps[way.steps.count - 1].duration += seconds
        append(graph.point(on: arc, at: start).point)
        var along = 0.0
        let shape = graph.shape(arc)
        for (a, b) in zip(shape, shape.dropFirst()) {
            along += Plane(a).distance(a, b)
            if along > start, along < end { append(b.point) }
        }
        append(graph.point(on: arc, at: end).point)
    }

    private mutating func append(_ point: GeoPoint) {
        if way.line.last != point { way.line.append(point) }
    }

    // MARK: Turns

    private mutating func turn(from before: RoadGraph.Arc, to arc: RoadGraph.Arc) {
        let (last, next) = (graph.road(before), graph.road(arc))
        let vertex = graph.start(arc)
        let others = graph.arcs(from: vertex).filter {
            $0 != arc && $0 != before.reversed && graph.pace($0, mode) != nil
        }
        let bearing = graph.bearing(arc, atEnd: false)
        let angle = (bearing - graph.bearing(before, atEnd: true)).asTurn
        let position = graph.vertices[vertex].point
        if next.isRoundabout, mode != .foot {
            if last.isRoundabout {
                if !others.isEmpty { way.steps[way.steps.count - 1].exit? += 1 }
            } else {
                var step = step(.roundabout, arc, position, bearing)
                step.exit = 1
                way.steps.append(step)
            }
            return
        }
        if last.isRoundabout, mode != .foot {
            // The step of the roundabout tells the road on which it is left.
            way.steps[way.steps.count - 1].road = graph.name(of: next)
            return
        }
        if arc == before.reversed {
            way.steps.append(step(.uTurn, arc, position, bearing))
            return
        }
        let isSame = last.name == next.name && last.ref == next.ref && last.isLink == next.isLink
        let isUnnamed = next.name == 0 && next.ref == 0
        if others.isEmpty {
            if isSame || isUnnamed { return }
        } else if abs(angle) < Self.straight ? isSame || isUnnamed : isSame && abs(angle) < Self.bend {
            return
        }
        way.steps.append(step(Self.turn(angle), arc, position, bearing))
    }

    private static func turn(_ angle: Double) -> RoadWay.Turn {
        switch abs(angle) {
        case ..<straight: .straight
        case ..<50: angle < 0 ? .slightLeft : .slightRight
        case ..<125: angle < 0 ? .left : .right
        case ..<170: angle < 0 ? .sharpLeft : .sharpRight
        default: .uTurn
        }
    }
}
