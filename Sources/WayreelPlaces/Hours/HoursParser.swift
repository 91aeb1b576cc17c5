/// Reads the rules of opening hours. What is not understood gives nil, and so do rules whose meaning is disputed.
struct HoursParser {
    private let bytes: [UInt8]
    private var at = 0

    private static let maxBytes = 2000
    private static let maxRules = 100

    /// Returns nil if a part of the text is not understood.
    static func rules(of text: String) -> [HoursRule]? {
        // Dashes of typesetters, and blanks that do not break, are common.
        let plain = text.replacing("–", with: "-").replacing("—", with: "-").replacing("\u{A0}", with: " ")
        guard plain.utf8.count <= maxBytes else { return nil }
        var parser = HoursParser(bytes: Array(plain.utf8))
        return parser.rules()
    }

    private init(bytes: [UInt8]) { self.bytes = bytes }

    private mutating func rules() -> [HoursRule]? {
        var rules: [HoursRule] = []
        var separator = HoursRule.Separator.normal
        while true {
            skipSpaces()
            // A semicolon at the end, or two of them, say nothing.
            if separator == .normal, isAtEnd { break }
            if separator == .normal, take(";") { continue }
            guard rules.count < Self.maxRules, let rule = rule(separator) else { return nil }
            // After other rules, hours for all days replace them: authors mean that they are added.
            if separator == .normal, !rules.isEmpty, rule.state != .closed, !rule.hasDays { return nil }
            rules.append(rule)
            skipSpaces()
            if isAtEnd { break }
            if take(";") {
                separator = .normal
            } else if take("||") {
                separator = .fallback
            } else if take(",") {
                separator = .additional
            } else {
                return nil
            }
        }
        return rules.isEmpty ? nil : rules
    }

    /// Reads selectors and the state.
    private mutating func rule(_ separator: HoursRule.Separator) -> HoursRule? {
        var rule = HoursRule(separator: separator)
        let start = at
        if peek("\"") {
            // A comment before selectors says for what the hours are.
            guard let comment = comment() else { return nil }
            rule.comment = comment
            skipSpaces()
            guard take(":") else {
                rule.state = .unknown
                return rule
            }
        }
        skipSpaces()
        if take("24/7") {
            skipSpaces()
        } else {
            guard readDates(&rule), readDays(&rule), readTimes(&rule) else { return nil }
        }
        skipSpaces()
        let hasSelectors = at > start
        if takeWord("open") {
            rule.state = .open
        } else if takeWord("off") || takeWord("closed") {
            rule.state = .closed
        } else if takeWord("unknown") {
            rule.state = .unknown
        } else {
            guard hasSelectors else { return nil }
            if peek("\"") || rule.comment != nil { rule.state = .unknown }
        }
        skipSpaces()
        if peek("\"") {
            guard let comment = comment() else { return nil }
            rule.comment = comment
        }
        // Open ends of other states have no meaning.
        if rule.state != .open, rule.times.contains(where: \.isOpenEnded) { return nil }
        return rule
    }

    // MARK: Characters

    private var isAtEnd: Bool { at == bytes.count }

    private mutating func skipSpaces() { while at < bytes.count, bytes[at] == 0x20 || bytes[at] == 0x09 { at += 1 } }

    private func peek(_ text: StaticString, from start: Int? = nil) -> Bool {
        let (start, count) = (start ?? at, text.utf8CodeUnitCount)
        guard start + count <= bytes.count else { return false }
        return (0..<count).allSatisfy { bytes[start + $0] == text.utf8Start[$0] }
    }

    private mutating func take(_ text: StaticString) -> Bool {
        guard peek(text) else { return false }
        at += text.utf8CodeUnitCount
        return true
    }

    /// Takes a word in any case that no letter follows.
    private mutating func takeWord(_ word: String) -> Bool {
        let letters = Array(word.utf8)
        guard at + letters.count <= bytes.count else { return false }
        for (index, letter) in letters.enumerated() where Self.lowercase(bytes[at + index]) != Self.lowercase(letter) {
            return false
        }
        let end = at + letters.count
        if end < bytes.count, Self.isLetter(bytes[end]) { return false }
        at = end
        return true
    }

    private mutating func takeWord(of words: [String]) -> Int? { words.firstIndex { takeWord($0) } }

    private static func lowercase(_ byte: UInt8) -> UInt8 { (0x41...0x5A).contains(byte) ? byte + 0x20 : byte }

    private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(lowercase(byte)) || byte >= 0x80 }

    private func digits(at start: Int) -> Int {
        bytes[min(start, bytes.count)...].prefix { (0x30...0x39).contains($0) }.count
    }

    /// Takes a number with so many digits.
    private mutating func number(digits allowed: ClosedRange<Int>) -> Int? {
        let count = digits(at: at)
        guard allowed.contains(count) else { return nil }
        let value = bytes[at..<at + count].reduce(0) { $0 * 10 + Int($1 - 0x30) }
        at += count
        return value
    }

    private mutating func comment() -> String? {
        guard take("\""), let end = bytes[at...].firstIndex(of: 0x22) else { return nil }
        let text = String(decoding: bytes[at..<end], as: UTF8.self)
        at = end + 1
        return text
    }

    /// Reads an item, and more of them after commas; what follows the last comma may belong to the next rule.
    private mutating func list<Item>(_ item: (inout HoursParser) -> Item?) -> [Item] {
        var items: [Item] = []
        while true {
            let before = at
            if !items.isEmpty {
                skipSpaces()
                guard take(",") else {
                    at = before
                    return items
                }
                skipSpaces()
            }
            guard let next = item(&self) else {
                at = before
                return items
            }
            items.append(next)
        }
    }

    /// Takes a hyphen with or without spaces.
    private mutating func takeHyphen() -> Bool {
        let before = at
        skipSpaces()
        guard take("-") else {
            at = before
            return false
        }
        skipSpaces()
        return true
    }

    // MARK: Years, dates and weeks

    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    private static let lengths = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

    private mutating func readDates(_ rule: inout HoursRule) -> Bool {
        rule.dates = list { $0.dates() }
        if rule.dates.isEmpty {
            rule.years = list { $0.years() }
            skipSpaces()
            rule.dates = list { $0.dates() }
            // "2024-2026 2027 Jan" would be two selectors of years.
            if !rule.years.isEmpty, rule.dates.contains(where: { $0.first.year != nil }) { return false }
        }
        // Bounds of other years would be days of one year only.
        guard rule.dates.allSatisfy({ $0.last?.year == nil || $0.first.year != nil }) else { return false }
        skipSpaces()
        if takeWord("week") {
            skipSpaces()
            rule.weeks = list { $0.weeks() }
            guard !rule.weeks.isEmpty else { return false }
        }
        return takeColon(after: !rule.years.isEmpty || !rule.dates.isEmpty || !rule.weeks.isEmpty)
    }

    /// Skips a colon for readability.
    private mutating func takeColon(after hasSelector: Bool) -> Bool {
        skipSpaces()
        guard hasSelector, peek(":") else { return true }
        at += 1
        skipSpaces()
        return !isAtEnd
    }

    private mutating func years() -> HoursRule.Years? {
        let start = at
        guard let first = year() else { return nil }
        var years = HoursRule.Years(range: first...first)
        if take("+") {
            years.range = first...9999
        } else if takeHyphen() {
            guard let last = year(), last >= first else {
                at = start
                return nil
            }
            years.range = first...last
            guard let step = stepOfRange() else {
                at = start
                return nil
            }
            years.step = step
        }
        return years
    }

    /// The number after the `/` of a range, 1 without it; nil if it is no number from 1 to 99.
    private mutating func stepOfRange() -> Int? {
        guard take("/") else { return 1 }
        return number(digits: 1...2).flatMap { $0 > 0 ? $0 : nil }
    }

    /// Four digits, of which no time and no other number is made.
    private mutating func year() -> Int? {
        guard digits(at: at) == 4, at + 4 >= bytes.count || bytes[at + 4] != UInt8(ascii: ":") else { return nil }
        let start = at
        guard let year = number(digits: 4...4), (1900...2999).contains(year) else {
            at = start
            return nil
        }
        return year
    }

    private mutating func weeks() -> HoursRule.Weeks? {
        let start = at
        guard let first = number(digits: 1...2), (1...53).contains(first), !peek(":") else {
            at = start
            return nil
        }
        var weeks = HoursRule.Weeks(range: first...first)
        if take("-") {
            guard let last = number(digits: 1...2), (first...53).contains(last) else {
                at = start
                return nil
            }
            weeks.range = first...last
            guard let step = stepOfRange() else {
                at = start
                return nil
            }
            weeks.step = step
        }
        return weeks
    }

    /// A day or a month, or a range of these.
    private mutating func dates() -> HoursRule.Dates? {
        let start = at
        guard let first = day() else { return nil }
        let end = at
        if takeHyphen() {
            // "Mar-Oct Su[1]" are the first Sundays of these months.
            var hasWeekday = true
            if case .month = first.kind { hasWeekday = false }
            if let last = day(withWeekday: hasWeekday) { return HoursRule.Dates(first: first, last: last) }
            if case .date(let month, _) = first.kind, let last = dayNumber(in: month) {
                return HoursRule.Dates(first: first, last: HoursRule.Day(kind: .date(month: month, day: last)))
            }
        }
        at = end
        if case .weekday = first.kind {
            // So are "Jan,Mar Su[1]" of both months.
            at = start
            return day(withWeekday: false).map { HoursRule.Dates(first: $0) }
        }
        return HoursRule.Dates(first: first)
    }

    /// `Dec 24`, `2026 Dec 24`, `Dec`, `easter -2 days`, `Mar Su[-1]`
    private mutating func day(withWeekday hasWeekday: Bool = true) -> HoursRule.Day? {
        let start = at
        let year = year()
        if year != nil { skipSpaces() }
        if takeWord("easter") {
            guard let offset = offset() else {
                at = start
                return nil
            }
            return HoursRule.Day(year: year, kind: .easter(offset))
        }
        guard let month = takeWord(of: Self.months) else {
            at = start
            return nil
        }
        let end = at
        skipSpaces()
        if let day = dayNumber(in: month + 1) {
            return HoursRule.Day(year: year, kind: .date(month: month + 1, day: day))
        }
        if hasWeekday, let weekday = takeWord(of: Self.weekdays), take("["), let place = place(), take("]") {
            if offset() == 0 {
                return HoursRule.Day(year: year, kind: .weekday(month: month + 1, weekday: weekday, place: place))
            }
            at = start
            return nil
        }
        at = end
        return HoursRule.Day(year: year, kind: .month(month + 1))
    }

    /// Takes the number of a day, which is no hour.
    private mutating func dayNumber(in month: Int) -> Int? {
        let start = at
        guard let day = number(digits: 1...2), (1...Self.lengths[month - 1]).contains(day), !peek(":"), !peek("+"),
            !peek("/")
        else {
            at = start
            return nil
        }
        return day
    }

    /// Takes `+1 day` or `-2 days`; 0 if there is none, nil if it is damaged.
    private mutating func offset() -> Int? {
        let before = at
        skipSpaces()
        guard peek("+") || peek("-"), digits(at: at + 1) > 0 else {
            at = before
            return 0
        }
        let sign = take("+") ? 1 : -1
        if sign < 0 { at += 1 }
        guard let days = number(digits: 1...3) else { return nil }
        skipSpaces()
        guard takeWord("day") || takeWord("days") else {
            // "easter -12:00" and the like.
            at = before
            return nil
        }
        return sign * days
    }

    // MARK: Weekdays and holidays

    private static let weekdays = ["Mo", "Tu", "We", "Th", "Fr", "Sa", "Su"]

    private enum DayItem {
        case weekdays(HoursRule.Weekdays)
        case holiday(Holidays)
    }

    private mutating func readDays(_ rule: inout HoursRule) -> Bool {
        let items = list { $0.dayItem() }
        add(items, to: &rule)
        // "SH Mo-Fr" are the weekdays of school holidays, and "SH,Mo-Fr" are both.
        let end = at
        skipSpaces()
        if !rule.holidays.isEmpty, rule.weekdays.isEmpty, at > end {
            let more = list { $0.dayItem() }
            if !more.isEmpty {
                add(more, to: &rule)
                guard more.allSatisfy({ if case .weekdays = $0 { true } else { false } }) else { return false }
                rule.needsBoth = true
            }
        }
        // A number after a day is part of what is not understood, as "PH +1 day".
        skipSpaces()
        if !items.isEmpty, peek("+") || peek("-") || peek("[") { return false }
        return takeColon(after: !items.isEmpty)
    }

    private func add(_ items: [DayItem], to rule: inout HoursRule) {
        for item in items {
            switch item {
            case .weekdays(let weekdays): rule.weekdays.append(weekdays)
            case .holiday(let holiday): rule.holidays.formUnion(holiday)
            }
        }
    }

    private mutating func dayItem() -> DayItem? {
        if takeWord("PH") { return .holiday(.isPublic) }
        if takeWord("SH") { return .holiday(.isSchool) }
        let start = at
        guard let first = takeWord(of: Self.weekdays) else { return nil }
        var weekdays = HoursRule.Weekdays(days: [first])
        if take("[") {
            let places = list { parser in parser.placeRange() }.flatMap(\.self)
            guard !places.isEmpty, take("]") else {
                at = start
                return nil
            }
            weekdays.places = Set(places)
        } else if takeHyphen() {
            guard let last = takeWord(of: Self.weekdays) else {
                at = start
                return nil
            }
            let count = (last - first + 7) % 7
            weekdays.days = Set((0...count).map { (first + $0) % 7 })
        }
        return .weekdays(weekdays)
    }

    /// 1 to 5, or -1 to -5.
    private mutating func place() -> Int? {
        let start = at
        let sign = take("-") ? -1 : 1
        guard let place = number(digits: 1...1), (1...5).contains(place) else {
            at = start
            return nil
        }
        return sign * place
    }

    private mutating func placeRange() -> [Int]? {
        guard let first = place() else { return nil }
        guard first > 0, peek("-") else { return [first] }
        at += 1
        guard let last = place(), last >= first else { return nil }
        return Array(first...last)
    }

    // MARK: Times

    private mutating func readTimes(_ rule: inout HoursRule) -> Bool {
        skipSpaces()
        rule.times = list { $0.times() }
        return true
    }

    /// A time: minutes since midnight, and whether it is one of the sun.
    private struct Time {
        var minutes: Int
        var isUncertain = false
    }

    private mutating func times() -> HoursRule.Times? {
        let start = at
        guard let times = span(), !peek("/"), !peek(":"), !peek("-") else {
            at = start
            return nil
        }
        return times
    }

    private mutating func span() -> HoursRule.Times? {
        guard let first = time(ofEnd: false) else { return nil }
        if take("+") {
            guard !first.isUncertain else { return nil }
            return HoursRule.Times(minutes: first.minutes..<first.minutes, isOpenEnded: true)
        }
        guard takeHyphen(), let last = time(ofEnd: true) else { return nil }
        let isUncertain = first.isUncertain || last.isUncertain
        if isUncertain {
            // The sun may set after midnight on the clocks of the north.
            let begin = first.isUncertain ? 0 : first.minutes
            let end = last.isUncertain ? 1440 + 180 : last.minutes > begin ? last.minutes : last.minutes + 1440
            guard begin < end else { return nil }
            return take("+") ? nil : HoursRule.Times(minutes: begin..<end, isUncertain: true)
        }
        // "00:00-00:00" may be a day or nothing.
        guard last.minutes != first.minutes, first.minutes < 1440 else { return nil }
        let end = last.minutes > first.minutes ? last.minutes : last.minutes + 1440
        guard end <= 2 * 1440 else { return nil }
        return HoursRule.Times(minutes: first.minutes..<end, isOpenEnded: take("+"))
    }

    private mutating func time(ofEnd isEnd: Bool) -> Time? {
        if take("(") {
            guard takeWord(of: Self.events) != nil, peek("+") || peek("-") else { return nil }
            at += 1
            guard clock(hours: 0...24) != nil, take(")") else { return nil }
            return Time(minutes: 0, isUncertain: true)
        }
        if takeWord(of: Self.events) != nil { return Time(minutes: 0, isUncertain: true) }
        return clock(hours: 0...(isEnd ? 48 : 24)).map { Time(minutes: $0) }
    }

    private static let events = ["dawn", "sunrise", "sunset", "dusk"]

    /// `8:00`, `08:00`
    private mutating func clock(hours: ClosedRange<Int>) -> Int? {
        let start = at
        guard let hour = number(digits: 1...2), hours.contains(hour), take(":"), let minute = number(digits: 2...2),
            minute < 60, hour < hours.upperBound || minute == 0
        else {
            at = start
            return nil
        }
        return hour * 60 + minute
    }
}
