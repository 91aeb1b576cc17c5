internal import WayreelCore

/// A point in time of a sensor recording, in whole microseconds since 1970-01-01 in UTC or, if the recorder did not
/// know the date, since an arbitrary start.
public struct SensorTime: Hashable, Sendable, Comparable {
    /// The notation of times in a recording.
    public enum Notation: String, Sendable, Codable {
        /// RFC 3339, in UTC.
        case date
        /// A number of seconds.
        case seconds
    }

    public var microseconds: Int64

    public init(microseconds: Int64) { self.microseconds = microseconds }

    /// Rounds to the nearest microsecond. Returns nil for more than 10¹² seconds, or if the value is not a number.
    public init?(seconds: Double) {
        guard seconds.magnitude <= 1e12 else { return nil }
        microseconds = Int64((seconds * 1e6).rounded())
    }

    public static func < (a: Self, b: Self) -> Bool { a.microseconds < b.microseconds }

    /// Returns the seconds from an earlier time to this one.
    public func seconds(since other: SensorTime) -> Double {
        let (difference, overflows) = microseconds.subtractingReportingOverflow(other.microseconds)
        return (overflows ? Double(microseconds) - Double(other.microseconds) : Double(difference)) / 1e6
    }

    /// The time rounded down to milliseconds.
    public var timestamp: Timestamp {
        let (whole, rest) = microseconds.quotientAndRemainder(dividingBy: 1000)
        return Timestamp(milliseconds: rest < 0 ? whole - 1 : whole)
    }
}

extension SensorTime {
    /// Parses a date and time of RFC 3339, with up to six digits of the fraction.
    init?(date text: some StringProtocol) {
        guard let timestamp = Timestamp(text) else { return nil }
        let fraction = text.utf8.drop { $0 != UInt8(ascii: ".") }.dropFirst().prefix { (0x30...0x39).contains($0) }
        let rest = fraction.dropFirst(3).prefix(3).map { Int64($0) - 0x30 }
        microseconds =
            timestamp.milliseconds * 1000 + zip(rest, [100, 10, 1]).reduce(0) { $0 + $1.0 * $1.1 }
    }

    /// Parses a cell of a table: a number of seconds or a date.
    static func parse(_ text: some StringProtocol) -> (SensorTime, Notation)? {
        if let date = SensorTime(date: text) { return (date, .date) }
        return Double(text).flatMap(SensorTime.init(seconds:)).map { ($0, .seconds) }
    }

    /// Returns the time as text: `2026-11-23T17:05:09.250125Z` or `12.000125`.
    public func text(_ notation: Notation) -> String {
        switch notation {
        case .date:
            let rest = microseconds - timestamp.milliseconds * 1000
            let text = timestamp.description
            guard rest != 0 else { return text }
            let milliseconds = text.contains(".") ? String(text.dropLast()) : "\(text.dropLast()).000"
            return milliseconds + String(rest, paddedTo: 3) + "Z"
        case .seconds:
            let (whole, rest) = microseconds.magnitude.quotientAndRemainder(dividingBy: 1_000_000)
            var fraction = String(rest, paddedTo: 6)[...]
            while fraction.last == "0" { fraction = fraction.dropLast() }
            return (microseconds < 0 ? "-" : "") + "\(whole)" + (fraction.isEmpty ? "" : ".\(fraction)")
        }
    }
}
