internal import WayreelCore
internal import WayreelImage

// Finds conditions that can never hold, independent of any player.

extension Event {
    /// The reason why the event can never be found, whatever else was found.
    var reasonNeverToBeFound: String? {
        if let reason = window?.reasonNeverToOpen { return "nobody can reach it: \(reason)" }
        if let reason = condition?.reasonNeverToHold { return "its condition can never hold: \(reason)" }
        guard let window, let condition else { return nil }
        return Condition.all([.during(window), condition]).reasonNeverToHold.map { "nobody can reach it: \($0)" }
    }

    /// The time zones of the event's windows.
    var zones: Set<String> {
        var zones = Set([window?.zone].compactMap(\.self))
        for case .during(let window) in condition?.parts ?? [] { zones.insert(window.zone) }
        return zones
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
            let windows = parts.compactMap { if case .during(let window) = $0 { window } else { nil } }
            for (index, window) in windows.enumerated() {
                if windows[(index + 1)...].contains(where: { window.isApart(from: $0) }) {
                    return "its windows are never open together"
                }
            }
            return nil
        case .any(let parts):
            let reasons = parts.compactMap(\.reasonNeverToHold)
            return reasons.count == parts.count ? reasons.first ?? "it asks for one of nothing" : nil
        case .during(let window): return window.reasonNeverToOpen
        case .not(.not(let part)): return part.reasonNeverToHold
        case .not, .found, .opened: return nil
        }
    }

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

extension TimeWindow {
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

    /// The open minutes of a day; nil if the window extends over midnight.
    private var minutes: Range<Int>? {
        let (from, until) = (from?.minutes ?? 0, until?.minutes ?? 1440)
        return from < until ? from..<until : nil
    }
}

/// A date of the Gregorian calendar, as the number of days since 1970-01-01.
struct CalendarDate {
    let number: Int

    init(number: Int) { self.number = number }

    /// Parses `YYYY-MM-DD`.
    init?(_ text: String) {
        let parts = text.split(separator: "-").compactMap { Int($0) }
        guard parts.count == 3, (0...9999).contains(parts[0]), (1...12).contains(parts[1]), (1...31).contains(parts[2])
        else { return nil }
        // Years begin in March, so that leap days are at their ends (Howard Hinnant, "chrono-Compatible Low-Level
        // Date Algorithms").
        let year = parts[1] > 2 ? parts[0] : parts[0] - 1
        let dayOfYear = (153 * ((parts[1] + 9) % 12) + 2) / 5 + parts[2] - 1
        let leapDays = Int((Double(year) / 4).rounded(.down) - (Double(year) / 100).rounded(.down))
        number = year * 365 + leapDays + Int((Double(year) / 400).rounded(.down)) + dayOfYear - 719_468
    }

    var weekday: TimeWindow.Day {
        // 1970-01-01 was a Thursday.
        let index = ((number + 3) % 7 + 7) % 7
        return TimeWindow.Day.allCases[index]
    }
}
