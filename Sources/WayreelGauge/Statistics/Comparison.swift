internal import WayreelCore

/// Compares a figure of two programs where less is better: time, memory, …
///
/// The programs run alternately, so that values with the same index belong to one round. A temporary slowdown of the
/// machine then affects both values of a round and cancels in their ratio. With only noise, the median of the ratios is
/// as good as the ratio of the medians; with noise and a drift of 30 %, it detects a difference of 5 % in 20 rounds
/// nine times out of ten, the ratio of medians five times.
public struct Comparison: Hashable, Sendable, Codable, CustomStringConvertible {
    public enum Verdict: String, Sendable, Codable, CaseIterable {
        case better
        case worse
        case noDifferenceSeen
        /// Fewer than three rounds.
        case tooFewRuns
    }

    /// Number of valid rounds.
    public var rounds: Int
    /// Number of invalid rounds: a value is missing, negative or not finite.
    public var leftOut: Int
    /// Median of the rounds' ratios: below 1 if the candidate takes less; nil without valid rounds, or if the baseline
    /// is mostly 0.
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
        leftOut = max(baseline.count, candidate.count) - ratios.count
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
        let worth = interval.confidence < 0.95 ? " at \((interval.confidence * 100).formatted(0)) %" : ""
        return "\(ratio.formatted(digits)) × (\(bounds)\(worth))"
    }

    /// Enough decimals to distinguish the bounds from each other and from 1.
    private static func digits(_ interval: Interval) -> Int {
        let (lower, upper) = (interval.lower, interval.upper)
        let apart = [(lower, upper), (lower, 1), (upper, 1)].filter { $0 != $1 }
        return (2...4).first { digits in apart.allSatisfy { $0.formatted(digits) != $1.formatted(digits) } } ?? 4
    }
}
