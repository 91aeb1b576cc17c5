internal import Glibc
internal import WayreelCore

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
