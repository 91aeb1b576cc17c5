internal import WayreelCore
internal import WayreelStory

/// The order in which a player who knows all answers visits events.
///
/// Chapters are visited in the author's order, a sequence in its order, and free events in the order of
/// ``ChapterWalk``. An event is deferred if its condition does not hold yet, or if finding it would close another
/// event.
struct WalkPlan {
    private(set) var events: [Event] = []
    /// The events whose condition never holds.
    private(set) var unreachable: [Event] = []

    init(through chapters: [Chapter]) {
        var rest = chapters.map { Self.tour(of: $0) }
        let known = Set(chapters.flatMap(\.events).map(\.id))
        let blockers = rest.joined().reduce(into: Set<String>()) { $1.condition?.collectBlockers(into: &$0) }
        var found: Set<String> = []

        func isOpen(_ event: Event) -> Bool { event.condition?.mayHold(found, known) ?? true }

        /// Whether finding the event would close another event that is open now.
        func closesAnother(_ event: Event) -> Bool {
            guard blockers.contains(event.id) else { return false }
            return rest.joined().contains { other in
                other.id != event.id && isOpen(other)
                    && !(other.condition?.mayHold(found.union([event.id]), known) ?? true)
            }
        }

        /// Returns the next event: one of the first chapter that has any.
        func next() -> (chapter: Int, index: Int)? {
            var closing: (Int, Int)?
            for (chapter, events) in rest.enumerated() {
                // In a sequence, only the next event is open.
                let open = events.indices.prefix(chapters[chapter].order == .sequence ? 1 : events.count)
                for index in open where isOpen(events[index]) {
                    guard closesAnother(events[index]) else { return (chapter, index) }
                    closing = closing ?? (chapter, index)
                }
            }
            return closing
        }

        while let (chapter, index) = next() {
            let event = rest[chapter].remove(at: index)
            found.insert(event.id)
            events.append(event)
        }
        unreachable = Array(rest.joined())
    }

    private static func tour(of chapter: Chapter) -> [Event] {
        guard chapter.order == .free, let walk = ChapterWalk(through: chapter) else { return chapter.events }
        let events = Dictionary(chapter.events.map { ($0.id, $0) }) { first, _ in first }
        return walk.events.compactMap { events[$0] }
    }
}

extension Condition {
    /// Whether the condition holds or could hold. Of the events in `known`, those in `found` were found; other
    /// events, lockboxes and windows are unknown.
    func mayHold(_ found: Set<String>, _ known: Set<String>) -> Bool {
        let value = value { leaf in
            guard case .found(let event) = leaf, known.contains(event) else { return nil }
            return found.contains(event)
        }
        return value != false
    }

    /// Evaluates the condition in Kleene's three-valued logic: nil is unknown. `leaf` returns the values of
    /// conditions that have no parts.
    func value(_ leaf: (Condition) -> Bool?) -> Bool? {
        switch self {
        case .all(let parts):
            let values = parts.map { $0.value(leaf) }
            return values.contains(false) ? false : values.contains(nil) ? nil : true
        case .any(let parts):
            let values = parts.map { $0.value(leaf) }
            return values.contains(true) ? true : values.contains(nil) ? nil : false
        case .not(let part): return part.value(leaf).map { !$0 }
        case .found, .opened, .during: return leaf(self)
        }
    }

    /// Collects the events whose finding can make the condition false.
    fileprivate func collectBlockers(into events: inout Set<String>, isNegated: Bool = false) {
        switch self {
        case .all(let parts), .any(let parts):
            for part in parts { part.collectBlockers(into: &events, isNegated: isNegated) }
        case .not(let part): part.collectBlockers(into: &events, isNegated: !isNegated)
        case .found(let event): if isNegated { events.insert(event) }
        case .opened, .during: break
        }
    }
}

/// The times at which an event can be found, according to its windows.
struct OpeningHours {
    private let event: Event
    private let schedules: [TimeWindow: WindowSchedule]

    /// Throws a `parameter` error if a time zone is unknown.
    init(_ event: Event) throws(MediaError) {
        self.event = event
        var schedules: [TimeWindow: WindowSchedule] = [:]
        for window in event.windows { schedules[window] = try WindowSchedule(window, of: event.id) }
        self.schedules = schedules
    }

    /// Returns `time` or the first full minute after it at which the event is open, or nil if there is none within
    /// `seconds`.
    func firstMoment(from time: Timestamp, within seconds: Double) -> Timestamp? {
        if isOpen(at: time) { return time }
        let minute = Timestamp(milliseconds: time.milliseconds - time.milliseconds % 60_000)
        return (1...max(1, Int(seconds / 60))).lazy.map { minute.advanced(by: Double($0) * 60) }.first(where: isOpen)
    }

    private func isOpen(at time: Timestamp) -> Bool {
        func isOpen(_ window: TimeWindow) -> Bool { schedules[window]?.isOpen(at: time) ?? true }
        guard event.window.map(isOpen) ?? true else { return false }
        let value = event.condition.flatMap { condition in
            condition.value { if case .during(let window) = $0 { isOpen(window) } else { nil } }
        }
        return value != false
    }
}
