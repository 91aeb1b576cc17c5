internal import WayreelStory

/// What one fix meant to one event.
public struct FenceDecision: Hashable, Sendable {
    public var timestamp: Timestamp
    public var event: String
    public var verdict: FixVerdict
    /// Metres from the event's position, and of the closest approach on the way from the fix before.
    public var distance: Double
    public var closest: Double
    /// Metres: the fix's own, as ``FenceRules`` count it.
    public var accuracy: Double
    /// Metres.
    public var radius: Double
    /// Fixes that touched the circle, of the last ``FenceRules/window``; inside of it, fixes that were clearly beyond.
    public var votes: Int
    public var isInside: Bool
    /// Why the event could not be found at that moment, wherever the player was.
    public var blockers: [Blocker]
    /// The fix made it found.
    public var isFound = false

    /// Votes that it takes.
    public var needed: Int

    /// How far a player got.
    public enum Stage: Int, Hashable, Sendable, Comparable {
        case outside, touching, inside

        public static func < (a: Stage, b: Stage) -> Bool { a.rawValue < b.rawValue }
    }

    public var stage: Stage { isInside ? .inside : closest <= radius ? .touching : .outside }
}

/// Why events were found, or not: filled by ``Playback/step(_:_:explaining:)``.
public struct Explanation: Sendable {
    /// The event of which every fix is explained.
    public let event: String?
    /// One for each fix, of ``event``.
    public var decisions: [FenceDecision] = []
    /// Of each event that the player was at or near, the decision that came closest to finding it; in the author's order.
    public var closest: [FenceDecision] { best.sorted { $0.key < $1.key }.map(\.value) }
    /// Fixes that were not used.
    public private(set) var ignoredFixes = 0
    private var best: [Int: FenceDecision] = [:]

    /// `event`: nil to keep only ``closest``.
    public init(of event: String? = nil) { self.event = event }
}

extension Playback {
    /// As ``step(_:_:)``, and explains what it decided about a fix.
    public func step(
        _ input: PlaybackInput, _ state: inout PlaybackState, explaining explanation: inout Explanation
    ) -> [PlaybackOutcome] {
        step(input, &state, observer: &explanation)
    }
}

extension Explanation: StepObserver {
    mutating func ignored(_ fix: Fix, _ verdict: FixVerdict, _ playback: Playback, _ state: PlaybackState) {
        ignoredFixes += 1
        guard let event, let number = playback.eventNumbers[event] else { return }
        let isPosition = fix.fault == nil
        let place = FixScreen.Place(
            position: fix.position, accuracy: playback.rules.accuracy(of: fix), timestamp: fix.timestamp)
        let distance = isPosition ? playback.events[number].fence.closestApproach(place, nil) : .infinity
        decisions.append(decision(number, place, verdict, distance, distance, playback, state))
    }

    mutating func used(
        _ place: FixScreen.Place, _ judgement: FixScreen.Judgement, _ playback: Playback, _ state: PlaybackState
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
        _ event: Int, _ place: FixScreen.Place, _ judgement: FixScreen.Judgement, _ playback: Playback,
        _ state: PlaybackState
    ) -> FenceDecision {
        let fence = playback.events[event].fence
        return decision(
            event, place, judgement.verdict, fence.closestApproach(place, nil),
            fence.closestApproach(place, judgement.leg), playback, state)
    }

    private func decision(
        _ event: Int, _ place: FixScreen.Place, _ verdict: FixVerdict, _ distance: Double, _ closest: Double,
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
