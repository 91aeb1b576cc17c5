internal import WayreelStory

/// The effect of one fix on one event.
public struct FenceDecision: Hashable, Sendable {
    public var timestamp: Timestamp
    public var event: String
    public var verdict: FixVerdict
    /// The distance from the event's position in metres; ``closest`` is the closest approach on the path from the
    /// previous fix.
    public var distance: Double
    public var closest: Double
    /// The fix's accuracy in metres, as limited by ``FenceRules``.
    public var accuracy: Double
    /// The radius of the circle in metres.
    public var radius: Double
    /// The number of the last ``FenceRules/window`` fixes that touched the circle; once inside, of those that were
    /// clearly outside.
    public var votes: Int
    public var isInside: Bool
    /// The reasons why the event could not be found at that moment, independent of the player's position.
    public var blockers: [Blocker]
    /// Whether the fix caused the event to be found.
    public var isFound = false

    /// The number of votes required to enter or leave.
    public var needed: Int

    /// The progress of a player towards an event.
    public enum Stage: Int, Hashable, Sendable, Comparable {
        case outside, touching, inside

        public static func < (a: Stage, b: Stage) -> Bool { a.rawValue < b.rawValue }
    }

    public var stage: Stage { isInside ? .inside : closest <= radius ? .touching : .outside }
}

/// Explains why events were found or not. ``Playback/step(_:_:explaining:)`` fills it.
public struct Explanation: Sendable {
    /// The event for which every fix is explained.
    public let event: String?
    /// One decision per fix, for ``event``.
    public var decisions: [FenceDecision] = []
    /// The decision that came closest to finding each event that the player was at or near, in the author's order.
    public var closest: [FenceDecision] { best.sorted { $0.key < $1.key }.map(\.value) }
    /// The number of fixes that were not used.
    public private(set) var ignoredFixes = 0
    /// The number of unused fixes that were not later than the one before.
    public private(set) var backwardFixes = 0
    private var best: [Int: FenceDecision] = [:]

    /// Creates an explanation. `event`: nil to keep only ``closest``.
    public init(of event: String? = nil) { self.event = event }
}

extension Playback {
    /// Performs ``step(_:_:)``, and records in `explanation` how a fix was judged.
    public func step(
        _ input: PlaybackInput, _ state: inout PlaybackState, explaining explanation: inout Explanation
    ) -> [PlaybackOutcome] {
        step(input, &state, observer: &explanation)
    }
}

extension Explanation: StepObserver {
    mutating func ignored(_ fix: Fix, _ verdict: FixVerdict, _ playback: Playback, _ state: PlaybackState) {
        ignoredFixes += 1
        if verdict == .backwards { backwardFixes += 1 }
        guard let event, let number = playback.eventNumbers[event] else { return }
        let isPosition = fix.fault == nil
        let place = FixFilter.Place(
            position: fix.position, accuracy: playback.rules.accuracy(of: fix), timestamp: fix.timestamp)
        let distance = isPosition ? playback.events[number].fence.closestApproach(place, nil) : .infinity
        decisions.append(decision(number, place, verdict, distance, distance, playback, state))
    }

    mutating func used(
        _ place: FixFilter.Place, _ judgement: FixFilter.Judgement, _ playback: Playback, _ state: PlaybackState
    ) {
        if let event, let number = playback.eventNumbers[event] {
            decisions.append(decision(number, place, judgement, playback, state))
        }
        for fence in state.fences {
            let number = Int(fence.event)
            guard !state.facts.found.contains(number) else { continue }
            let new = decision(number, place, judgement, playback, state)
            if let old = best[number], (new.stage, -new.closest) <= (old.stage, -old.closest) { continue }
            best[number] = new
        }
    }

    mutating func fired(_ playback: Playback, _ state: PlaybackState) {
        guard let last = decisions.indices.last, let number = playback.eventNumbers[decisions[last].event] else {
            return
        }
        decisions[last].isFound =
            state.facts.found.contains(number) && !decisions[last].blockers.contains(.alreadyFound)
    }

    private func decision(
        _ event: Int, _ place: FixFilter.Place, _ judgement: FixFilter.Judgement, _ playback: Playback,
        _ state: PlaybackState
    ) -> FenceDecision {
        let fence = playback.events[event].fence
        return decision(
            event, place, judgement.verdict, fence.closestApproach(place, nil),
            fence.closestApproach(place, judgement.leg), playback, state)
    }

    private func decision(
        _ event: Int, _ place: FixFilter.Place, _ verdict: FixVerdict, _ distance: Double, _ closest: Double,
        _ playback: Playback, _ state: PlaybackState
    ) -> FenceDecision {
        let fence = state.fences.first { Int($0.event) == event }
        return FenceDecision(
            timestamp: place.timestamp, event: playback.events[event].id, verdict: verdict, distance: distance,
            closest: closest, accuracy: place.accuracy, radius: playback.events[event].fence.radius,
            votes: fence?.votes.nonzeroBitCount ?? 0, isInside: fence?.isInside ?? false,
            blockers: playback.blockers(of: event, state, at: place.timestamp), needed: playback.rules.confirmations)
    }
}
