/// Opening hours in the format of OpenStreetMap's `opening_hours` (specification 0.7.2).
///
///     let hours = OpeningHours("Mo-Fr 09:00-18:00; Sa 09:00-13:00; PH off")
///     let status = hours?.status(at: LocalMinute("2026-11-27T14:05")!)  // open, and otherwise on public holidays
///
/// Days of the week (also the last Sunday of a month), times beyond midnight, months, dates, Easter, weeks, years, public
/// and school holidays, `24/7`, `off`, `unknown`, comments, open ends, and additional and fallback rules are understood. Times
/// of the sun, open ends and comments give an unknown state. Where rules contradict each other, or authors usually mean
/// something else than the specification says, the state is unknown, too, so that no state is wrong.
///
/// Where public holidays are is not known. A state that would be another one on a holiday says so.
public struct OpeningHours: Hashable, Sendable {
    public enum State: String, Hashable, Sendable, Codable {
        case open, closed, unknown
    }

    /// The state at a time.
    public struct Status: Hashable, Sendable {
        /// The state if neither this day nor the day before is a holiday.
        public var state: State
        /// Whether the state may be another one on a public or a school holiday.
        public var dependsOnHolidays: Bool
        /// What the author says about the hours at this time: `by appointment`.
        public var comment: String?
    }

    public let text: String
    let rules: [HoursRule]

    /// Returns nil if a part of the text is not understood.
    public init?(_ text: String) {
        guard let rules = HoursParser.rules(of: text) else { return nil }
        (self.text, self.rules) = (text, rules)
    }

    // MARK: The state

    public func status(at time: LocalMinute) -> Status {
        let ordinary = state(time, [], [])
        let names = rules.reduce(into: Holidays()) { $0.formUnion($1.holidays) }
        var depends = false
        for today in names.subsets {
            for yesterday in names.subsets where !depends {
                depends = state(time, today, yesterday).state != ordinary.state
            }
        }
        return Status(state: ordinary.state, dependsOnHolidays: depends, comment: ordinary.comment)
    }

    /// Returns the first minute after a time at which the state is another one, within 14 days, and that state. Holidays are
    /// not considered. Returns nil if there is none.
    public func nextChange(after time: LocalMinute) -> (time: LocalMinute, state: State)? {
        let now = state(time, [], []).state
        for day in time.day...time.day + 14 {
            let (own, before) = (DayHours(rules, day, []), DayHours(rules, day - 1, []))
            let ends = own.ends + before.ends.map { $0 - 1440 } + [0]
            for minute in Set(ends).sorted() where (0..<1440).contains(minute) {
                let next = LocalMinute(day: day, minute: minute)
                guard next > time else { continue }
                let state = Self.state(own, before, minute).state
                if state != now { return (next, state) }
            }
        }
        return nil
    }

    private func state(
        _ time: LocalMinute, _ today: Holidays, _ yesterday: Holidays
    ) -> (state: State, comment: String?) {
        Self.state(DayHours(rules, time.day, today), DayHours(rules, time.day - 1, yesterday), time.minute)
    }

    /// Returns the state at a minute of a day, from the hours of this day and of the day before, which may go on after
    /// midnight.
    private static func state(
        _ own: DayHours, _ before: DayHours, _ minute: Int
    ) -> (state: State, comment: String?) {
        let (mine, earlier) = (own.span(at: minute), before.span(at: minute + 1440))
        if own.isContradictory || before.isContradictory && earlier != nil { return (.unknown, nil) }
        var span = mine
        if mine == nil || mine?.state == .unknown && earlier?.state == .open { span = earlier }
        // Whether a day off ends the night before is understood in both ways.
        if let mine, mine.state == .closed, mine.isWholeDay, let earlier, earlier.state != .closed {
            return (.unknown, nil)
        }
        guard span == nil || span?.state == .closed else { return (span?.state ?? .closed, span?.comment) }
        if let fallback = own.fallback(at: minute) ?? before.fallback(at: minute + 1440) {
            return span == nil || fallback.state == .closed ? (fallback.state, fallback.comment) : (.unknown, nil)
        }
        return (.closed, span?.comment)
    }
}

/// Days on which other hours may apply.
struct Holidays: OptionSet, Hashable, Sendable {
    let rawValue: Int

    static let isPublic = Holidays(rawValue: 1)
    static let isSchool = Holidays(rawValue: 2)

    /// All combinations of these.
    var subsets: [Holidays] { (0...3).map { Holidays(rawValue: $0) }.filter { isSuperset(of: $0) } }
}

/// A span of a day with a state.
struct HoursSpan: Hashable, Sendable {
    /// In minutes since midnight; the end may be on the next day.
    var minutes: Range<Int>
    var state: OpeningHours.State
    var comment: String?
    /// Whether it is a day without times.
    var isWholeDay = false
}

/// What the rules say about a day.
private struct DayHours {
    /// In the order of their rules: the last one counts.
    private var spans: [HoursSpan] = []
    private var fallbacks: [HoursSpan] = []
    /// Whether a later rule opens a day that an earlier, more specific one closes: by the specification the later one
    /// counts, and authors mean the other one.
    private(set) var isContradictory = false

    init(_ rules: [HoursRule], _ day: Int, _ holidays: Holidays) {
        var isClosedSpecifically = false
        for rule in rules where rule.applies(to: day, holidays) {
            switch rule.separator {
            case .fallback:
                fallbacks += rule.spans
                continue
            case .normal where rule.state != .closed:
                // The rule is about all of the day.
                if isClosedSpecifically, !rule.isSpecific { isContradictory = true }
                spans.removeAll()
            case .normal, .additional: break
            }
            if rule.state == .closed, rule.times.isEmpty, rule.isSpecific { isClosedSpecifically = true }
            spans += rule.spans
        }
    }

    func span(at minute: Int) -> HoursSpan? { spans.last { $0.minutes.contains(minute) } }

    /// The first fallback rule with a state other than closed counts.
    func fallback(at minute: Int) -> HoursSpan? {
        let matching = fallbacks.filter { $0.minutes.contains(minute) }
        return matching.first { $0.state != .closed } ?? matching.first
    }

    /// The minutes at which the state may change.
    var ends: [Int] { (spans + fallbacks).flatMap { [$0.minutes.lowerBound, $0.minutes.upperBound] } }
}
