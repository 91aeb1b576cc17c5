/// What a series of runs says about one figure: times in milliseconds, memory in bytes, whatever it was given.
public struct Summary: Hashable, Sendable, Codable {
    /// How many values there were, those aside that are no finite number.
    public var count: Int
    /// How many were no finite number.
    public var leftOut: Int
    public var median: Double
    public var minimum: Double
    public var maximum: Double
    public var mean: Double
    /// Where the true median lies; nil of fewer than three runs.
    public var interval: Interval?
    /// Which of the values that were given lie far from the rest, from 0. They are marked, not left out.
    ///
    /// Those further from the median than 3 · 1.4826 · MAD, the median of the distances from the median: three standard deviations
    /// of what is normally distributed (Hampel's rule). Unlike fences at the quartiles (Tukey), it holds until half of the
    /// values are outliers, and marks 0.3 % of good ones in place of 0.7 %. Where more than half of the values are the same, so
    /// that MAD is 0, it is 3 · 1.2533 times the mean distance (Iglewicz & Hoaglin).
    public var outliers: [Int]

    /// nil where no value is a finite number.
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
        guard values.count >= Median.fewestRuns else { return .infinity }
        let distances = values.map { abs($0 - median) }.sorted()
        let middle = Median.of(sorted: distances)
        if middle > 0 { return 3 * 1.4826 * middle }
        return 3 * 1.2533 * distances.reduce(0) { $0 + $1 / Double(distances.count) }
    }
}
