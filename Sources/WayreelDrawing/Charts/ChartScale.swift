internal import Glibc
internal import WayreelCore

/// Maps values of either sign to heights of a lane.
package struct ChartScale: Hashable, Sendable {
    package enum Kind: String, Hashable, Sendable, Codable, CaseIterable {
        case linear
        /// Logarithmic; values that are not above 0 have no place on it.
        case log
    }

    package let kind: Kind
    /// Finite, of different values; above 0 on a logarithmic scale.
    package let limits: ClosedRange<Double>

    /// A scale between two limits, moved apart if they are too close to tell values between them.
    package init(_ kind: Kind, _ limits: ClosedRange<Double>) {
        self.kind = kind
        let magnitude = 1e300
        var (lower, upper) = (
            min(max(limits.lowerBound, -magnitude), magnitude), min(max(limits.upperBound, -magnitude), magnitude)
        )
        switch kind {
        case .linear:
            let least = max(max(lower.magnitude, upper.magnitude) * 1e-9, 1e-290)
            if upper - lower < least {
                // A constant is in the middle.
                let reach = lower == 0 ? 1 : max(lower.magnitude * 0.1, least)
                (lower, upper) = (lower - reach, upper + reach)
            }
        case .log:
            lower = max(lower, 1e-300)
            upper = max(upper, lower)
            if upper < lower * 1.000_001 { (lower, upper) = (lower / 2, upper * 2) }
        }
        self.limits = lower...upper
    }

    /// The scale around `values`, with some room above and below.
    package static func around(_ values: ClosedRange<Double>, _ kind: Kind) -> ChartScale {
        let tight = ChartScale(kind, values)
        guard tight.limits == values else { return tight }
        switch kind {
        case .linear:
            let room = (values.upperBound - values.lowerBound) * 0.05
            return ChartScale(kind, values.lowerBound - room...values.upperBound + room)
        case .log:
            let room = pow(values.upperBound / values.lowerBound, 0.05)
            return ChartScale(kind, values.lowerBound / room...values.upperBound * room)
        }
    }

    /// 0 at the lower limit, 1 at the upper one, also below and above; −∞ for a value that has no place.
    package func share(of value: Double) -> Double {
        let (lower, upper) = (limits.lowerBound, limits.upperBound)
        switch kind {
        case .linear: return (value - lower) / (upper - lower)
        case .log: return value > 0 ? Glibc.log(value / lower) / Glibc.log(upper / lower) : -.infinity
        }
    }

    /// At most `count` ticks of round numbers, and the power of ten that they are multiplied by, as text: `×10⁻⁶`.
    package func axis(atMost count: Int) -> (ticks: [ChartTick], factor: String) {
        if kind == .log, let decades = decades(atMost: count) { return (decades, "") }
        let largest = max(limits.lowerBound.magnitude, limits.upperBound.magnitude)
        var exponent = 0
        if largest >= 1e7 || largest < 1e-3 { exponent = Int((log10(largest) / 3).rounded(.down)) * 3 }
        let unit = pow(10, Double(exponent))
        let (step, values) = TickSteps.decimal.ticks(
            in: limits.lowerBound / unit...limits.upperBound / unit, atMost: count)
        let places = TickSteps.places(for: step)
        let ticks = values.map { value in
            ChartTick(share: min(max(share(of: value * unit), 0), 1), label: value.decimalText(places: places))
        }
        return (ticks, exponent == 0 ? "" : "×10" + Self.superscript(exponent))
    }

    /// Powers of ten, with 2 and 5 between them if there is room; nil if there are less than two.
    private func decades(atMost count: Int) -> [ChartTick]? {
        let first = Int((log10(limits.lowerBound) - 1e-9).rounded(.up))
        let last = Int((log10(limits.upperBound) + 1e-9).rounded(.down))
        let decades = log10(limits.upperBound) - log10(limits.lowerBound)
        let sets: [[Double]] = [[1, 2, 5], [1, 3], [1]]
        if let set = sets.first(where: { Double($0.count) * (decades + 0.5) <= Double(count) || $0.count == 1 }) {
            var step = 1
            while (last - first) / step + 1 > max(count, 2) { step += 1 }
            // Multiples of the step, so that 1 is among them.
            let start = set.count > 1 ? first - 1 : Int((Double(first) / Double(step)).rounded(.up)) * step
            let ticks = stride(from: start, through: last, by: step).flatMap { exponent in
                set.map { (factor: $0, exponent: exponent) }
            }.compactMap { factor, exponent -> ChartTick? in
                let value = exponent < 0 ? factor / pow(10, Double(-exponent)) : factor * pow(10, Double(exponent))
                let share = share(of: value)
                guard (-1e-9...1 + 1e-9).contains(share) else { return nil }
                return ChartTick(share: min(max(share, 0), 1), label: Self.text(factor, exponent))
            }
            if ticks.count >= 2 { return ticks }
        }
        return nil
    }

    private static func text(_ factor: Double, _ exponent: Int) -> String {
        guard (-3...4).contains(exponent) else {
            let power = "10" + superscript(exponent)
            return factor == 1 ? power : "\(Int(factor))·\(power)"
        }
        return (factor * pow(10, Double(exponent))).decimalText(places: max(0, -exponent))
    }

    /// A whole number in raised digits.
    package static func superscript(_ number: Int) -> String {
        let digits: [Character: String] = [
            "-": "⁻", "0": "⁰", "1": "¹", "2": "²", "3": "³", "4": "⁴", "5": "⁵", "6": "⁶", "7": "⁷", "8": "⁸",
            "9": "⁹",
        ]
        return "\(number)".compactMap { digits[$0] }.joined()
    }
}
