internal import Glibc

/// A date of the Gregorian calendar, also before it was introduced, as the number of days since 1970-01-01 (H. Hinnant,
/// "chrono-Compatible Low-Level Date Algorithms").
package struct CalendarDate: Hashable, Sendable {
    package let number: Int

    package init(number: Int) { self.number = number }

    /// The date in UTC.
    package static var today: CalendarDate { CalendarDate(number: time(nil) / 86_400) }

    /// Parses `YYYY-MM-DD`.
    package init?(_ text: String) {
        let parts = text.split(separator: "-").compactMap { Int($0) }
        guard parts.count == 3 else { return nil }
        self.init(year: parts[0], month: parts[1], day: parts[2])
    }

    /// Returns nil if the year, 0 to 9999, has no such day.
    package init?(year: Int, month: Int, day: Int) {
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        let length = month == 2 ? (isLeap ? 29 : 28) : [4, 6, 9, 11].contains(month) ? 30 : 31
        guard (0...9999).contains(year), (1...12).contains(month), (1...length).contains(day) else { return nil }
        number = CalendarDate(firstOf: month, year).number + day - 1
    }

    /// The first day of a month, 1 to 12, of any year.
    package init(firstOf month: Int, _ year: Int) {
        // Years begin in March, so that leap days are at their ends.
        let shifted = month > 2 ? year : year - 1
        let era = (shifted >= 0 ? shifted : shifted - 399) / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5
        number = era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    package var parts: (year: Int, month: Int, day: Int) {
        let shifted = number + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = shiftedMonth + (shiftedMonth < 10 ? 3 : -9)
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
    }

    /// `2026-11-23`
    package var text: String {
        let (year, month, day) = parts
        return "\(String(max(year, 0), paddedTo: 4))-\(String(month, paddedTo: 2))-\(String(day, paddedTo: 2))"
    }
}
