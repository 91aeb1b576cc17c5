internal import WayreelCore

/// Compares a figure of two programs where less is better: time, memory, …
///
/// The programs run alternately, so that values with the same index belong to one round. A temporary slowdown of the
/// machine then affects both values of a round and cancels in their ratio. With only noise, the median of the ratios is
/// as good as the ratio of the medians; with noise and a drift of 30 %, it detects a difference of 5 % in 20 rounds
/// nine times out of ten, the ratio of medians five times.
public struct Comparison: Hashable, Sendable, Codable, CustomStringConvertible {
    public enum Verdict: String, Sendable, Codable {
        case better
        case worse
        case noDifferenceSeen
        /// Fewer than three rounds.
        case tooFewRuns
    }

    /// Number of rounds in which no value is missing, negative or not finite. Others do not count.
    public var rounds: Int
    /// Median of the rounds' ratios: below 1 if the candidate takes less; nil without rounds, or if the baseline is
    /// mostly 0.
    public var ratio: Double?
    /// nil for fewer than three rounds or an infinite bound.
    public var interval: Interval?
    /// Relative tolerance: 0.05 ignores differences up to 5 %.
    public var tolerance: Double
    /// ``Verdict/better`` or ``Verdict/worse`` if the whole interval exceeds the tolerance.
    public var verdict: Verdict

    /// Values with the same index belong to one round. A negative tolerance or NaN counts as 0.
    public init(baseline: [Double], candidate: [Double], tolerance: Double = 0, seed: UInt64 = 1) {
        let ratios = zip(baseline, candidate).compactMap(Self.ratio).sorted()
        rounds = ratios.count
        self.tolerance = tolerance > 0 ? tolerance : 0
        let median = ratios.isEmpty ? nil : Median.of(sorted: ratios)
        ratio = median.flatMap { $0.isFinite ? $0 : nil }
        guard let interval = Median.interval(sorted: ratios, seed: seed) else {
            verdict = .tooFewRuns
            return
        }
        self.interval = interval.upper.isFinite ? interval : nil
        verdict =
            if interval.lower > 1 + self.tolerance {
                .worse
            } else if interval.upper < 1 / (1 + self.tolerance) {
                .better
            } else {
                .noDifferenceSeen
            }
    }

    /// Infinite if the baseline is 0 and the candidate is not.
    private static func ratio(_ baseline: Double, _ candidate: Double) -> Double? {
        guard baseline.isFinite, candidate.isFinite, baseline >= 0, candidate >= 0 else { return nil }
        return baseline == candidate ? 1 : candidate / baseline
    }

    /// `0.83 × (0.80–0.87), better`; for three to five rounds with the confidence level: `0.83 × (0.80–0.87 at 75 %),
    /// better`.
    public var description: String {
        [figures, verdictText].compactMap(\.self).joined(separator: ", ")
    }

    private var verdictText: String {
        switch verdict {
        case .better: "better"
        case .worse: "worse"
        case .noDifferenceSeen where tolerance > 0:
            "no difference beyond \((tolerance * 100).formatted(tolerance < 0.01 ? 1 : 0)) % found"
        case .noDifferenceSeen: "no difference found"
        case .tooFewRuns: "too few runs"
        }
    }

    private var figures: String? {
        guard let ratio else { return nil }
        guard let interval else { return "\(ratio.formatted(2)) ×" }
        let digits = Self.digits(interval)
        let bounds = "\(interval.lower.formatted(digits))–\(interval.upper.formatted(digits))"
        let worth = interval.confidence < 0.95 ? " at \(interval.confidenceText)" : ""
        return "\(ratio.formatted(digits)) × (\(bounds)\(worth))"
    }

    /// Enough decimals to distinguish the bounds from each other and from 1.
    private static func digits(_ interval: Interval) -> Int {
        let (lower, upper) = (interval.lower, interval.upper)
        let apart = [(lower, upper), (lower, 1), (upper, 1)].filter { $0 != $1 }
        return (2...4).first { digits in apart.allSatisfy { $0.formatted(digits) != $1.formatted(digits) } } ?? 4
    }
}

/// A confidence interval.
public struct Interval: Hashable, Sendable, Codable {
    public var lower: Double
    public var upper: Double
    /// Confidence level: 0.95, or what few runs allow.
    public var confidence: Double

    public init(lower: Double, upper: Double, confidence: Double) {
        self.lower = lower
        self.upper = upper
        self.confidence = confidence
    }

    /// The confidence level as text: `75 %`.
    package var confidenceText: String { "\((confidence * 100).formatted(0)) %" }
}

/// The median and its confidence interval.
enum Median {
    /// Fewer runs give no interval.
    static let minRuns = 3

    static let resamples = 4000

    /// The median of ascending values.
    static func of(sorted values: [Double]) -> Double {
        let middle = values.count / 2
        return values.count % 2 == 1 ? values[middle] : mean(values[middle - 1], values[middle])
    }

    /// Percentile bootstrap interval of the median (Efron & Tibshirani, An Introduction to the Bootstrap, chapter 13)
    /// for ascending values, which may be infinite. nil for fewer than ``minRuns``.
    ///
    /// It is bounded by the extreme values, between which the true median is with probability 1 - 2^(1 - n): 75 % for
    /// three runs, 87.5 % for four, 93.75 % for five, the full 95 % for six and more.
    static func interval(sorted values: [Double], seed: UInt64) -> Interval? {
        let count = values.count
        guard count >= minRuns else { return nil }
        var generator = SeededGenerator(seed: seed)
        var drawn = [Int](repeating: 0, count: count)
        var medians = (0..<resamples).map { _ in
            for index in drawn.indices { drawn[index] = 0 }
            for _ in 0..<count { drawn[generator.next(below: count)] += 1 }
            return mean(values[index((count - 1) / 2, drawn)], values[index(count / 2, drawn)])
        }
        medians.sort()
        // Outer ranks for a conservative interval: 2.5 % at either end.
        let tail = resamples / 40
        let possible = 1 - 2 / Double(sign: .plus, exponent: min(count, 60), significand: 1)
        return Interval(
            lower: medians[tail - 1], upper: medians[resamples - tail], confidence: min(0.95, possible))
    }

    /// The value at `rank` after resampling.
    private static func index(_ rank: Int, _ drawn: [Int]) -> Int {
        var seen = 0
        for (index, times) in drawn.enumerated() {
            seen += times
            if seen > rank { return index }
        }
        return drawn.count - 1
    }

    /// Avoids overflow and infinity minus infinity.
    private static func mean(_ first: Double, _ second: Double) -> Double {
        first == second ? first : first / 2 + second / 2
    }
}

/// Statistics of one figure over several runs, in the unit of its values.
public struct Summary: Hashable, Sendable, Codable {
    /// Of the finite values.
    public var median: Double
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
        guard !sorted.isEmpty else { return nil }
        median = Median.of(sorted: sorted)
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

extension SeededGenerator {
    /// 0 ..< `bound`.
    mutating func next(below bound: Int) -> Int { Int(next().multipliedFullWidth(by: UInt64(bound)).high) }
}
