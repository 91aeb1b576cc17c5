internal import Glibc
internal import WayreelCore

extension ScalingChart {
    /// A fitted power law: value = `coefficient` · size ^ `exponent`, a straight line on logarithmic axes.
    package struct Fit: Hashable, Sendable {
        package var coefficient: Double
        package var exponent: Double
        /// Confidence interval of the exponent; nil for too few points.
        package var interval: ClosedRange<Double>?

        package init(coefficient: Double, exponent: Double, interval: ClosedRange<Double>? = nil) {
            (self.coefficient, self.exponent, self.interval) = (coefficient, exponent, interval)
        }

        func value(at size: Double) -> Double { coefficient * pow(size, exponent) }

        /// `∝ n^1.02 (0.98–1.05)`.
        package var text: String {
            let range = interval.map {
                " (\($0.lowerBound.decimalText(places: 2))–\($0.upperBound.decimalText(places: 2)))"
            }
            return "∝ n^" + exponent.decimalText(places: 2) + (range ?? "")
        }
    }
}
