internal import WayreelCore

/// A rule of opening hours: on some days, at some times, a state.
struct HoursRule: Hashable, Sendable {
    /// How it relates to the rules before it.
    enum Separator: Hashable, Sendable {
        /// After a semicolon: it replaces what they say about its days.
        case normal
        /// After a comma: it adds to that.
        case additional
        /// After two bars: it counts where they say nothing.
        case fallback
    }

    var separator: Separator
    var years: [Years] = []
    var dates: [Dates] = []
    var weeks: [Weeks] = []
    var weekdays: [Weekdays] = []
    var holidays: Holidays = []
    /// Whether a day has to be both a holiday and one of the weekdays.
    var needsBoth = false
    /// An empty list means the whole day.
    var times: [Times] = []
    var state = OpeningHours.State.open
    var comment: String?

    /// Whether it is about dates or holidays, and not only about weekdays.
    var isSpecific: Bool { !dates.isEmpty || !holidays.isEmpty && weekdays.isEmpty }
    var hasDays: Bool {
        !(years.isEmpty && dates.isEmpty && weeks.isEmpty && weekdays.isEmpty && holidays.isEmpty)
    }

    struct Years: Hashable, Sendable {
        var range: ClosedRange<Int>
        var step = 1
    }

    struct Weeks: Hashable, Sendable {
        var range: ClosedRange<Int>
        var step = 1
    }

    struct Weekdays: Hashable, Sendable {
        /// 0 for Monday. Sunday to Tuesday is 6, 0 and 1.
        var days: Set<Int>
        /// The first, second and so on of the month; negative numbers count from its end. An empty set means all.
        var places: Set<Int> = []
    }

    /// A date of each year, or of one.
    struct Day: Hashable, Sendable {
        enum Kind: Hashable, Sendable {
            case month(Int)
            case date(month: Int, day: Int)
            /// A weekday, 0 for Monday: the first of the month is 1, the last is -1.
            case weekday(month: Int, weekday: Int, place: Int)
            /// Days after Easter Sunday.
            case easter(Int)
        }

        var year: Int?
        var kind: Kind
    }

    struct Dates: Hashable, Sendable {
        var first: Day
        /// Nil if it is one day, or one month.
        var last: Day?
    }

    struct Times: Hashable, Sendable {
        /// Minutes since midnight; the end may be on the next day.
        var minutes: Range<Int>
        /// Whether it may begin later or end earlier, as with times of the sun.
        var isUncertain = false
        /// Whether it may go on after its end.
        var isOpenEnded = false
    }

    /// When an open end is over at the latest: at six in the morning, or ten hours later.
    private static func latestEnd(_ end: Int) -> Int { max(1440 + 360, end + 600) }

    /// What the rule says about a day that it applies to.
    var spans: [HoursSpan] {
        guard !times.isEmpty else {
            return [HoursSpan(minutes: 0..<1440, state: state, comment: comment, isWholeDay: true)]
        }
        return times.flatMap { times in
            let certain = times.isUncertain ? OpeningHours.State.unknown : state
            var spans: [HoursSpan] = []
            if times.isOpenEnded {
                let end = times.minutes.upperBound
                spans.append(HoursSpan(minutes: end..<Self.latestEnd(end), state: .unknown, comment: comment))
            }
            if !times.minutes.isEmpty {
                spans.append(HoursSpan(minutes: times.minutes, state: certain, comment: comment))
            }
            return spans
        }
    }

    // MARK: Days

    /// Returns whether the rule is about a day, given as days since 1970-01-01.
    func applies(to number: Int, _ today: Holidays) -> Bool {
        let (year, month, day) = CalendarDate(number: number).parts
        if !years.isEmpty {
            guard years.contains(where: { $0.range.contains(year) && (year - $0.range.lowerBound) % $0.step == 0 })
            else {
                return false
            }
        }
        if !dates.isEmpty { guard dates.contains(where: { $0.contains(number, year) }) else { return false } }
        if !weeks.isEmpty {
            let week = Self.week(of: number)
            guard weeks.contains(where: { $0.range.contains(week) && (week - $0.range.lowerBound) % $0.step == 0 })
            else {
                return false
            }
        }
        let isHoliday = !holidays.isDisjoint(with: today)
        let isWeekday = weekdays.contains { $0.contains(number, year, month, day) }
        if holidays.isEmpty { return weekdays.isEmpty || isWeekday }
        if weekdays.isEmpty { return isHoliday }
        return needsBoth ? isHoliday && isWeekday : isHoliday || isWeekday
    }

    /// The number of the week of ISO 8601 in which a day lies: weeks belong to the year of their Thursday.
    static func week(of number: Int) -> Int {
        let thursday = number - LocalMinute.weekday(number) + 3
        let first = CalendarDate(firstOf: 1, CalendarDate(number: thursday).parts.year).number
        return (thursday - first) / 7 + 1
    }
}

extension HoursRule.Weekdays {
    func contains(_ number: Int, _ year: Int, _ month: Int, _ day: Int) -> Bool {
        guard days.contains(LocalMinute.weekday(number)) else { return false }
        guard !places.isEmpty else { return true }
        return places.contains((day - 1) / 7 + 1)
            || places.contains(-((HoursRule.Day.length(month, year) - day) / 7 + 1))
    }
}

extension HoursRule.Dates {
    func contains(_ number: Int, _ year: Int) -> Bool {
        guard let last else {
            return (first.year ?? year) == year && first.isDay(number, year)
        }
        if let firstYear = first.year {
            guard let start = first.first(in: firstYear) else { return false }
            let end = last.year.map { last.last(in: $0) } ?? last.last(in: firstYear)
            guard let end else { return false }
            let next = last.year == nil && end < start ? last.last(in: firstYear + 1) ?? end : end
            return number >= start && number <= next
        }
        guard let start = first.first(in: year), let end = last.last(in: year) else { return false }
        // From November to March.
        return start <= end ? number >= start && number <= end : number >= start || number <= end
    }
}

extension HoursRule.Day {
    static func length(_ month: Int, _ year: Int) -> Int {
        let next = month == 12 ? CalendarDate(firstOf: 1, year + 1) : CalendarDate(firstOf: month + 1, year)
        return next.number - CalendarDate(firstOf: month, year).number
    }

    /// Whether it is a day, or in a month, of the year.
    func isDay(_ number: Int, _ year: Int) -> Bool {
        guard let first = first(in: year), let last = last(in: year) else { return false }
        if case .date(_, let day) = kind, CalendarDate(number: last).parts.day != day { return false }
        return number >= first && number <= last
    }

    /// The first day in a year, as days since 1970-01-01. The 29th of February of another year is the 28th.
    func first(in year: Int) -> Int? {
        if case .month(let month) = kind { return CalendarDate(firstOf: month, year).number }
        return last(in: year)
    }

    func last(in year: Int) -> Int? {
        switch kind {
        case .month(let month):
            return CalendarDate(firstOf: month, year).number + Self.length(month, year) - 1
        case .date(let month, let day):
            return CalendarDate(firstOf: month, year).number + min(day, Self.length(month, year)) - 1
        case .weekday(let month, let weekday, let place):
            let first = CalendarDate(firstOf: month, year).number
            let length = Self.length(month, year)
            if place > 0 {
                let day = (weekday - LocalMinute.weekday(first) + 7) % 7 + (place - 1) * 7
                return day < length ? first + day : nil
            }
            let end = first + length - 1
            let back = (LocalMinute.weekday(end) - weekday + 7) % 7 + (-place - 1) * 7
            return back < length ? end - back : nil
        case .easter(let offset):
            return Self.easter(year) + offset
        }
    }

    /// Easter Sunday of the Gregorian calendar, as days since 1970-01-01 (J. Meeus, "Astronomical Algorithms", chapter 8).
    static func easter(_ year: Int) -> Int {
        let (a, b, c) = (year % 19, year / 100, year % 100)
        let (d, e, f) = (b / 4, b % 4, (b + 8) / 25)
        let g = (b - f + 1) / 3
        let h = (19 * a + b - d - g + 15) % 30
        let (i, k) = (c / 4, c % 4)
        let l = (32 + 2 * e + 2 * i - h - k) % 7
        let m = (a + 11 * h + 22 * l) / 451
        let n = h + l - 7 * m + 114
        return CalendarDate(firstOf: n / 31, year).number + n % 31
    }
}
