/// Tells whether any two of many windows are certainly never open at the same time, as ``TimeWindow/isApart(from:)`` tells of
/// two. Each window is looked at once: two windows of a zone are apart if one closes before the latest opening, if one
/// ends before the latest first date, or if they have no day in common.
struct WindowOverlap {
    /// What is needed of the windows of one time zone.
    private struct Zone {
        var earliestClosing = Int.max
        var latestOpening = Int.min
        var earliestLastDate: String?
        var latestFirstDate: String?
        /// The different sets of days, at most 127.
        var days: Set<Set<TimeWindow.Day>> = []

        mutating func add(_ window: TimeWindow, _ minutes: Range<Int>) {
            earliestClosing = min(earliestClosing, minutes.upperBound)
            latestOpening = max(latestOpening, minutes.lowerBound)
            if let last = window.lastDate { earliestLastDate = min(earliestLastDate ?? last, last) }
            if let first = window.firstDate { latestFirstDate = max(latestFirstDate ?? first, first) }
            if !window.days.isEmpty { days.insert(Set(window.days)) }
        }

        var hasApart: Bool {
            if earliestClosing <= latestOpening { return true }
            if let earliestLastDate, let latestFirstDate, earliestLastDate < latestFirstDate { return true }
            return days.contains { some in days.contains { some.isDisjoint(with: $0) } }
        }
    }

    private var zones: [String: Zone] = [:]

    init(_ windows: [TimeWindow]) {
        for window in windows {
            guard let minutes = window.minutes else { continue }
            zones[window.zone, default: Zone()].add(window, minutes)
        }
    }

    /// Whether any two windows are certainly never open at the same time.
    var hasApart: Bool { zones.values.contains { $0.hasApart } }
}
