internal import Foundation
internal import Synchronization
package import WayreelCore
package import WayreelStory

/// The opening times of a ``TimeWindow``.
///
/// The window is open while the local time in its zone is at or after `from` and before `until`, on a date on which
/// it opens. If it extends over midnight, it is also open before `until` on the next date. When clocks are put
/// forward, a window that lies within the skipped hour does not open that day, and one that begins within it opens
/// with the change. When clocks are put back, a window that ends within the repeated hour opens a second time.
package struct WindowSchedule: Sendable {
    package let window: TimeWindow
    private let zone: TimeZone
    /// Minutes since local midnight.
    private let from: Int
    private let until: Int
    private let weekdays: Set<Int>
    private let firstDay: Int64?
    private let lastDay: Int64?
    private let cache = Cache()

    private static let millisecondsOfDay: Int64 = 86_400_000

    /// A period during which the window is known to be open or closed.
    private struct Stretch {
        var milliseconds: Range<Int64>
        var isOpen: Bool
    }

    /// The most recently computed period, shared by all players.
    private final class Cache: Sendable {
        let stretch = Mutex<Stretch?>(nil)
    }

    /// Throws a `parameter` error if the zone is unknown or a date is invalid.
    package init(_ window: TimeWindow, of subject: String) throws(MediaError) {
        if let fault = TimeZones.fault(window.zone) {
            throw MediaError(
                .parameter, step: .play, subject: subject, reason: fault.reason, advice: "\(fault.advice)")
        }
        guard let zone = TimeZone(identifier: window.zone) else {
            throw MediaError(
                .parameter, step: .play, subject: subject,
                reason: "this machine does not know the time zone '\(window.zone)'", advice: "update Wayreel")
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
            throw MediaError(.parameter, step: .play, subject: subject, reason: "'\(date)' is not a date")
        }
        return start.milliseconds.floorDivided(by: millisecondsOfDay)
    }

    package func isOpen(at timestamp: Timestamp) -> Bool {
        cache.stretch.withLock { stretch in
            if let stretch, stretch.milliseconds.contains(timestamp.milliseconds) { return stretch.isOpen }
            let found = self.stretch(at: timestamp.milliseconds)
            stretch = found
            return found.isOpen
        }
    }

    /// Returns the next opening after a time at which the window is closed, or nil if there is none within 370 days.
    package func nextOpening(after timestamp: Timestamp) -> Timestamp? {
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

    // MARK: Local time of the zone

    private func offset(at milliseconds: Int64) -> Int64 {
        Int64(zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(milliseconds) / 1000))) * 1000
    }

    /// Returns the period around `milliseconds`, within one local day, during which neither the window nor the zone's
    /// offset changes.
    private func stretch(at milliseconds: Int64) -> Stretch {
        let offset = offset(at: milliseconds)
        let local = milliseconds + offset
        let day = local.floorDivided(by: Self.millisecondsOfDay)
        let midnight = day * Self.millisecondsOfDay
        // Nothing changes between these local times.
        let edges = [0, from, until, 1440].map { midnight + Int64($0) * 60_000 }.sorted()
        let start = edges.last { $0 <= local } ?? midnight
        let end = edges.first { $0 > local } ?? midnight + Self.millisecondsOfDay
        // The offset may begin or end between them.
        let isOther = { (time: Int64) in self.offset(at: time) != offset }
        let first =
            isOther(start - offset)
            ? Self.firstMoment(from: start - offset, to: milliseconds) { !isOther($0) } : start - offset
        let last =
            isOther(end - offset - 1)
            ? Self.firstMoment(from: milliseconds, to: end - offset - 1, isOther) : end - offset
        return Stretch(
            milliseconds: first..<last, isOpen: isOpen(day: day, minutes: Double(local - midnight) / 60_000))
    }

    /// Returns the first time of which something holds, which does at `to`, but not at `from`.
    private static func firstMoment(from: Int64, to: Int64, _ holds: (Int64) -> Bool) -> Int64 {
        var (before, after) = (from, to)
        while after - before > 1 {
            let middle = before + (after - before) / 2
            if holds(middle) { after = middle } else { before = middle }
        }
        return after
    }

    private func isOpen(day: Int64, minutes: Double) -> Bool {
        let isOverMidnight = until <= from
        if minutes >= Double(from), isOverMidnight || minutes < Double(until) { return opens(on: day) }
        return isOverMidnight && minutes < Double(until) && opens(on: day - 1)
    }

    /// Whether the window opens on the given day, counted from 1970-01-01, a Thursday.
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

    /// Returns the remainder, which is never negative.
    fileprivate func remainder(ofDividingBy divisor: Int64) -> Int64 { self - floorDivided(by: divisor) * divisor }
}

/// Converts timestamps to local dates and times in a time zone.
public struct LocalClock: Sendable {
    /// A name of the IANA database, such as `America/Los_Angeles`.
    public let zone: String
    private let timeZone: TimeZone

    /// Returns nil if there is no such zone.
    public init?(_ zone: String) {
        guard let timeZone = TimeZone(identifier: zone) else { return nil }
        self.zone = zone
        self.timeZone = timeZone
    }

    /// The seconds that local clocks are ahead of UTC at a time.
    public func offset(_ timestamp: Timestamp) -> Int { timeZone.secondsFromGMT(for: timestamp.date) }

    private func shifted(_ timestamp: Timestamp) -> Substring {
        let offset = offset(timestamp)
        return Timestamp(milliseconds: timestamp.milliseconds + Int64(offset) * 1000).description[...]
    }

    /// The local date: `2026-11-23`.
    public func date(_ timestamp: Timestamp) -> String { String(shifted(timestamp).prefix(10)) }
    /// The local time: `17:05:09`.
    public func time(_ timestamp: Timestamp) -> String { String(shifted(timestamp).dropFirst(11).prefix(8)) }
}
