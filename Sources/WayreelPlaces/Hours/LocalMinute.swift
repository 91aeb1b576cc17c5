internal import WayreelCore
public import WayreelEngine

/// A minute of a local date, on the clocks of a place.
public struct LocalMinute: Hashable, Sendable, Comparable {
    /// Days since 1970-01-01.
    let day: Int
    /// Minutes since midnight, 0 to 1439.
    let minute: Int

    init(day: Int, minute: Int) { (self.day, self.minute) = (day, minute) }

    /// Parses `2026-11-27T14:05`, with or without seconds. Returns nil for other texts.
    public init?(_ text: String) {
        let parts = text.split(separator: "T", omittingEmptySubsequences: false)
        guard parts.count == 2, let date = CalendarDate(String(parts[0])) else { return nil }
        let clock = parts[1].split(separator: ":", omittingEmptySubsequences: false)
        guard (2...3).contains(clock.count), let hour = Self.number(clock[0], below: 24),
            let minute = Self.number(clock[1], below: 60), clock.count == 2 || Self.number(clock[2], below: 60) != nil
        else { return nil }
        self.init(day: date.number, minute: hour * 60 + minute)
    }

    /// The minute that the clocks of a time zone show at a time.
    public init?(_ timestamp: Timestamp, in clock: LocalClock) {
        self.init("\(clock.date(timestamp))T\(clock.time(timestamp))")
    }

    private static func number(_ text: Substring, below limit: Int) -> Int? {
        guard text.utf8.count == 2, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Int(text).flatMap { $0 < limit ? $0 : nil }
    }

    public static func < (a: LocalMinute, b: LocalMinute) -> Bool { (a.day, a.minute) < (b.day, b.minute) }

    /// The number of the weekday: 0 for Monday.
    var weekday: Int { Self.weekday(day) }

    /// 1970-01-01 was a Thursday.
    static func weekday(_ day: Int) -> Int { ((day + 3) % 7 + 7) % 7 }
}

extension LocalMinute: CustomStringConvertible {
    /// `2026-11-27T14:05`
    public var description: String { "\(CalendarDate(number: day).text)T\(clock)" }

    /// `14:05`
    public var clock: String { "\(String(minute / 60, paddedTo: 2)):\(String(minute % 60, paddedTo: 2))" }
}
