public import FoundationEssentials
internal import WayreelCore
internal import WayreelStory

/// A point in time, in whole milliseconds since 1970-01-01 in UTC, so that it is stored without rounding.
///
/// In JSON it is an RFC 3339 string: `2026-11-23T17:05:09.250Z`.
public struct Timestamp: Hashable, Sendable, Comparable, CustomStringConvertible {
    public var milliseconds: Int64

    /// The years 1 to 9999, the range of RFC 3339.
    public static let range =
        Timestamp(milliseconds: -62_135_596_800_000)...Timestamp(milliseconds: 253_402_300_799_999)

    public init(milliseconds: Int64) { self.milliseconds = milliseconds }

    /// Rounds a date to the nearest millisecond. Returns nil for a date outside of ``range``.
    public init?(_ date: Date) {
        let milliseconds = (date.timeIntervalSince1970 * 1000).rounded()
        guard let whole = Int64(exactly: milliseconds), Self.range.contains(Timestamp(milliseconds: whole)) else {
            return nil
        }
        self.init(milliseconds: whole)
    }

    /// Parses a date and time of RFC 3339, with seconds, an optional fraction, and `Z` or an offset. A fraction of
    /// more than three digits is rounded down.
    public init?(_ text: some StringProtocol) {
        guard let parsed = RFC3339.milliseconds(text.utf8), Self.range.contains(Timestamp(milliseconds: parsed)) else {
            return nil
        }
        self.init(milliseconds: parsed)
    }

    public var date: Date { Date(timeIntervalSince1970: Double(milliseconds) / 1000) }

    /// The date and time in UTC: `2026-11-23T17:05:09Z`, with a fraction of three digits if it is not zero.
    public var description: String { RFC3339.text(milliseconds) }

    public static func < (a: Timestamp, b: Timestamp) -> Bool { a.milliseconds < b.milliseconds }

    /// Returns the seconds from an earlier timestamp to this one.
    public func seconds(since other: Timestamp) -> Double {
        let (difference, overflows) = milliseconds.subtractingReportingOverflow(other.milliseconds)
        return overflows ? Double(milliseconds) / 1000 - Double(other.milliseconds) / 1000 : Double(difference) / 1000
    }

    /// Returns the timestamp `seconds` later, rounded to the nearest millisecond and limited to ``range``.
    public func advanced(by seconds: Double) -> Timestamp {
        let sum = (Double(milliseconds) + seconds * 1000).rounded()
        guard let whole = Int64(exactly: sum) else { return sum < 0 ? Self.range.lowerBound : Self.range.upperBound }
        return min(max(Timestamp(milliseconds: whole), Self.range.lowerBound), Self.range.upperBound)
    }
}

extension Timestamp: Codable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let parsed = Timestamp(text) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "'\(text)' is not a time of RFC 3339, such as 2026-11-23T17:05:09Z")
        }
        self = parsed
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}

/// Parses and formats dates and times of RFC 3339, in the proleptic Gregorian calendar.
enum RFC3339 {
    private static let millisecondsOfDay: Int64 = 86_400_000

    static func milliseconds(_ text: some Collection<UInt8>) -> Int64? {
        var scanner = Scanner(rest: text[...])
        guard let year = scanner.number(digits: 4), scanner.skip("-"), let month = scanner.number(digits: 2),
            scanner.skip("-"), let day = scanner.number(digits: 2), scanner.skip("T", "t", " "),
            let hour = scanner.number(digits: 2), scanner.skip(":"), let minute = scanner.number(digits: 2),
            scanner.skip(":"), let second = scanner.number(digits: 2),
            let date = CalendarDate(year: Int(year), month: Int(month), day: Int(day)), hour < 24, minute < 60,
            second <= 60
        else { return nil }
        let fraction = scanner.fraction()
        guard let fraction, let offset = scanner.offset(), scanner.rest.isEmpty else { return nil }
        // A leap second is treated as the first second of the next minute.
        let seconds = Int64(date.number) * 86_400 + (hour * 60 + minute - offset) * 60 + second
        return seconds * 1000 + fraction
    }

    static func text(_ milliseconds: Int64) -> String {
        var days = milliseconds / millisecondsOfDay
        var rest = milliseconds % millisecondsOfDay
        if rest < 0 { (days, rest) = (days - 1, rest + millisecondsOfDay) }
        let (year, month, day) = CalendarDate(number: Int(days)).parts
        let (seconds, fraction) = (rest / 1000, rest % 1000)
        let parts = [
            padded(year, 4), "-", padded(month, 2), "-", padded(day, 2), "T", padded(seconds / 3600, 2), ":",
            padded(seconds / 60 % 60, 2), ":", padded(seconds % 60, 2), fraction == 0 ? "" : ".\(padded(fraction, 3))",
            "Z",
        ]
        return parts.joined()
    }

    private static func padded(_ number: some BinaryInteger, _ digits: Int) -> String {
        String(Int(number), paddedTo: digits)
    }

    private struct Scanner<Rest: Collection<UInt8>> where Rest.SubSequence == Rest {
        var rest: Rest

        mutating func skip(_ characters: Unicode.Scalar...) -> Bool {
            guard let first = rest.first, characters.contains(Unicode.Scalar(first)) else { return false }
            rest = rest.dropFirst()
            return true
        }

        mutating func number(digits count: Int) -> Int64? {
            var value: Int64 = 0
            for _ in 0..<count {
                guard let digit = digit() else { return nil }
                value = value * 10 + digit
            }
            return value
        }

        /// Parses a fraction into milliseconds: 0 if there is none, nil for a point without digits.
        mutating func fraction() -> Int64? {
            guard skip(".", ",") else { return 0 }
            var value: Int64 = 0
            var count = 0
            while let digit = digit() {
                if count < 3 { value = value * 10 + digit }
                count += 1
            }
            guard count > 0 else { return nil }
            for _ in count..<max(3, count) { value *= 10 }
            return value
        }

        /// Parses an offset into minutes east of UTC.
        mutating func offset() -> Int64? {
            if skip("Z", "z") { return 0 }
            let isEast = skip("+")
            guard isEast || skip("-"), let hours = number(digits: 2), skip(":"), let minutes = number(digits: 2),
                hours < 24, minutes < 60
            else { return nil }
            return (hours * 60 + minutes) * (isEast ? 1 : -1)
        }

        private mutating func digit() -> Int64? {
            guard let first = rest.first, (0x30...0x39).contains(first) else { return nil }
            rest = rest.dropFirst()
            return Int64(first) - 0x30
        }
    }
}
