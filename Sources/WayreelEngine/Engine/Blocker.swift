internal import WayreelStory

/// A reason why an event cannot be found at a given time, independent of the player's position.
public enum Blocker: Hashable, Sendable, CustomStringConvertible {
    case alreadyFound
    /// The event's chapter is a sequence, and another event of it comes first.
    case comesLater(first: String)
    /// A part of the event's condition that is not satisfied.
    case waits(String)
    /// The event's window is closed; `until` is the next opening if there is one within a year.
    case closed(until: Timestamp?)
    /// It is found by its code alone.
    case needsCode

    public var description: String {
        switch self {
        case .alreadyFound: "it was found before"
        case .comesLater(let first): "'\(first)' comes first in its sequence"
        case .waits(let what): "it waits: \(what)"
        case .closed(let until): until.map { "its window is closed until \($0)" } ?? "its window does not open again"
        case .needsCode: "it takes its code"
        }
    }
}

extension Playback {
    /// Returns the reasons why an event cannot be found at a given time, an empty list if it can be found, or nil if
    /// the story has no such event.
    public func blockers(of event: String, _ state: PlaybackState, at timestamp: Timestamp) -> [Blocker]? {
        eventNumbers[event].map { blockers(of: $0, state, at: timestamp) }
    }

    func blockers(of event: Int, _ state: PlaybackState, at timestamp: Timestamp) -> [Blocker] {
        let (facts, part) = (state.facts, events[event])
        if facts.found.contains(event) { return [.alreadyFound] }
        var blockers: [Blocker] = []
        let chapter = chapters[part.chapter]
        if chapter.isSequence, let first = facts.found.firstMissing(in: chapter.events), first != event {
            blockers.append(.comesLater(first: events[first].id))
        }
        if let condition = part.condition, !condition.holds(facts, isOpen: { windows[$0].isOpen(at: timestamp) }) {
            blockers.append(.waits(unmet(condition, true, facts, timestamp).joined(separator: ", ")))
        }
        if let window = part.window, !windows[window].isOpen(at: timestamp) {
            blockers.append(.closed(until: windows[window].nextOpening(after: timestamp)))
        }
        if part.trigger == .code { blockers.append(.needsCode) }
        return blockers
    }

    /// Returns the parts of a condition that keep it from having the value `wanted`.
    private func unmet(
        _ condition: CompiledCondition, _ wanted: Bool, _ facts: PlaybackState.Facts, _ timestamp: Timestamp
    ) -> [String] {
        let holds = condition.holds(facts) { windows[$0].isOpen(at: timestamp) }
        guard holds != wanted else { return [] }
        switch condition {
        case .not(let part): return unmet(part, !wanted, facts, timestamp)
        case .all(let parts) where wanted, .any(let parts) where !wanted:
            return parts.flatMap { unmet($0, wanted, facts, timestamp) }
        case .all(let parts), .any(let parts):
            let reasons = parts.flatMap { unmet($0, wanted, facts, timestamp) }
            return [reasons.count == 1 ? reasons[0] : "one of (\(reasons.joined(separator: ", ")))"]
        case .found(let event): return ["'\(events[event].id)' \(wanted ? "is not found yet" : "was found")"]
        case .opened(let lockbox):
            return ["lockbox '\(lockboxes[lockbox].lockbox.id)' \(wanted ? "is not open yet" : "was opened")"]
        case .during(let window):
            let zone = windows[window].window.zone
            return [wanted ? "the hour in \(zone) is not within its window" : "the hour in \(zone) is one to stay away"]
        }
    }
}
