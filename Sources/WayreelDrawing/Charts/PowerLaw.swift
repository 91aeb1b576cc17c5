internal import Glibc

/// y = `coefficient` · n ^ `exponent`: a straight line where both axes are logarithmic.
package struct PowerLaw: Hashable, Sendable {
    package var coefficient: Double
    package var exponent: Double
    /// Where the exponent lies with a confidence of 95 %; nil where two points leave nothing to tell it from.
    package var interval: ClosedRange<Double>?

    package init(coefficient: Double, exponent: Double, interval: ClosedRange<Double>? = nil) {
        (self.coefficient, self.exponent, self.interval) = (coefficient, exponent, interval)
    }

    /// The law that fits best: least squares on the logarithms, with Student's t for the interval.
    ///
    /// nil with fewer than two sizes. Numbers that have no logarithm are left out.
    package init?(fitting points: [(size: Double, value: Double)]) {
        let logs = points.filter { $0.size > 0 && $0.value > 0 && $0.size.isFinite && $0.value.isFinite }
            .map { (x: log($0.size), y: log($0.value)) }
        let count = Double(logs.count)
        let (meanX, meanY) = (logs.reduce(0) { $0 + $1.x } / count, logs.reduce(0) { $0 + $1.y } / count)
        let spread = logs.reduce(0) { $0 + ($1.x - meanX) * ($1.x - meanX) }
        guard logs.count >= 2, spread > 1e-12 else { return nil }
        let slope = logs.reduce(0) { $0 + ($1.x - meanX) * ($1.y - meanY) } / spread
        let start = meanY - slope * meanX
        self.init(coefficient: exp(start), exponent: slope)
        guard logs.count > 2 else { return }
        let rest = logs.reduce(0) { sum, point in
            let miss = point.y - start - slope * point.x
            return sum + miss * miss
        }
        let margin = Self.student(logs.count - 2) * (rest / (count - 2) / spread).squareRoot()
        interval = slope - margin...slope + margin
    }

    package func value(at size: Double) -> Double { coefficient * pow(size, exponent) }

    /// `∝ n^1.02 (0.98–1.05)`.
    package var text: String {
        let range = interval.map {
            " (\($0.lowerBound.decimalText(places: 2))–\($0.upperBound.decimalText(places: 2)))"
        }
        return "∝ n^" + exponent.decimalText(places: 2) + (range ?? "")
    }

    /// The 97.5 % quantile of Student's t with 1, 2, 3, … degrees of freedom.
    private static let quantiles = [
        12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160, 2.145, 2.131,
        2.120, 2.110, 2.101, 2.093, 2.086,
    ]

    private static func student(_ freedom: Int) -> Double {
        guard freedom > quantiles.count else { return quantiles[freedom - 1] }
        // Beyond the table, the first terms of its expansion about the normal distribution's.
        let inverse = 1 / Double(freedom)
        return 1.96 + 2.372 * inverse + 2.823 * inverse * inverse
    }
}
