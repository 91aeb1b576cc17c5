/// Statistics of one figure over several runs, in the unit of its values.
public struct Summary: Hashable, Sendable, Codable {
    /// Number of finite values.
    public var count: Int
    /// Number of values that are not finite.
    public var leftOut: Int
    public var median: Double
    public var minimum: Double
    public var maximum: Double
    public var mean: Double
    /// Confidence interval of the median; nil for fewer than three runs.
    public var interval: Interval?
    /// Indices of outliers among the given values. Outliers are marked, not removed.
    ///
    /// A value is an outlier if its distance from the median exceeds 3 · 1.4826 · MAD, the median absolute deviation:
    /// three standard deviations of a normal distribution (Hampel's rule). Unlike quartile fences (Tukey), it works
    /// with up to half outliers, and marks 0.3 % of good values instead of 0.7 %. If more than half of the values are
    /// equal, so that MAD is 0, it uses 3 · 1.2533 times the mean absolute deviation (Iglewicz & Hoaglin).
    public var outliers: [Int]

    /// nil without finite values.
    public init?(_ values: [Double], seed: UInt64 = 1) {
        let sorted = values.filter(\.isFinite).sorted()
        guard let first = sorted.first, let last = sorted.last else { return nil }
        count = sorted.count
        leftOut = values.count - sorted.count
        minimum = first
        maximum = last
        median = Median.of(sorted: sorted)
        mean = sorted.reduce(0) { $0 + $1 / Double(sorted.count) }
        interval = Median.interval(sorted: sorted, seed: seed)
        let bound = Self.bound(sorted, median)
        let middle = median
        outliers = values.indices.filter { values[$0].isFinite && abs(values[$0] - middle) > bound }
    }

    private static func bound(_ values: [Double], _ median: Double) -> Double {
        guard values.count >= Median.minRuns else { return .infinity }
        let distances = values.map { abs($0 - median) }.sorted()
        let middle = Median.of(sorted: distances)
        if middle > 0 { return 3 * 1.4826 * middle }
        return 3 * 1.2533 * distances.reduce(0) { $0 + $1 / Double(distances.count) }
    }
}
