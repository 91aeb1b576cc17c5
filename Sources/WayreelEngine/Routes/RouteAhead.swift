internal import Glibc
public import WayreelStory

/// The events ahead of a traveller on a route.
///
///     let route = try RouteLine(Track.read(path: "route.gpx"))
///     let ahead = RouteAhead(along: route, from: position, course: 340, events: chapter.events)
///     for pass in ahead.events { print(pass.event, pass.distance, pass.beside, pass.side) }
///
/// A search by radius cannot distinguish ahead from behind, or this road from a crossing one. Here events are
/// projected onto the route and sorted in the order of travel.
public struct RouteAhead: Hashable, Sendable, Codable {
    public enum Side: String, Hashable, Sendable, Codable {
        case left, right
    }

    /// The point at which the route passes an event.
    public struct Pass: Hashable, Sendable, Codable {
        public var event: String
        /// The distance along the route from the traveller in metres, negative if it is behind.
        public var distance: Double
        /// The distance of the event from the route at this point, in metres.
        public var beside: Double
        /// The side on which the event lies, as seen in the direction of travel.
        public var side: Side
    }

    /// The distance along the route from its start to the traveller, in metres.
    public private(set) var along: Double
    /// The distance of the traveller from the route, in metres.
    public private(set) var beside: Double
    /// Whether the route is followed from its start to its end.
    public private(set) var isForward: Bool
    /// The events ahead in the order of travel: each at the point where the route is nearest to it, or at the first
    /// pass that comes within ten metres of the nearest distance.
    public private(set) var events: [Pass]
    /// The events that are only behind, nearest first.
    public private(set) var behind: [Pass]

    /// The cost in metres of a stretch of the route at right angles to the course.
    private static let courseWeight = 50.0
    /// The cost in metres of following a route against its direction.
    private static let reverseWeight = 25.0
    /// The metres by which the route must approach again for a second pass, and by which that may be farther than the
    /// nearest.
    private static let newPass = 10.0

    /// Finds the events of `events` that are within `limit` metres of the route.
    ///
    /// If a route crosses itself or goes back and forth, the traveller is located on a near stretch in the direction
    /// of `course`, in degrees clockwise from north. Without a course, the nearest stretch is used, followed from the
    /// start of the route to its end.
    public init(
        along route: RouteLine, from position: GeoPoint, course: Double? = nil, events: [Event],
        within limit: Double = 200
    ) {
        let here = Self.locate(position, course, on: route)
        (along, beside, isForward) = (here.foot.along, here.foot.beside, here.isForward)
        (self.events, behind) = ([], [])
        let sign = isForward ? 1.0 : -1.0
        for event in events {
            var passes = Self.passes(route.feet(of: event.position, within: limit)).map { foot in
                Pass(
                    event: event.id, distance: sign * (foot.along - along), beside: foot.beside,
                    side: Self.side(of: event.position, from: foot, on: route, isForward: isForward))
            }
            let nearest = passes.map(\.beside).min() ?? 0
            passes.removeAll { $0.beside > nearest + Self.newPass }
            passes.sort { $0.distance < $1.distance }
            if let next = passes.first(where: { $0.distance >= 0 }) {
                self.events.append(next)
            } else if let last = passes.last {
                behind.append(last)
            }
        }
        self.events.sort { ($0.distance, $0.event) < ($1.distance, $1.event) }
        behind.sort { ($1.distance, $0.event) < ($0.distance, $1.event) }
    }

    /// Returns the direction of travel after the given positions: from the second to last to the last distinct
    /// position. The first position is not used, because receivers begin with an old one. Returns nil if there are
    /// fewer than three distinct positions.
    public static func course(of positions: [GeoPoint]) -> Double? {
        var distinct: [GeoPoint] = []
        for position in positions where distinct.last.map({ $0.geodesic(to: position).distance > 0 }) ?? true {
            distinct.append(position)
        }
        guard distinct.count >= 3 else { return nil }
        return distinct[distinct.count - 2].geodesic(to: distinct[distinct.count - 1]).bearing
    }

    private static func locate(
        _ position: GeoPoint, _ course: Double?, on route: RouteLine
    ) -> (foot: RouteLine.Foot, isForward: Bool) {
        let nearest = route.nearest(to: position)
        guard let course else { return (nearest, true) }
        // A stretch beyond this distance cannot have a lower cost than the nearest one.
        let feet = route.feet(of: position, within: nearest.beside + courseWeight + reverseWeight)
        let candidates = feet.map(\.foot).map { foot in
            let agreement = cos((route.bearing(at: foot.along) - course) * .pi / 180)
            let turn = courseWeight * (1 - abs(agreement)) + (agreement < 0 ? reverseWeight : 0)
            return (foot: foot, isForward: agreement >= 0, cost: foot.beside + turn)
        }
        return candidates.min { $0.cost < $1.cost }.map { ($0.foot, $0.isForward) } ?? (nearest, true)
    }

    /// Returns the nearest foot of each approach, given feet in the order of the route.
    private static func passes(_ feet: [RouteLine.NearFoot]) -> [RouteLine.Foot] {
        var passes: [RouteLine.Foot] = []
        /// The largest distance of the route since the nearest point of the last pass.
        var peak = 0.0
        for near in feet {
            peak = max(peak, near.peak)
            guard let best = passes.last, peak - max(best.beside, near.foot.beside) < newPass else {
                passes.append(near.foot)
                peak = near.foot.beside
                continue
            }
            if near.foot.beside < best.beside {
                passes[passes.count - 1] = near.foot
                peak = near.foot.beside
            }
        }
        return passes
    }

    private static func side(
        of point: GeoPoint, from foot: RouteLine.Foot, on route: RouteLine, isForward: Bool
    ) -> Side {
        let direction = route.bearing(at: foot.along) + (isForward ? 0 : 180)
        return (foot.point.geodesic(to: point).bearing - direction).asTurn < 0 ? .left : .right
    }
}
