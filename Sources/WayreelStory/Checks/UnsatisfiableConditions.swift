internal import WayreelCore

// Finds conditions that can never hold, independent of any player.

extension Event {
    /// The reason why the event can never be found, whatever else was found.
    var reasonNeverToBeFound: String? {
        if let reason = window?.reasonNeverToOpen { return "nobody can reach it: \(reason)" }
        if let reason = condition?.reasonNeverToHold { return "its condition can never hold: \(reason)" }
        if let window, let seconds = activation.dwellSeconds, let open = window.openSeconds, seconds > open {
            return "nobody can reach it: its window closes before the stay of \(seconds.shortDescription) s ends"
        }
        guard let condition else { return nil }
        if condition.isContradictory { return "its condition can never hold: its parts exclude each other" }
        guard let window else { return nil }
        let both = Condition.all([.during(window), condition])
        return (both.reasonNeverToHold ?? (both.isContradictory ? "its condition excludes its window" : nil)).map {
            "nobody can reach it: \($0)"
        }
    }

    /// Its window, and those of its condition.
    package var windows: [TimeWindow] {
        [window].compactMap(\.self) + (condition?.parts.compactMap(\.window) ?? [])
    }
}

extension Condition {
    /// The reason why the condition can never hold.
    var reasonNeverToHold: String? {
        switch self {
        case .all:
            let parts = conjunction
            if let reason = parts.lazy.compactMap(\.reasonNeverToHold).first { return reason }
            let known = Set(parts)
            if let part = parts.first(where: { known.contains(.not($0)) }) {
                return "it asks for \(part.subject) and for its opposite"
            }
            return WindowOverlap(parts.compactMap(\.window)).hasApart ? "its windows are never open together" : nil
        case .any(let parts):
            let reasons = parts.compactMap(\.reasonNeverToHold)
            return reasons.count == parts.count ? reasons.first ?? "it asks for one of nothing" : nil
        case .during(let window): return window.reasonNeverToOpen
        case .not(.not(let part)): return part.reasonNeverToHold
        case .not, .found, .opened: return nil
        }
    }

    /// Whether no combination of facts and open windows makes the condition true. Conditions of more than 12 facts are
    /// not examined.
    fileprivate var isContradictory: Bool {
        let leaves = Array(Set(parts.filter(\.isLeaf)))
        // Without `not`, all of its facts together make a condition true.
        guard leaves.count <= 12, parts.contains(where: { if case .not = $0 { true } else { false } }) else {
            return false
        }
        return !(0..<1 << leaves.count).contains { bits in
            let facts = Set(leaves.indices.filter { bits >> $0 & 1 == 1 }.map { leaves[$0] })
            return Self.canBeTogether(facts, without: leaves.filter { !facts.contains($0) }) && holds(with: facts)
        }
    }

    private var isLeaf: Bool {
        switch self {
        case .found, .opened, .during: true
        case .all, .any, .not: false
        }
    }

    private func holds(with facts: Set<Condition>) -> Bool {
        switch self {
        case .all(let parts): parts.allSatisfy { $0.holds(with: facts) }
        case .any(let parts): parts.contains { $0.holds(with: facts) }
        case .not(let part): !part.holds(with: facts)
        case .found, .opened, .during: facts.contains(self)
        }
    }

    /// Whether the windows of `facts` may be open while those of `others` are closed.
    private static func canBeTogether(_ facts: Set<Condition>, without others: [Condition]) -> Bool {
        let (open, closed) = (facts.compactMap(\.window), others.compactMap(\.window))
        return open.allSatisfy { window in
            !open.contains { window.isApart(from: $0) } && !closed.contains { window.isInside($0) }
        }
    }

    fileprivate var window: TimeWindow? { if case .during(let window) = self { window } else { nil } }

    /// The conditions that must all hold: the parts of `all`, and of nested ones.
    private var conjunction: [Condition] {
        switch self {
        case .all(let parts): parts.flatMap(\.conjunction)
        case .not(.not(let part)): part.conjunction
        default: [self]
        }
    }

    var subject: String {
        switch self {
        case .found(let event): "the event '\(event)'"
        case .opened(let lockbox): "the lockbox '\(lockbox)'"
        default: "one thing"
        }
    }
}

extension Event {
    /// A window without which the event cannot be found, and that has closed for good before a date.
    func windowInThePast(on date: CalendarDate) -> TimeWindow? {
        if let window, window.isPast(on: date) { return window }
        return condition?.windowInThePast(on: date)
    }
}

extension Condition {
    fileprivate func windowInThePast(on date: CalendarDate) -> TimeWindow? {
        switch self {
        case .all(let parts): return parts.lazy.compactMap { $0.windowInThePast(on: date) }.first
        case .any(let parts):
            let past = parts.compactMap { $0.windowInThePast(on: date) }
            return past.count == parts.count ? past.first : nil
        case .during(let window): return window.isPast(on: date) ? window : nil
        case .not, .found, .opened: return nil
        }
    }
}

extension TimeWindow {
    /// Whether the window does not open after a date. It may last into the next day, in a zone that is a day behind.
    fileprivate func isPast(on date: CalendarDate) -> Bool {
        guard let lastDate, let last = CalendarDate(lastDate) else { return false }
        return last.number + 2 < date.number
    }

    /// The reason why the window never opens.
    var reasonNeverToOpen: String? {
        guard let firstDate, let lastDate else { return nil }
        if firstDate > lastDate { return "its window's last date, \(lastDate), is before its first, \(firstDate)" }
        guard !days.isEmpty, let first = CalendarDate(firstDate), let last = CalendarDate(lastDate),
            last.number - first.number < 6
        else { return nil }
        let weekdays = Set((first.number...last.number).map { CalendarDate(number: $0).weekday })
        guard weekdays.isDisjoint(with: days) else { return nil }
        return "no \(days.map(\.rawValue).alternatives) is between its window's dates, \(firstDate) and \(lastDate)"
    }

    /// Whether the two windows are certainly never open at the same time.
    func isApart(from other: TimeWindow) -> Bool {
        guard zone == other.zone, let minutes, let otherMinutes = other.minutes else { return false }
        if !minutes.overlaps(otherMinutes) { return true }
        if !days.isEmpty, !other.days.isEmpty, Set(days).isDisjoint(with: other.days) { return true }
        let isBefore = { (last: String?, first: String?) in last.flatMap { last in first.map { last < $0 } } ?? false }
        return isBefore(lastDate, other.firstDate) || isBefore(other.lastDate, firstDate)
    }

    /// Whether the other window is certainly open whenever this one is.
    func isInside(_ other: TimeWindow) -> Bool {
        guard zone == other.zone, let minutes, let otherMinutes = other.minutes,
            minutes.clamped(to: otherMinutes) == minutes
        else { return false }
        let hasDays = other.days.isEmpty || !days.isEmpty && Set(days).isSubset(of: other.days)
        let begins = other.firstDate.map { first in firstDate.map { $0 >= first } ?? false } ?? true
        let ends = other.lastDate.map { last in lastDate.map { $0 <= last } ?? false } ?? true
        return hasDays && begins && ends
    }

    /// The seconds from opening to closing; nil if the window may go on until the next one.
    var openSeconds: Double? {
        let (from, until) = (from?.minutes ?? 0, until?.minutes ?? 1440)
        let minutes = from < until ? until - from : 1440 - from + until
        return minutes < 1440 ? Double(minutes * 60) : nil
    }

    /// The open minutes of a day; nil if the window extends over midnight.
    var minutes: Range<Int>? {
        let (from, until) = (from?.minutes ?? 0, until?.minutes ?? 1440)
        return from < until ? from..<until : nil
    }
}
