internal import Glibc
internal import WayreelCore

extension ChartAxis {
    /// How an axis writes moments.
    package enum ClockStyle: String, Hashable, Sendable, CaseIterable {
        /// Times of the day: `17:05:09`. The date is the axis' unit or, of several days, at midnight.
        case clock
        /// Dates and times of the day: `2026-11-23 17:05`.
        case date
    }

    /// At most `count` moments of a range of seconds since 1970-01-01 in UTC, at round local times.
    ///
    /// - Parameters:
    ///   - zone: The name of the time zone, as the axis shows it.
    ///   - offset: Returns the seconds that local clocks are ahead of UTC at a time.
    package static func clock(
        _ range: ClosedRange<Double>, atMost count: Int, style: ClockStyle, zone: String,
        offset: (Double) -> Int
    ) -> ChartAxis {
        let span = range.upperBound - range.lowerBound
        guard span > 0, span.isFinite, max(range.lowerBound.magnitude, range.upperBound.magnitude) <= 1e14 else {
            return none
        }
        let here = Double(offset(range.lowerBound))
        let local = range.lowerBound + here...range.upperBound + Double(offset(range.upperBound))
        let isSameDay = day(local.lowerBound) == day(local.upperBound)
        // Local dates and times are longer than times.
        let count = style == .date ? max(2, count / 3) : max(2, count)
        let ticks = LocalTicks(local, atMost: count)
        var shown: [ChartTick] = []
        for tick in ticks.times {
            // The offset may change between the start and the tick; there is no such local time in spring.
            let guess = tick - here
            let time = tick - Double(offset(tick - Double(offset(guess))))
            guard range.contains(time), time + Double(offset(time)) == tick else { continue }
            let share = (time - range.lowerBound) / span
            guard shown.last.map({ $0.share < share }) ?? true else { continue }
            shown.append(ChartTick(share: share, label: ticks.text(tick, style)))
        }
        let showsDate = style == .clock && isSameDay && ticks.isWithinDay
        let date = showsDate ? CalendarDate(number: day(local.lowerBound)).text + " " : ""
        return ChartAxis(unit: date + zone, ticks: shown)
    }

    /// Seconds of either sign, at most `count`: `s`, `min:s` or `h:min`.
    package static func seconds(_ range: ClosedRange<Double>, atMost count: Int) -> ChartAxis {
        let span = range.upperBound - range.lowerBound
        guard span > 0, span.isFinite else { return none }
        let (step, values) = TickSteps.time.ticks(in: range, atMost: count)
        let notation = TimeNotation(end: max(range.lowerBound.magnitude, range.upperBound.magnitude), step: step)
        return ChartAxis(
            unit: notation.unit,
            ticks: values.map { value in
                let text = notation.text(for: value.magnitude)
                let isNegative = value < 0 && text.contains { ("1"..."9").contains($0) }
                return ChartTick(
                    share: min(max((value - range.lowerBound) / span, 0), 1),
                    label: (isNegative ? "\u{2212}" : "") + text)
            })
    }

    fileprivate static func day(_ local: Double) -> Int { Int((local / 86_400).rounded(.down)) }
}

/// Round local times.
private struct LocalTicks {
    let times: [Double]
    private let step: Double
    private let months: Int

    /// Whether ticks are apart by less than a day.
    var isWithinDay: Bool { months == 0 && step < 86_400 }

    init(_ range: ClosedRange<Double>, atMost count: Int) {
        let span = range.upperBound - range.lowerBound
        let month = 86_400 * 28.0
        guard span / Double(count) > 86_400 * 7 else {
            // Days are no multiples of 1, 2, 5, but of 1, 2 and 7.
            let steps = span / Double(count) > 86_400 ? TickSteps(table: [86_400, 172_800, 604_800]) : .time
            (step, times) = steps.ticks(in: range, atMost: count)
            months = 0
            return
        }
        let wanted = span / Double(count) / month
        let years = TickSteps.decimal.step(atLeast: max(wanted / 12, 1))
        let distance = [1, 2, 3, 6].first { Double($0) >= wanted } ?? Int(years) * 12
        let first = CalendarDate(number: ChartAxis.day(range.lowerBound)).parts
        let start = (first.year * 12 + first.month - 1)
        var index = Int((Double(start) / Double(distance)).rounded(.down)) * distance
        var found: [Double] = []
        while true {
            let month = index.remainder(12)
            let time = Double(CalendarDate(firstOf: month + 1, (index - month) / 12).number) * 86_400
            if time > range.upperBound { break }
            if time >= range.lowerBound { found.append(time) }
            index += distance
        }
        (times, step, months) = (found, month, distance)
    }

    func text(_ local: Double, _ style: ChartAxis.ClockStyle) -> String {
        let day = ChartAxis.day(local)
        let date = CalendarDate(number: day)
        if months >= 12 { return "\(date.parts.year)" }
        if months > 0 { return String(date.text.dropLast(3)) }
        if step >= 86_400 { return date.text }
        let seconds = local - Double(day) * 86_400
        if style == .clock, seconds == 0 { return date.text }
        let clock = TimeNotation(clockWithStep: step).text(for: seconds)
        return style == .date ? "\(date.text) \(clock)" : clock
    }
}

extension Int {
    /// The remainder of a division, never negative.
    fileprivate func remainder(_ divisor: Int) -> Int { ((self % divisor) + divisor) % divisor }
}
