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

    /// At most `count` round numbers of a range. `size`: what 1 in the labels is in the range.
    package static func decimal(
        _ range: ClosedRange<Double>, atMost count: Int, unit: String, size: Double = 1
    ) -> ChartAxis {
        let span = range.upperBound - range.lowerBound
        guard span > 0, span.isFinite else { return none }
        let (step, values) = TickSteps.decimal.ticks(
            in: range.lowerBound / size...range.upperBound / size, atMost: count)
        let places = TickSteps.places(for: step)
        return ChartAxis(
            unit: unit,
            ticks: values.map {
                ChartTick(
                    share: min(max(($0 * size - range.lowerBound) / span, 0), 1), label: $0.decimalText(places: places))
            })
    }

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
