internal import WayreelStory

/// The circle of an event, with the values that do not depend on fixes.
struct Fence: Hashable, Sendable {
    var center: GeoPoint
    var scale: LocalScale
    var radius: Double
    var exitRadius: Double
    var nearRadius: Double
    /// The distance in metres beyond which the event is no longer near.
    var farRadius: Double
    /// The required stay in seconds; nil if the event requires none.
    var dwell: Double?

    init(_ event: Event, _ rules: FenceRules) {
        center = event.position
        scale = LocalScale(latitude: event.position.latitude)
        radius = event.activation.radius
        exitRadius = rules.exitRadius(of: radius)
        nearRadius = radius + rules.nearMargin
        farRadius = max(rules.exitRadius(of: nearRadius), exitRadius)
        dwell = event.activation.trigger == .dwell ? event.activation.dwellSeconds ?? 0 : nil
    }
}

extension Fence {
    /// The part of a path that is inside the circle.
    struct Passage {
        var leg: FixFilter.Leg
        var start: PlaneVector
        var end: PlaneVector
        var shares: ClosedRange<Double>
        var startsInside: Bool

        func closest(_ center: GeoPoint) -> GeoPoint {
            let point = start.point(start.closestShare(to: end), to: end)
            var place = center.moved(by: point.length, bearing: point.bearing)
            // The centre's altitude is the event's; that of the player is not known on the path.
            place.altitude = nil
            return place
        }
    }

    func passage(_ leg: FixFilter.Leg, _ end: inout Ranging, isAt: Bool) -> Passage? {
        // No point of the path is farther from its end than the path is long.
        guard end.isWithin(radius + leg.length * 1.01 + 1) else { return nil }
        var start = Ranging(center, scale, to: leg.start.position)
        if !isAt, !mayTouch(from: leg.start.position, to: end.point) { return nil }
        let (a, b) = (start.vector, end.vector)
        guard let shares = a.sharesWithin(radius, to: b) else { return nil }
        return Passage(leg: leg, start: a, end: b, shares: shares, startsInside: start.distance <= radius)
    }

    /// Whether the path may touch the circle, by the approximate distance.
    private func mayTouch(from a: GeoPoint, to b: GeoPoint) -> Bool {
        let start = scale.vector(from: center, to: a)
        let end = scale.vector(from: center, to: b)
        let farthest = max(start.length, end.length)
        guard LocalScale.isTrusted(at: center.latitude, farthest) else { return true }
        let closest = start.point(start.closestShare(to: end), to: end).length
        return closest <= radius + LocalScale.error(at: farthest)
    }

    /// Returns the closest approach of a path, or the distance of a single fix, in metres.
    func closestApproach(_ fix: FixFilter.Place, _ leg: FixFilter.Leg?) -> Double {
        var end = Ranging(center, scale, to: fix.position)
        guard let leg else { return end.distance }
        var start = Ranging(center, scale, to: leg.start.position)
        let (a, b) = (start.vector, end.vector)
        return a.point(a.closestShare(to: b), to: b).length
    }
}
