/// A condition that must hold before an event can be found.
public indirect enum Condition: Hashable, Sendable, Codable {
    /// All of these conditions hold.
    case all([Condition])
    /// At least one of these conditions holds.
    case any([Condition])
    case not(Condition)
    /// The event of that id was found.
    case found(event: String)
    /// The lockbox of that id was opened.
    case opened(lockbox: String)
    /// The current time is inside the window.
    case during(TimeWindow)
}

/// A recurring time window in a time zone, for example from 21:00 to 02:00 on Fridays and Saturdays of a summer.
public struct TimeWindow: Hashable, Sendable, Codable {
    public enum Day: String, Hashable, Sendable, Codable, CaseIterable {
        case monday = "mon", tuesday = "tue", wednesday = "wed", thursday = "thu", friday = "fri", saturday = "sat"
        case sunday = "sun"
    }

    /// A time zone of the IANA database, such as `America/Los_Angeles`.
    public var zone: String
    /// The opening time, `HH:MM` in local time of the zone; nil is midnight.
    public var from: TimeOfDay?
    /// The closing time; not later than ``from`` if the window extends over midnight. nil is midnight.
    public var until: TimeOfDay?
    /// The days on which the window opens; empty for all.
    public var days: [Day]
    /// The first date on which the window opens, `YYYY-MM-DD`; ``lastDate`` is the last one.
    public var firstDate: String?
    public var lastDate: String?

    public init(
        zone: String, from: TimeOfDay? = nil, until: TimeOfDay? = nil, days: [Day] = [], firstDate: String? = nil,
        lastDate: String? = nil
    ) {
        self.zone = zone
        self.from = from
        self.until = until
        self.days = days
        self.firstDate = firstDate
        self.lastDate = lastDate
    }
}

/// A local time of day, to the minute.
public struct TimeOfDay: Hashable, Sendable, Codable, CustomStringConvertible {
    /// Minutes since midnight, 0 to 1440.
    public var minutes: Int

    public init(minutes: Int) { self.minutes = minutes }

    /// Parses `HH:MM`, 00:00 to 24:00.
    public init?(_ text: String) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ $0.count == 2 && $0.allSatisfy(\.isASCII) }),
            let hours = Int(parts[0]), let minutes = Int(parts[1]), (0...24).contains(hours),
            (0..<60).contains(minutes),
            hours * 60 + minutes <= 1440
        else { return nil }
        self.minutes = hours * 60 + minutes
    }

    public var description: String {
        let (hours, rest) = (minutes / 60, minutes % 60)
        return "\(hours < 10 ? "0" : "")\(hours):\(rest < 10 ? "0" : "")\(rest)"
    }
}
