/// The median of a series and how sure it is.
enum Median {
    /// Fewer runs tell nothing of how they scatter.
    static let fewestRuns = 3

    static let resamples = 4000

    /// Of values in ascending order, the mean of the two in the middle where there are two.
    static func of(sorted values: [Double]) -> Double {
        let middle = values.count / 2
        return values.count % 2 == 1 ? values[middle] : mean(values[middle - 1], values[middle])
    }

    /// The percentile bootstrap's interval of the median (Efron & Tibshirani, An Introduction to the Bootstrap, chapter 13), of
    /// values in ascending order. They may be infinite. nil of fewer than ``fewestRuns``.
    ///
    /// It goes no further than from the least value to the greatest, between which the true median lies in 1 - 2^(1 - n) of
    /// cases: three runs give 75 %, four 87.5 %, five 93.75 %, six and more the whole 95 %.
    static func interval(sorted values: [Double], seed: UInt64) -> Interval? {
        let count = values.count
        guard count >= fewestRuns else { return nil }
        var generator = SeededGenerator(seed: seed)
        var drawn = [Int](repeating: 0, count: count)
        var medians = (0..<resamples).map { _ in
            for index in drawn.indices { drawn[index] = 0 }
            for _ in 0..<count { drawn[generator.next(below: count)] += 1 }
            return mean(values[place((count - 1) / 2, drawn)], values[place(count / 2, drawn)])
        }
        medians.sort()
        // The ranks outside, so that nothing is cut off: 2.5 % at either end.
        let tail = resamples / 40
        let possible = 1 - 2 / Double(sign: .plus, exponent: min(count, 60), significand: 1)
        return Interval(
            lower: medians[tail - 1], upper: medians[resamples - tail], confidence: min(0.95, possible))
    }

    /// The value that stands at `rank` where each was drawn so many times.
    private static func place(_ rank: Int, _ drawn: [Int]) -> Int {
        var seen = 0
        for (index, times) in drawn.enumerated() {
            seen += times
            if seen > rank { return index }
        }
        return drawn.count - 1
    }

    /// Without a sum that is out of range, or infinity less infinity.
    private static func mean(_ first: Double, _ second: Double) -> Double {
        first == second ? first : first / 2 + second / 2
    }
}
