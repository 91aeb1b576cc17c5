internal import WayreelStory

/// A condition that refers to events, lockboxes and windows by number.
indirect enum CompiledCondition: Sendable {
    case all([CompiledCondition])
    case any([CompiledCondition])
    case not(CompiledCondition)
    case found(Int)
    case opened(Int)
    case during(Int)

    func holds(_ facts: PlaybackState.Facts, isOpen: (Int) -> Bool) -> Bool {
        switch self {
        case .all(let parts): parts.allSatisfy { $0.holds(facts, isOpen: isOpen) }
        case .any(let parts): parts.contains { $0.holds(facts, isOpen: isOpen) }
        case .not(let part): !part.holds(facts, isOpen: isOpen)
        case .found(let event): facts.found.contains(event)
        case .opened(let lockbox): facts.opened.contains(lockbox)
        case .during(let window): isOpen(window)
        }
    }

    /// Whether the condition can hold at some time, given what was found and opened. `openable`: lockboxes that may be
    /// open or not. With `negated`: whether it can fail at some time.
    func mayHold(_ facts: PlaybackState.Facts, openable: Range<Int> = 0..<0, negated: Bool = false) -> Bool {
        switch self {
        case .all(let parts) where !negated, .any(let parts) where negated:
            parts.allSatisfy { $0.mayHold(facts, openable: openable, negated: negated) }
        case .all(let parts), .any(let parts):
            parts.contains { $0.mayHold(facts, openable: openable, negated: negated) }
        case .not(let part): part.mayHold(facts, openable: openable, negated: !negated)
        case .found(let event): facts.found.contains(event) != negated
        case .opened(let lockbox): openable.contains(lockbox) || facts.opened.contains(lockbox) != negated
        case .during: true
        }
    }

    /// Calls `body` with each condition that has no parts.
    func forEachLeaf(_ body: (CompiledCondition) -> Void) {
        switch self {
        case .all(let parts), .any(let parts): for part in parts { part.forEachLeaf(body) }
        case .not(let part): part.forEachLeaf(body)
        case .found, .opened, .during: body(self)
        }
    }
}
