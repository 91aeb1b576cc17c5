public import WayreelEngine
public import WayreelStory

/// A place beside a route.
public struct PlaceAlong: Hashable, Sendable, Codable {
    public var place: Place
    /// The distance along the route from the traveller, or from its start, to the point where the place is nearest, in
    /// metres.
    public var along: Double
    /// The distance of the place from the route there, in metres.
    public var beside: Double
    /// The side on which the place lies, as seen in the direction of travel.
    public var side: RouteAhead.Side
}

extension PlaceIndex {
    /// How far beside a route places may lie at most, in metres.
    public static let maxBeside = 20_000.0
    /// The most stretches that a route is searched in.
    private static let maxStretches = 20_000.0

    /// Returns the places along a route that match a query, in the order of travel from its start to its end: those at most
    /// `radius` metres beside it (200 without one, at most ``maxBeside``).
    ///
    /// With `from`, the distances are measured from the point of the route that is nearest to that position, and places
    /// before it are left out; otherwise from the start. The position of the query does not matter.
    public func search(_ query: PlaceQuery, along route: RouteLine, from position: GeoPoint? = nil) -> [PlaceAlong] {
        let radius = min(query.radius ?? 200, Self.maxBeside)
        let limit = min(query.limit, PlaceQuery.maxLimit)
        guard radius >= 0, limit > 0, let matching = numbers(matching: query.text, kinds: query.kinds) else {
            return []
        }
        let start = position.map { route.nearest(to: $0).along } ?? 0
        let found = near(route, matching, radius).compactMap { number -> PlaceAlong? in
            let place = places[number]
            guard let foot = route.nearest(to: place.position, within: radius) else { return nil }
            guard foot.along >= start else { return nil }
            let turn = (foot.point.geodesic(to: place.position).bearing - route.bearing(at: foot.along)).asTurn
            return PlaceAlong(
                place: place, along: foot.along - start, beside: foot.beside, side: turn < 0 ? .left : .right)
        }
        return Array(
            found.sorted { ($0.along, $0.beside, $0.place.id) < ($1.along, $1.beside, $1.place.id) }.prefix(limit))
    }

    /// Returns the numbers of the places that may be within a distance of a route, in metres.
    private func near(_ route: RouteLine, _ numbers: [Int32], _ radius: Double) -> [Int] {
        let index = FenceIndex(numbers.map { (places[Int($0)].position, 1) })
        let step = max(2 * radius, 100, route.length / Self.maxStretches)
        var isNear = [Bool](repeating: false, count: numbers.count)
        for along in stride(from: step / 2, to: route.length + step, by: step) {
            // A stretch may bend, but none of its points is farther from its middle than half of its length.
            index.forEachNear(route.point(at: along), radius: radius + step / 2 + 1) { isNear[$0] = true }
        }
        return numbers.indices.filter { isNear[$0] }.map { Int(numbers[$0]) }
    }
}
