import TestSupport

/// Times like those of benchmarks: noise, occasional disturbed runs, and a machine that becomes slower.
struct NoisyRuns {
    private var random: SeededRandom

    init(seed: UInt64) { random = SeededRandom(seed: seed) }

    private mutating func uniform() -> Double { Double(random.next() >> 11) / 9_007_199_254_740_992 }

    /// Returns an approximately normal number: the sum of twelve uniform ones (Irwin and Hall).
    private mutating func normal() -> Double { (0..<12).reduce(-6) { sum, _ in sum + uniform() } }

    /// Returns one run of something that takes 1, with a noise of 3 %, and 8 % of runs disturbed.
    mutating func run() -> Double { 1 + 0.03 * normal() + (uniform() < 0.08 ? 0.3 * uniform() : 0) }

    /// Returns rounds of two programs of which the second takes `ratio` times as long, while the machine becomes slower
    /// by `drift`.
    mutating func rounds(_ count: Int, ratio: Double, drift: Double) -> (first: [Double], second: [Double]) {
        var runs: (first: [Double], second: [Double]) = ([], [])
        for round in 0..<count {
            let slowness = 1 + drift * Double(round) / Double(count)
            runs.first.append(run() * slowness)
            runs.second.append(run() * slowness * ratio)
        }
        return runs
    }
}
