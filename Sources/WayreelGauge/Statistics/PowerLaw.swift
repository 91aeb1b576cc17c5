internal import Glibc

/// The growth of a cost with input size: y = a · x^b, fitted by least squares in logarithms. An exponent of 1 means
/// that twice the input costs twice as much.
///
/// A fixed cost, such as starting a program, lowers the exponent. It is measured with an empty input and subtracted:
/// fitting it as well needs more and better points than a benchmark has.
public struct PowerLaw: Hashable, Sendable, Codable {
    /// a: the cost of size 1.
    public var coefficient: Double
    /// b.
    public var exponent: Double
    /// nil for two points, which always fit exactly.
    public var exponentStandardError: Double?
    /// Confidence interval of the exponent by Student's t, at 95 %.
    public var exponentInterval: Interval?
    /// Fraction of the logarithms' variance that the fit explains, 0 to 1.
    public var rSquared: Double
    /// Number of valid points.
    public var points: Int
    /// Number of invalid points: a value has no logarithm.
    public var leftOut: Int
    /// The fixed cost that was subtracted.
    public var offset: Double

    /// Values with the same index form a point. nil for fewer than two different x.
    public init?(x: [Double], y: [Double], offset: Double = 0) {
        let logarithms = zip(x, y).map { (log($0), log($1 - offset)) }.filter { $0.isFinite && $1.isFinite }
        let count = Double(logarithms.count)
        // Exact comparison, so that rounding does not count as variation.
        guard let first = logarithms.first, logarithms.contains(where: { $0.0 != first.0 }) else { return nil }
        let varies = logarithms.contains { $0.1 != first.1 }
        let (meanX, meanY) = logarithms.reduce((0.0, 0.0)) { ($0.0 + $1.0 / count, $0.1 + $1.1 / count) }
        var (squaresX, squaresY, products) = (0.0, 0.0, 0.0)
        for (x, y) in logarithms {
            squaresX += (x - meanX) * (x - meanX)
            squaresY += (y - meanY) * (y - meanY)
            products += (x - meanX) * (y - meanY)
        }
        let exponent = varies ? products / squaresX : 0
        let level = varies ? meanY - exponent * meanX : first.1
        let residues = logarithms.reduce(0.0) { sum, point in
            let residue = point.1 - level - exponent * point.0
            return sum + residue * residue
        }
        guard exponent.isFinite, exp(level).isFinite else { return nil }
        coefficient = exp(level)
        self.exponent = exponent
        rSquared = varies ? max(0, 1 - residues / squaresY) : 1
        points = logarithms.count
        leftOut = max(x.count, y.count) - points
        self.offset = offset
        let freedom = points - 2
        guard freedom > 0 else { return }
        let error = (residues / Double(freedom) / squaresX).squareRoot()
        let halfWidth = Self.student(freedom) * error
        exponentStandardError = error
        exponentInterval = Interval(lower: exponent - halfWidth, upper: exponent + halfWidth, confidence: 0.95)
    }

    /// The cost of size `x`.
    public func cost(of x: Double) -> Double { offset + coefficient * pow(x, exponent) }

    /// The 0.975 quantile of Student's t by degrees of freedom, from 1.
    private static let quantiles = [
        12.7062, 4.3027, 3.1824, 2.7764, 2.5706, 2.4469, 2.3646, 2.3060, 2.2622, 2.2281,
        2.2010, 2.1788, 2.1604, 2.1448, 2.1314, 2.1199, 2.1098, 2.1009, 2.0930, 2.0860,
    ]

    private static func student(_ freedom: Int) -> Double {
        if freedom <= quantiles.count { return quantiles[freedom - 1] }
        // First terms of Cornish and Fisher's expansion, correct to four digits from here on.
        let (z, n) = (1.959964, Double(freedom))
        return z + (z * z * z + z) / (4 * n) + (5 * z * z * z * z * z + 16 * z * z * z + 3 * z) / (96 * n * n)
    }
}
