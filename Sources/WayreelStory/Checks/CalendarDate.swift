internal import Glibc

/// A date of the Gregorian calendar, as the number of days since 1970-01-01.
package struct CalendarDate: Sendable {
    let number: Int

    init(number: Int) { self.number = number }

    /// The date in UTC.
    package static var today: CalendarDate { CalendarDate(number: time(nil) / 86_400) }

    /// Parses `YYYY-MM-DD`.
    package init?(_ text: String) {
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
