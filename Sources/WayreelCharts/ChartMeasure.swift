internal import Glibc
internal import WayreelCore

/// A measured quantity and its units.
package struct ChartMeasure: Hashable, Sendable {
    struct Unit: Hashable, Sendable {
        /// Including the space before it.
        let suffix: String
        let size: Double
        /// The smallest number written in this unit.
        let minimum: Double
        /// Whether integers are exact and have no decimals.
        let isCounted: Bool

        init(_ suffix: String, _ size: Double, from minimum: Double? = nil, isCounted: Bool = false) {
            (self.suffix, self.size, self.minimum, self.isCounted) = (suffix, size, minimum ?? size, isCounted)
        }

        /// Whether it is a power of ten of the base unit.
        var isDecimal: Bool { abs(log10(size) - log10(size).rounded()) < 1e-9 }

        var name: String { suffix.first == " " ? String(suffix.dropFirst()) : suffix }
    }

    /// In ascending order; smaller numbers use the first one.
    let units: [Unit]

    package static let seconds = ChartMeasure(units: [
        Unit(" µs", 1e-6), Unit(" ms", 1e-3), Unit(" s", 1), Unit(" min", 60, from: 300),
        Unit(" h", 3600, from: 10_800),
    ])
    /// Powers of 1000 (IEC 80000-13).
    package static let bytes = ChartMeasure(units: [
        Unit(" B", 1, isCounted: true), Unit(" kB", 1e3), Unit(" MB", 1e6), Unit(" GB", 1e9), Unit(" TB", 1e12),
    ])
    /// 1 is 100 %; for CPU, one busy core.
    package static let share = ChartMeasure(units: [Unit(" %", 0.01)])
    /// A factor relative to another value.
    package static let ratio = ChartMeasure(units: [Unit("×", 1)])
    /// A count in one unit: `MP`, `MB/s`, `files`.
    package static func count(_ unit: String) -> ChartMeasure {
        ChartMeasure(units: [Unit(unit.isEmpty ? "" : " " + unit, 1, isCounted: true)])
    }

    /// The largest unit suitable for `value`.
    func unit(for value: Double) -> Unit {
        // Rounded values use the next unit: 999.7 ms is 1.00 s.
        units.last { value.magnitude * 1.0005 >= $0.minimum } ?? units[0]
    }

    /// A number with unit and three digits; in the unit of `largest`, for comparable labels, unless the result would be
    /// too small to read.
    package func text(_ value: Double, besides largest: Double? = nil) -> String {
        var unit = unit(for: largest ?? value)
        if value != 0, value.magnitude < unit.size / 100 { unit = self.unit(for: value) }
        let number = value / unit.size
        return (unit.isCounted ? number.shortDigits : number.threeDigits) + unit.suffix
    }

    /// An axis over `range` with at most `count` round numbers; the last one shows the unit.
    func axis(_ range: ClosedRange<Double>, atMost count: Int) -> ChartAxis {
        let span = range.upperBound - range.lowerBound
        guard span > 0, span.isFinite else { return .none }
        let unit = unit(for: max(range.lowerBound.magnitude, range.upperBound.magnitude))
        let (step, values) = TickSteps.decimal.ticks(
            in: range.lowerBound / unit.size...range.upperBound / unit.size, atMost: count)
        let places = TickSteps.places(for: step)
        return ChartAxis(
            unit: unit.name,
            ticks: values.map {
                ChartTick(
                    share: min(max(($0 * unit.size - range.lowerBound) / span, 0), 1),
                    label: $0.decimalText(places: places))
            })
    }

    /// `range` extended to round numbers in the axis unit.
    func widened(_ range: ClosedRange<Double>, atMost count: Int) -> ClosedRange<Double> {
        let size = unit(for: max(range.lowerBound.magnitude, range.upperBound.magnitude)).size
        let wide = TickSteps.decimal.widened(range.lowerBound / size...range.upperBound / size, atMost: count)
        return wide.lowerBound * size...wide.upperBound * size
    }
}

extension Double {
    /// `0`, `0.123`, `1.20`, `12.3`, `123`, `1234`.
    var threeDigits: String {
        guard self != 0, isFinite else { return decimalText(places: 0) }
        // 9.996 is 10.0, not 10.00.
        let exponent = Int(log10(magnitude * 1.0005).rounded(.down))
        return decimalText(places: min(max(2 - exponent, 0), 9))
    }

    /// The same without decimals for integers.
    var shortDigits: String { self == rounded() ? decimalText(places: 0) : threeDigits }
}

extension ChartAxis {
    /// Moves the unit to the last tick: `600 MB`.
    func withUnitOnLastTick(_ measure: ChartMeasure) -> ChartAxis {
        guard let last = ticks.last, let unit = measure.units.first(where: { $0.name == unit }) else { return self }
        let named = ChartTick(share: last.share, label: last.label + unit.suffix)
        return ChartAxis(unit: "", ticks: ticks.dropLast() + [named])
    }
}
