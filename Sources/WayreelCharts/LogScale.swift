internal import Glibc

/// A logarithmic axis, with ticks at 1, 2 and 5 times powers of ten.
struct LogScale {
    let range: ClosedRange<Double>
    /// The ticks by their place: 0 is 1, 1 is 2, 2 is 5, 3 is 10, −1 is 0.5.
    private let places: ClosedRange<Int>

    /// Takes in `range`, which is above 0 and finite, and some room around it.
    init(around range: ClosedRange<Double>) {
        let padded = range.lowerBound / 1.25...range.upperBound * 1.25
        let (first, last) = (Self.place(notBelow: padded.lowerBound), Self.place(notAbove: padded.upperBound))
        if last > first {
            (self.range, places) = (padded, first...last)
        } else {
            // Between two ticks there is nothing to read the values from: these are the ends then.
            places = Self.place(notAbove: padded.lowerBound)...Self.place(notBelow: padded.upperBound)
            self.range = Self.number(places.lowerBound)...Self.number(places.upperBound)
        }
    }

    /// 0 where the axis begins to 1 where it ends; `value` is above 0.
    func share(of value: Double) -> Double {
        let (first, last) = (log10(range.lowerBound), log10(range.upperBound))
        return (log10(value) - first) / (last - first)
    }

    /// At most `count` numbers, which is 2 or more: 1, 2 and 5 in each decade, powers of ten, or those of a thousand, …
    ///
    /// Numbers of a measure with several units have their units with them.
    func axis(_ measure: ChartMeasure, atMost count: Int) -> ChartAxis {
        let isPlain = measure.units.count == 1
        let stride = [1, 3, 9, 18, 27, 54, 108].first { stride in marks(every: stride).count <= count } ?? 324
        // Between two powers of ten that are too near to each other for 2 and 5, the ends still tell where it begins.
        let shown = marks(every: stride).count >= 2 ? marks(every: stride) : [places.lowerBound, places.upperBound]
        return ChartAxis(
            unit: isPlain ? measure.units[0].name : "",
            ticks: shown.map { place in
                let number = Self.number(place)
                // In minutes, powers of ten of seconds would not be round.
                let unit = measure.units.last { $0.isDecimal && $0.size <= number * (1 + 1e-9) } ?? measure.units[0]
                let scaled = number / unit.size
                let digits = scaled.decimalText(places: TickSteps.places(for: scaled))
                return ChartTick(share: share(of: number), label: digits + (isPlain ? "" : unit.suffix))
            })
    }

    private func marks(every stride: Int) -> [Int] { places.filter { $0 % stride == 0 } }

    private static func number(_ place: Int) -> Double {
        let decade = place >= 0 ? place / 3 : (place - 2) / 3
        let factor = [1.0, 2, 5][place - decade * 3]
        // A division by a power of ten gives the nearest number to 0.2, a product with 0.1 does not.
        return decade < 0 ? factor / pow(10, Double(-decade)) : factor * pow(10, Double(decade))
    }

    private static func place(notBelow value: Double) -> Int {
        let place = place(notAbove: value)
        return number(place) < value * (1 - 1e-9) ? place + 1 : place
    }

    private static func place(notAbove value: Double) -> Int {
        let decade = Int(log10(value).rounded(.down)) * 3
        // What lies a rounding error above a number is meant to be it.
        return (decade - 1...decade + 3).last { number($0) <= value * (1 + 1e-9) } ?? decade
    }
}
