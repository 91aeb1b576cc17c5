internal import WayreelCore
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

/// Assigns numbers to the events, lockboxes and windows of conditions.
struct ConditionCompiler {
    let events: [String: Int]
    let lockboxes: [String: Int]
    /// Equal windows share a number.
    private var numbers: [TimeWindow: Int] = [:]
    private(set) var windows: [WindowSchedule] = []

    init(events: [String: Int], lockboxes: [String: Int]) {
        self.events = events
        self.lockboxes = lockboxes
    }

    mutating func number(of window: TimeWindow, _ subject: String) throws(MediaError) -> Int {
        if let number = numbers[window] { return number }
        windows.append(try WindowSchedule(window, of: subject))
        numbers[window] = windows.count - 1
        return windows.count - 1
    }

    mutating func compiled(_ condition: Condition, of subject: String) throws(MediaError) -> CompiledCondition {
        switch condition {
        case .all(let parts): return .all(try compiled(parts, of: subject))
        case .any(let parts): return .any(try compiled(parts, of: subject))
        case .not(let part): return .not(try compiled(part, of: subject))
        case .found(let event): return .found(try number(event, in: events, subject, "event"))
        case .opened(let lockbox): return .opened(try number(lockbox, in: lockboxes, subject, "lockbox"))
        case .during(let window): return .during(try number(of: window, subject))
        }
    }

    private mutating func compiled(_ parts: [Condition], of subject: String) throws(MediaError) -> [CompiledCondition] {
        var compiledParts: [CompiledCondition] = []
        for part in parts { compiledParts.append(try compiled(part, of: subject)) }
        return compiledParts
    }

    private func number(
        _ id: String, in numbers: [String: Int], _ subject: String, _ kind: String
    ) throws(MediaError) -> Int {
        guard let number = numbers[id] else {
            throw MediaError(
                .parameter, step: .play, subject: subject,
                reason: "its condition asks for the \(kind) '\(id)', which is not there",
                advice: "give all chapters of the story")
        }
        return number
    }
}
