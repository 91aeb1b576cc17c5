internal import Glibc
public import WayreelStory

/// What lies ahead of somebody who follows a route.
///
///     let route = try RouteLine(Track.read(path: "route.gpx"))
///     let ahead = RouteAhead(along: route, from: position, course: 340, events: chapter.events)
///     for pass in ahead.events { print(pass.event, pass.distance, pass.beside, pass.side) }
///
/// A search by radius cannot tell ahead from behind, nor this road from the one that crosses it; here events are projected onto the route
/// and come in the order of travel.
public struct RouteAhead: Hashable, Sendable, Codable {
    public enum Side: String, Hashable, Sendable, Codable {
        case left, right
    }

    /// Where the route passes an event.
    public struct Pass: Hashable, Sendable, Codable {
        public var event: String
        /// Metres along the route from the traveller, below 0 for what lies behind.
        public var distance: Double
        /// Metres from the route at its nearest point there.
        public var beside: Double
        /// As the traveller sees it.
        public var side: Side
    }

    /// Metres from the start of the route to the traveller.
    public private(set) var along: Double
    /// Metres from the route to the traveller.
    public private(set) var beside: Double
    /// Whether the route is followed from its start to its end.
    public private(set) var isForward: Bool
    /// The events ahead in the order of travel: each where the route comes nearest to it, or the first time that it does so to within ten
    /// metres.
    public private(set) var events: [Pass]
    /// Those that are behind only, the nearest first.
    public private(set) var behind: [Pass]

    /// Metres that a stretch may be farther away than another one, for being at right angles less to the course.
    private static let courseWeight = 50.0
    /// Metres that following a route against its direction counts as much as.
    private static let reverseWeight = 25.0
    /// Metres by which the route has to come nearer again for a second pass, and by which that may be farther than the nearest.
    private static let newPass = 10.0

    /// Finds what of `events` lies within `limit` metres beside the route.
    ///
    /// Where a route crosses itself or goes to and fro, the traveller is on the stretch that is near and goes in the direction of the
    /// `course`, in degrees clockwise from north. Without one it is the nearest stretch, followed from its start to its end.
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

    /// The direction of travel after so many positions: from the last but one to the last of those that differ. The very first position is
    /// not used, as receivers begin with an old one: nil where fewer than three differ.
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
        // No stretch farther than that can be better than the nearest one.
        let feet = route.feet(of: position, within: nearest.beside + courseWeight + reverseWeight)
        let candidates = feet.map(\.foot).map { foot in
            let agreement = cos((route.bearing(at: foot.along) - course) * .pi / 180)
            let turn = courseWeight * (1 - abs(agreement)) + (agreement < 0 ? reverseWeight : 0)
            return (foot: foot, isForward: agreement >= 0, cost: foot.beside + turn)
        }
        return candidates.min { $0.cost < $1.cost }.map { ($0.foot, $0.isForward) } ?? (nearest, true)
    }

    /// Of feet in the order of the route, the nearest of each time that it comes near.
    private static func passes(_ feet: [RouteLine.NearFoot]) -> [RouteLine.Foot] {
        var passes: [RouteLine.Foot] = []
        /// How far the route was since the nearest point of the last pass.
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
