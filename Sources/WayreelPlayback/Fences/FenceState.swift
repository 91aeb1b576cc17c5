internal import WayreelStory

/// What is remembered of an event that the player is at or near.
struct FenceState: Hashable, Sendable, Codable {
    var event: Int32
    /// Of the last fixes, the newest in the lowest bit: outside those that touched the circle, inside those that were clearly beyond it.
    var votes: UInt8 = 0
    var isInside = false
    /// Whether the last fix, or the way to it, touched the circle.
    var touches = false
    /// The player stayed for as long as the event asks.
    var hasDwelt = false
    /// It was announced as near.
    var isNear = false
    /// When the player came to the circle, where that is known.
    var since: Timestamp?

    /// Forgets what earlier fixes said. A player who was inside counts as there from `timestamp` on.
    mutating func startAnew(at timestamp: Timestamp) {
        votes = 0
        since = isInside ? timestamp : nil
    }

    mutating func vote(_ vote: Bool, of window: Int) {
        votes = (votes << 1 | (vote ? 1 : 0)) & UInt8(truncatingIfNeeded: (1 << window) - 1)
    }

    /// Whether the player can be taken to be in the circle now.
    var isPresent: Bool { isInside && votes & 1 == 0 }
}

/// A circle about an event, and what there is to know of it before any fix.
struct Fence: Hashable, Sendable {
    var center: GeoPoint
    var scale: LocalScale
    var radius: Double
    var exitRadius: Double
    var nearRadius: Double
    /// Beyond it the event is no longer near.
    var farRadius: Double
    /// Seconds; nil where the event does not ask for a stay.
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

/// What a fix changed about an event.
struct FenceChange {
    /// Metres from the event's position.
    var distance: Double
    var isNear = false
    var entered = false
    /// Seconds since the player came.
    var dwelt: Double?
    var left = false
    /// Where the player was closest, if they went in and out again since the last fix.
    var passing: GeoPoint?
}

extension Fence {
    /// Applies a used fix to the state of an event; nil where nothing changed that is worth telling.
    ///
    /// `mayBeNear`: whether the event may be found, so that a view wants to know that it is near.
    func apply(
        _ fix: FixScreen.Place, _ leg: FixScreen.Leg?, _ rules: FenceRules, mayBeNear: () -> Bool,
        to state: inout FenceState
    ) -> FenceChange? {
        var end = Ranging(center, scale, to: fix.position)
        let isAt = end.isWithin(radius)
        // Inside of the circle it matters only how the player came there.
        let passage =
            isAt && (state.isInside || state.votes != 0) ? nil : leg.flatMap { self.passage($0, &end, isAt: isAt) }
        var change = FenceChange(distance: 0)
        var isChanged = false

        if state.isNear {
            if !end.isWithin(farRadius) { state.isNear = false }
        } else if end.isWithin(nearRadius), mayBeNear() {
            state.isNear = true
            change.isNear = true
            isChanged = true
        }

        state.touches = isAt || passage != nil
        if !state.isInside {
            if state.touches, state.votes == 0 || state.since == nil {
                state.since =
                    passage.map { $0.leg.start.timestamp.advanced(by: $0.shares.lowerBound * $0.leg.seconds) }
                    ?? fix.timestamp
            }
            state.vote(state.touches, of: rules.window)
            // Both fixes vouch for a way that leads in and out again between them.
            if let passage, !passage.startsInside, !isAt {
                change.passing = passage.closest(center)
                state.votes = .max
            }
            if state.votes.nonzeroBitCount >= rules.confirmations {
                state.isInside = true
                state.votes = 0
                change.entered = true
                isChanged = true
            }
        }
        if state.isInside {
            state.vote(!end.isWithin(exitRadius + fix.accuracy), of: rules.window)
            if let dwell, !state.hasDwelt, state.touches, let since = state.since {
                let until = passage.map { $0.leg.start.timestamp.advanced(by: $0.shares.upperBound * $0.leg.seconds) }
                let seconds = (isAt ? fix.timestamp : until ?? fix.timestamp).seconds(since: since)
                if seconds >= dwell {
                    state.hasDwelt = true
                    change.dwelt = seconds
                    isChanged = true
                }
            }
            if state.votes.nonzeroBitCount >= rules.confirmations {
                (state.isInside, state.touches, state.hasDwelt) = (false, false, false)
                (state.votes, state.since) = (0, nil)
                change.left = true
                isChanged = true
            }
        }
        guard isChanged else { return nil }
        change.distance = change.passing.map { center.geodesic(to: $0).distance } ?? end.distance
        return change
    }

    /// The part of a way that is inside of the circle.
    private struct Passage {
        var leg: FixScreen.Leg
        var start: PlaneVector
        var end: PlaneVector
        var shares: ClosedRange<Double>
        var startsInside: Bool

        func closest(_ center: GeoPoint) -> GeoPoint {
            let point = start.point(start.closestShare(to: end), to: end)
            return center.moved(by: point.length, bearing: point.bearing)
        }
    }

    private func passage(_ leg: FixScreen.Leg, _ end: inout Ranging, isAt: Bool) -> Passage? {
        // No point of the way is farther from its end than it is long.
        guard end.isWithin(radius + leg.length * 1.01 + 1) else { return nil }
        var start = Ranging(center, scale, to: leg.start.position)
        if !isAt, !mayTouch(from: leg.start.position, to: end.point) { return nil }
        let (a, b) = (start.vector, end.vector)
        guard let shares = a.sharesWithin(radius, to: b) else { return nil }
        return Passage(leg: leg, start: a, end: b, shares: shares, startsInside: start.distance <= radius)
    }

    /// Whether the way may touch the circle, by the rough measure.
    private func mayTouch(from a: GeoPoint, to b: GeoPoint) -> Bool {
        let start = scale.vector(from: center, to: a)
        let end = scale.vector(from: center, to: b)
        let farthest = max(start.length, end.length)
        guard LocalScale.isTrusted(at: center.latitude, farthest) else { return true }
        let closest = start.point(start.closestShare(to: end), to: end).length
        return closest <= radius + LocalScale.error(at: farthest)
    }

    /// The closest approach of a way, or of a fix alone, in metres.
    func closestApproach(_ fix: FixScreen.Place, _ leg: FixScreen.Leg?) -> Double {
        var end = Ranging(center, scale, to: fix.position)
        guard let leg else { return end.distance }
        var start = Ranging(center, scale, to: leg.start.position)
        let (a, b) = (start.vector, end.vector)
        return a.point(a.closestShare(to: b), to: b).length
    }
}
