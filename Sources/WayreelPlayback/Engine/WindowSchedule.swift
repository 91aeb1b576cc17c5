internal import Foundation
internal import Synchronization
internal import WayreelCore
internal import WayreelStory

/// When a ``TimeWindow`` is open.
///
/// It is open whenever the clock of its zone shows a time from `from` on and before `until`, on a date on which it opens, or, where it
/// reaches over midnight, before `until` on the date after one. So when clocks are put forward, a window between times that are skipped
/// does not open that day, and one that begins among them opens with the change; when they are put back, a window that ends within the
/// repeated hour opens a second time.
struct WindowSchedule: Sendable {
    let window: TimeWindow
    private let zone: TimeZone
    /// Minutes on the clock.
    private let from: Int
    private let until: Int
    private let weekdays: Set<Int>
    private let firstDay: Int64?
    private let lastDay: Int64?
    private let cache = Cache()

    private static let millisecondsOfDay: Int64 = 86_400_000

    /// A stretch of time during which it is known to be open or closed.
    private struct Stretch {
        var milliseconds: Range<Int64>
        var isOpen: Bool
    }

    /// What was worked out last, for all players.
    private final class Cache: Sendable {
        let stretch = Mutex<Stretch?>(nil)
    }

    /// Throws a `parameter` error where the zone is unknown or a date is none.
    init(_ window: TimeWindow, of subject: String) throws(MediaError) {
        guard let zone = TimeZone(identifier: window.zone) else {
            throw MediaError(
                .parameter, step: "play", subject: subject, reason: "the time zone '\(window.zone)' is unknown",
                advice: "use one of the IANA database, such as America/Los_Angeles")
        }
        self.window = window
        self.zone = zone
        from = window.from?.minutes ?? 0
        until = window.until?.minutes ?? 1440
        weekdays = Set(window.days.compactMap(TimeWindow.Day.allCases.firstIndex(of:)))
        firstDay = try Self.day(window.firstDate, subject)
        lastDay = try Self.day(window.lastDate, subject)
    }

    private static func day(_ date: String?, _ subject: String) throws(MediaError) -> Int64? {
        guard let date else { return nil }
        guard let start = Timestamp("\(date)T00:00:00Z") else {
            throw MediaError(.parameter, step: "play", subject: subject, reason: "'\(date)' is no date")
        }
        return start.milliseconds.floorDivided(by: millisecondsOfDay)
    }

    func isOpen(at timestamp: Timestamp) -> Bool {
        cache.stretch.withLock { stretch in
            if let stretch, stretch.milliseconds.contains(timestamp.milliseconds) { return stretch.isOpen }
            let found = self.stretch(at: timestamp.milliseconds)
            stretch = found
            return found.isOpen
        }
    }

    /// When it opens next after a time at which it is closed; nil where that is more than a year away, or never.
    func nextOpening(after timestamp: Timestamp) -> Timestamp? {
        var time = timestamp.milliseconds
        if let firstDay { time = max(time, (firstDay - 1) * Self.millisecondsOfDay) }
        let end = time + 370 * Self.millisecondsOfDay
        while time < end {
            let stretch = stretch(at: time)
            if stretch.isOpen { return Timestamp(milliseconds: max(stretch.milliseconds.lowerBound, time)) }
            time = stretch.milliseconds.upperBound
        }
        return nil
    }

    // MARK: The clock of the zone

    private func offset(at milliseconds: Int64) -> Int64 {
        Int64(zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(milliseconds) / 1000))) * 1000
    }

    /// The time around `milliseconds`, within a day of the zone, during which neither the window nor the zone's offset changes.
    private func stretch(at milliseconds: Int64) -> Stretch {
        let offset = offset(at: milliseconds)
        let local = milliseconds + offset
        let day = local.floorDivided(by: Self.millisecondsOfDay)
        let midnight = day * Self.millisecondsOfDay
        // Between these times on the clock nothing changes.
        let edges = [0, from, until, 1440].map { midnight + Int64($0) * 60_000 }.sorted()
        let start = edges.last { $0 <= local } ?? midnight
        let end = edges.first { $0 > local } ?? midnight + Self.millisecondsOfDay
        return Stretch(
            milliseconds: firstMoment(
                of: offset, from: start - offset, to: milliseconds)..<firstMoment(
                    after: offset, from: milliseconds, to: end - offset),
            isOpen: isOpen(day: day, minutes: Double(local - midnight) / 60_000))
    }

    /// From when on the offset is what it is at `to`, no earlier than `from`.
    private func firstMoment(of offset: Int64, from: Int64, to: Int64) -> Int64 {
        guard self.offset(at: from) != offset else { return from }
        var (other, same) = (from, to)
        while same - other > 1 {
            let middle = other + (same - other) / 2
            if self.offset(at: middle) == offset { same = middle } else { other = middle }
        }
        return same
    }

    /// From when on the offset is no longer what it is at `from`, no later than `to`.
    private func firstMoment(after offset: Int64, from: Int64, to: Int64) -> Int64 {
        guard self.offset(at: to - 1) != offset else { return to }
        var (same, other) = (from, to - 1)
        while other - same > 1 {
            let middle = same + (other - same) / 2
            if self.offset(at: middle) == offset { same = middle } else { other = middle }
        }
        return other
    }

    private func isOpen(day: Int64, minutes: Double) -> Bool {
        let isOverMidnight = until <= from
        if minutes >= Double(from), isOverMidnight || minutes < Double(until) { return opens(on: day) }
        return isOverMidnight && minutes < Double(until) && opens(on: day - 1)
    }

    /// Whether it opens on a day since 1970-01-01, which was a Thursday.
    private func opens(on day: Int64) -> Bool {
        if let firstDay, day < firstDay { return false }
        if let lastDay, day > lastDay { return false }
        return weekdays.isEmpty || weekdays.contains(Int((day + 3).remainder(ofDividingBy: 7)))
    }
}

extension Int64 {
    fileprivate func floorDivided(by divisor: Int64) -> Int64 {
        let quotient = self / divisor
        return self % divisor < 0 ? quotient - 1 : quotient
    }

    /// Never below 0.
    fileprivate func remainder(ofDividingBy divisor: Int64) -> Int64 { self - floorDivided(by: divisor) * divisor }
}
