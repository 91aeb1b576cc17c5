internal import WayreelCore

/// Whether one program takes more or less of something than another: time, memory, whatever is better when it is less.
///
/// The two are run in turns, so that the values at the same place belong to one round. What slows the machine down in a while
/// then changes both of a round, and the ratio of the two stays. Of noise alone, the median of the rounds' ratios is as
/// good as the ratio of the medians; of noise and a drift of 30 % it finds a difference of 5 % in 20 rounds nine times in ten,
/// the ratio of medians every second time.
public struct Comparison: Hashable, Sendable, Codable, CustomStringConvertible {
    public enum Verdict: String, Sendable, Codable, CaseIterable {
        case better
        case worse
        case noDifferenceSeen
        /// Fewer than three rounds.
        case tooFewRuns
    }

    /// Rounds that count.
    public var rounds: Int
    /// Rounds that do not: one of the two values is missing, negative or no finite number.
    public var leftOut: Int
    /// The median of the rounds' ratios: below 1 where the candidate takes less; nil where there is none, and where the baseline
    /// is mostly 0.
    public var ratio: Double?
    /// nil of fewer than three rounds, and where an end of it is infinite.
    public var interval: Interval?
    /// As a share: differences up to 0.05 do not count for better or worse where it is 0.05.
    public var tolerance: Double
    /// ``Verdict/better`` and ``Verdict/worse`` where the whole of the interval lies beyond the tolerance.
    public var verdict: Verdict

    /// Values at the same place belong to one round. A tolerance that is negative or no number is taken for 0.
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

    /// Infinite where there is something in place of nothing.
    private static func ratio(_ baseline: Double, _ candidate: Double) -> Double? {
        guard baseline.isFinite, candidate.isFinite, baseline >= 0, candidate >= 0 else { return nil }
        return baseline == candidate ? 1 : candidate / baseline
    }

    /// `0.83 × (0.80–0.87), better`; of three to five rounds with what the interval is worth: `0.83 × (0.80–0.87 at 75 %), better`.
    public var description: String {
        [figures, words].compactMap(\.self).joined(separator: ", ")
    }

    private var words: String {
        switch verdict {
        case .better: "better"
        case .worse: "worse"
        case .noDifferenceSeen where tolerance > 0:
            "no difference beyond \((tolerance * 100).formatted(tolerance < 0.01 ? 1 : 0)) % seen"
        case .noDifferenceSeen: "no difference seen"
        case .tooFewRuns: "too few runs to tell"
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

    /// As many as it takes to see the ends apart from each other and from 1.
    private static func digits(_ interval: Interval) -> Int {
        let (lower, upper) = (interval.lower, interval.upper)
        let apart = [(lower, upper), (lower, 1), (upper, 1)].filter { $0 != $1 }
        return (2...4).first { digits in apart.allSatisfy { $0.formatted(digits) != $1.formatted(digits) } } ?? 4
    }
}
