internal import WayreelStory

/// The state of an event that the player is at or near.
struct FenceState: Hashable, Sendable, Codable {
    var event: Int32
    /// The votes of the last fixes, the newest in the lowest bit: before entering, the fixes that touched the circle;
    /// after entering, the fixes that were clearly outside.
    var votes: UInt8 = 0
    var isInside = false
    /// Whether the last fix, or the path to it, touched the circle.
    var touches = false
    /// Whether the player stayed for as long as the event requires.
    var hasDwelt = false
    /// Whether the event was announced as near.
    var isNear = false
    /// The time when the player reached the circle, if known.
    var since: Timestamp?

    /// Discards the votes of earlier fixes. A player who was inside keeps the time of arrival if they `rested`, and
    /// else counts as present from `timestamp` on.
    mutating func reset(at timestamp: Timestamp, rested: Bool) {
        votes = 0
        guard isInside else { return since = nil }
        if !rested { since = timestamp }
    }

    mutating func vote(_ vote: Bool, of window: Int) {
        votes = (votes << 1 | (vote ? 1 : 0)) & UInt8(truncatingIfNeeded: (1 << window) - 1)
    }

    /// Whether the player is considered to be in the circle now.
    var isPresent: Bool { isInside && votes & 1 == 0 }
}

/// The changes to an event caused by a fix.
struct FenceChange {
    /// The distance from the event's position in metres.
    var distance: Double
    var isNear = false
    var entered = false
    /// The seconds since the player arrived.
    var dwelt: Double?
    var left = false
    /// The closest point of the path to a fix outside of the circle, if the path was what counted.
    var passing: GeoPoint?
}

extension Fence {
    /// Applies a used fix to the state of an event. Returns nil if nothing reportable changed.
    ///
    /// `mayBeNear`: whether the event may be found, so that views can show when it is near.
    func apply(
        _ fix: FixScreen.Place, _ leg: FixScreen.Leg?, _ rules: FenceRules, mayBeNear: () -> Bool,
        to state: inout FenceState
    ) -> FenceChange? {
        var end = Ranging(center, scale, to: fix.position)
        let isAt = end.isWithin(radius)
        // Inside the circle, only the path on which the player arrived matters.
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
            // A path that leads in and out again between two fixes is confirmed by both.
            if let passage, !passage.startsInside, !isAt {
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
        if !isAt, change.entered || change.dwelt != nil { change.passing = passage?.closest(center) }
        change.distance = change.passing.map { center.geodesic(to: $0).distance } ?? end.distance
        return change
    }
}
