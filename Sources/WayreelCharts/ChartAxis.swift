internal import Glibc
internal import WayreelCore

/// A tick of an axis.
package struct ChartTick: Hashable, Sendable {
    /// Position on the axis: 0 at the start (left, bottom), 1 at the end.
    package var share: Double
    package var label: String

    package init(share: Double, label: String) {
        self.share = share
        self.label = label
    }
}

/// The ticks of an axis, chosen for its length, and their unit.
package struct ChartAxis {
    package let unit: String
    package let ticks: [ChartTick]

    package init(unit: String, ticks: [ChartTick]) {
        self.unit = unit
        self.ticks = ticks
    }

    package static let none = ChartAxis(unit: "", ticks: [])

    /// At most `count` times from `range.lowerBound` to `range.upperBound` seconds, none before 0 or after `end`.
    package static func time(_ range: ClosedRange<Double>, end: Double, atMost count: Int) -> ChartAxis {
        let span = range.upperBound - range.lowerBound
        guard span > 0, span.isFinite else { return none }
        let (step, values) = TickSteps.time.ticks(in: range, atMost: count)
        let notation = TimeNotation(end: min(range.upperBound, end), step: step)
        let shown = values.filter { $0 >= 0 && $0 <= end + 1e-9 * span }
        return ChartAxis(
            unit: notation.unit,
            ticks: shown.map { ChartTick(share: ($0 - range.lowerBound) / span, label: notation.text(for: $0)) })
    }
}

/// Round distances between ticks.
package struct TickSteps: Sendable {
    /// In ascending order. Outside the table, 1, 2 and 5 times powers of ten of its ends.
    let table: [Double]

    /// 1, 2 and 5 times powers of ten.
    package static let decimal = TickSteps(table: [1])
    /// Seconds, with multiples used by clocks.
    package static let time = TickSteps(
        table: [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10_800, 21_600, 43_200, 86_400])
    /// Decibels, where 6 dB doubles the amplitude.
    package static let decibels = TickSteps(table: [1, 2, 3, 6, 12, 20, 30, 60])

    /// The smallest step of at least `distance`, which is positive and finite.
    package func step(atLeast distance: Double) -> Double {
        let (first, last) = (table[0], table[table.count - 1])
        if distance > last { return last * Self.decimalStep(atLeast: distance / last) }
        let below = first * Self.decimalStep(atLeast: distance / first)
        return below < first ? below : table.first { $0 >= distance * (1 - 1e-9) } ?? last
    }

    private static func decimalStep(atLeast distance: Double) -> Double {
        let exponent = Int(log10(distance).rounded(.down))
        // Division by a power of ten gives the nearest Double to 0.2; multiplication by 0.1 does not.
        let scaled = { (factor: Double) in
            exponent < 0 ? factor / pow(10, Double(-exponent)) : factor * pow(10, Double(exponent))
        }
        return [1, 2, 5, 10].lazy.map(scaled).first { $0 >= distance * (1 - 1e-9) } ?? scaled(10)
    }

    /// The multiples of a step in `range`, ascending, at most `count` (1 or more). A single value is its own tick.
    package func ticks(in range: ClosedRange<Double>, atMost count: Int) -> (step: Double, values: [Double]) {
        let span = range.upperBound - range.lowerBound
        guard span > 0, span.isFinite else { return (1, [range.lowerBound]) }
        // `count` ticks fit if the first and last are count − 1 steps apart; an unaligned range contains one less.
        var step = step(atLeast: span / Double(count))
        while true {
            let values = multiples(of: step, in: range)
            if values.count <= count { return (step, values) }
            step = self.step(atLeast: step * 1.01)
        }
    }

    private func multiples(of step: Double, in range: ClosedRange<Double>) -> [Double] {
        // Allows for rounding errors.
        let first = (range.lowerBound / step - 1e-9).rounded(.up)
        let last = (range.upperBound / step + 1e-9).rounded(.down)
        guard last >= first else { return [] }
        return (0...Int(last - first)).map { (first + Double($0)) * step + 0 }
    }

    /// `range` extended to ticks at both ends, with at most `count` ticks, or three around 0.
    package func widened(_ range: ClosedRange<Double>, atMost count: Int) -> ClosedRange<Double> {
        let count = max(count, 3)
        var step = step(atLeast: (range.upperBound - range.lowerBound) / Double(count - 1))
        while true {
            let first = (range.lowerBound / step + 1e-9).rounded(.down)
            let last = (range.upperBound / step - 1e-9).rounded(.up)
            if last - first < Double(count) { return first * step...max(last, first + 1) * step }
            step = self.step(atLeast: step * 1.01)
        }
    }

    /// Decimals that multiples of `step` need, at most 9.
    package static func places(for step: Double) -> Int {
        (0...9).first { places in
            let scaled = step * pow(10, Double(places))
            return abs(scaled - scaled.rounded()) < 1e-6
        } ?? 9
    }
}

/// A logarithmic axis with ticks at 1, 2 and 5 times powers of ten.
struct LogScale {
    let range: ClosedRange<Double>
    /// Tick indices: 0 is 1, 1 is 2, 2 is 5, 3 is 10, −1 is 0.5.
    private let indices: ClosedRange<Int>

    /// Covers the positive, finite `range` with some padding.
    init(around range: ClosedRange<Double>) {
        let padded = range.lowerBound / 1.25...range.upperBound * 1.25
        let (first, last) = (Self.index(notBelow: padded.lowerBound), Self.index(notAbove: padded.upperBound))
        if last > first {
            (self.range, indices) = (padded, first...last)
        } else {
            // A range between two ticks would have no labels, so the axis extends to the ticks.
            indices = Self.index(notAbove: padded.lowerBound)...Self.index(notBelow: padded.upperBound)
            self.range = Self.number(indices.lowerBound)...Self.number(indices.upperBound)
        }
    }

    /// 0 at the start of the axis, 1 at its end; `value` is positive.
    func share(of value: Double) -> Double {
        let (first, last) = (log10(range.lowerBound), log10(range.upperBound))
        return (log10(value) - first) / (last - first)
    }

    /// At most `count` (2 or more) ticks: 1, 2 and 5 in each decade, powers of ten, or powers of a thousand, …
    ///
    /// Ticks of a measure with several units include the unit.
    func axis(_ measure: ChartMeasure, atMost count: Int) -> ChartAxis {
        let isPlain = measure.units.count == 1
        let stride = [1, 3, 9, 18, 27, 54, 108].first { stride in marks(every: stride).count <= count } ?? 324
        // If only one power of ten is in range, the ends are labelled.
        let shown = marks(every: stride).count >= 2 ? marks(every: stride) : [indices.lowerBound, indices.upperBound]
        return ChartAxis(
            unit: isPlain ? measure.units[0].name : "",
            ticks: shown.map { index in
                let number = Self.number(index)
                // Powers of ten of seconds are not round in minutes.
                let unit = measure.units.last { $0.isDecimal && $0.size <= number * (1 + 1e-9) } ?? measure.units[0]
                let scaled = number / unit.size
                let digits = scaled.decimalText(places: TickSteps.places(for: scaled))
                return ChartTick(share: share(of: number), label: digits + (isPlain ? "" : unit.suffix))
            })
    }

    private func marks(every stride: Int) -> [Int] { indices.filter { $0 % stride == 0 } }

    private static func number(_ index: Int) -> Double {
        let decade = index >= 0 ? index / 3 : (index - 2) / 3
        let factor = [1.0, 2, 5][index - decade * 3]
        // Division by a power of ten gives the nearest Double to 0.2; multiplication by 0.1 does not.
        return decade < 0 ? factor / pow(10, Double(-decade)) : factor * pow(10, Double(decade))
    }

    private static func index(notBelow value: Double) -> Int {
        let index = index(notAbove: value)
        return number(index) < value * (1 - 1e-9) ? index + 1 : index
    }

    private static func index(notAbove value: Double) -> Int {
        let decade = Int(log10(value).rounded(.down)) * 3
        // Allows for rounding errors.
        return (decade - 1...decade + 3).last { number($0) <= value * (1 + 1e-9) } ?? decade
    }
}
