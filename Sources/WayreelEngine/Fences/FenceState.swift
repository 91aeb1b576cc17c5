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

    /// Whether anything reportable changed.
    var isReportable: Bool { isNear || entered || dwelt != nil || left }
}

/// How a fix, and the path to it, touches a circle.
private struct FenceContact {
    var timestamp: Timestamp
    /// Whether the fix itself is in the circle.
    var isAt: Bool
    var passage: Fence.Passage?

    var touches: Bool { isAt || passage != nil }
    /// Whether the path leads in and out again between two fixes.
    var isPassing: Bool { passage.map { !$0.startsInside && !isAt } ?? false }
    /// The time when the player reached the circle.
    var arrival: Timestamp { passage.map { $0.time(at: $0.shares.lowerBound) } ?? timestamp }
    /// The time until which the player was in the circle.
    var departure: Timestamp {
        guard !isAt, let passage else { return timestamp }
        return passage.time(at: passage.shares.upperBound)
    }
}

extension Fence.Passage {
    /// Returns the time at a fraction of the path.
    fileprivate func time(at share: Double) -> Timestamp { leg.start.timestamp.advanced(by: share * leg.seconds) }
}

extension Fence {
    /// Applies a used fix to the state of an event. Returns nil if nothing reportable changed.
    ///
    /// `mayBeNear`: whether the event may be found, so that views can show when it is near.
    func apply(
        _ fix: FixFilter.Place, _ leg: FixFilter.Leg?, _ rules: FenceRules, mayBeNear: () -> Bool,
        to state: inout FenceState
    ) -> FenceChange? {
        var end = Ranging(center, scale, to: fix.position)
        let contact = contact(fix, leg, &end, state)
        var change = FenceChange(distance: 0)
        change.isNear = updateNearness(&end, mayBeNear, &state)
        state.touches = contact.touches
        if !state.isInside { change.entered = state.enter(contact, rules) }
        if state.isInside {
            state.vote(!end.isWithin(exitRadius + fix.accuracy), of: rules.window)
            change.dwelt = completedStay(contact, &state)
            change.left = state.leave(rules)
        }
        guard change.isReportable else { return nil }
        if !contact.isAt, change.entered || change.dwelt != nil { change.passing = contact.passage?.closest(center) }
        change.distance = change.passing.map { center.geodesic(to: $0).distance } ?? end.distance
        return change
    }

    private func contact(
        _ fix: FixFilter.Place, _ leg: FixFilter.Leg?, _ end: inout Ranging, _ state: FenceState
    ) -> FenceContact {
        let isAt = end.isWithin(radius)
        // Inside the circle, only the path on which the player arrived matters.
        let isPathIrrelevant = isAt && (state.isInside || state.votes != 0)
        let passage = isPathIrrelevant ? nil : leg.flatMap { self.passage($0, &end, isAt: isAt) }
        return FenceContact(timestamp: fix.timestamp, isAt: isAt, passage: passage)
    }

    /// Returns whether the event has become near.
    private func updateNearness(_ end: inout Ranging, _ mayBeNear: () -> Bool, _ state: inout FenceState) -> Bool {
        if state.isNear {
            if !end.isWithin(farRadius) { state.isNear = false }
            return false
        }
        guard end.isWithin(nearRadius), mayBeNear() else { return false }
        state.isNear = true
        return true
    }

    /// Returns the seconds since the player arrived, once they are as many as the event requires.
    private func completedStay(_ contact: FenceContact, _ state: inout FenceState) -> Double? {
        guard let dwell, !state.hasDwelt, state.touches, let since = state.since else { return nil }
        let seconds = contact.departure.seconds(since: since)
        guard seconds >= dwell else { return nil }
        state.hasDwelt = true
        return seconds
    }
}

extension FenceState {
    /// Votes for entering; returns whether the player has entered.
    fileprivate mutating func enter(_ contact: FenceContact, _ rules: FenceRules) -> Bool {
        if contact.touches, votes == 0 || since == nil { since = contact.arrival }
        vote(contact.touches, of: rules.window)
        // A passing path is confirmed by both of its fixes.
        if contact.isPassing { votes = .max }
        guard votes.nonzeroBitCount >= rules.confirmations else { return false }
        (isInside, votes) = (true, 0)
        return true
    }

    /// Returns whether enough fixes were outside, so that the player has left.
    fileprivate mutating func leave(_ rules: FenceRules) -> Bool {
        guard votes.nonzeroBitCount >= rules.confirmations else { return false }
        (isInside, touches, hasDwelt) = (false, false, false)
        (votes, since) = (0, nil)
        return true
    }
}
