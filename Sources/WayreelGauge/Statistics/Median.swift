internal import WayreelCore

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
