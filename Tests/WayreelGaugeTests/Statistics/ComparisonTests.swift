import Testing
import WayreelBench

@Suite struct ComparisonTests {
    static let baseline = [100.0, 103, 98, 110, 101, 99, 102, 100]

    static func compare(_ factors: [Double], tolerance: Double = 0) -> Comparison {
        Comparison(baseline: baseline, candidate: zip(baseline, factors).map(*), tolerance: tolerance)
    }

    @Test func distinguishesBetterFromWorse() {
        let better = Self.compare([0.83, 0.84, 0.80, 0.82, 0.87, 0.83, 0.81, 0.85])
        #expect(better.verdict == .better && better.rounds == 8)
        #expect(abs((better.ratio ?? 0) - 0.83) < 1e-12)
        #expect(better.description.hasPrefix("0.83 × (0.8") && better.description.hasSuffix("), better"))
        let worse = Self.compare([1.1, 1.12, 1.09, 1.1, 1.11, 1.13, 1.08, 1.1])
        #expect(worse.verdict == .worse)
        let same = Self.compare([0.9, 1.12, 1.0, 0.98, 1.02, 1.05, 0.95, 1.0])
        #expect(same.verdict == .noDifferenceSeen && same.description.hasSuffix("), no difference found"))
    }

    @Test func allowsForATolerance() {
        let factors = [1.03, 1.031, 1.032, 1.03, 1.033, 1.029, 1.03, 1.031]
        #expect(Self.compare(factors).verdict == .worse)
        let tolerated = Self.compare(factors, tolerance: 0.05)
        #expect(tolerated.verdict == .noDifferenceSeen)
        #expect(tolerated.description.hasSuffix("no difference beyond 5 % found"))
        #expect(Self.compare(factors.map { 1 / $0 }, tolerance: 0.05).verdict == .noDifferenceSeen)
        #expect(Self.compare(factors.map { 1 / $0 }).verdict == .better)
        #expect(Self.compare(factors, tolerance: .nan).tolerance == 0)
    }

    @Test func writesAsManyDigitsAsItTakes() {
        let exact = Comparison(baseline: [1000, 1000, 1000], candidate: [1004, 1003, 1005])
        #expect(exact.description == "1.004 × (1.003–1.005 at 75 %), worse")
        let same = Comparison(baseline: Self.baseline, candidate: Self.baseline)
        #expect(same.description == "1.00 × (1.00–1.00), no difference found")
    }

    @Test func givesNoVerdictForFewRounds() {
        let two = Comparison(baseline: [1, 1], candidate: [2, 2, 2])
        #expect(two.verdict == .tooFewRuns && two.interval == nil)
        #expect(two.description == "2.00 ×, too few runs")
        #expect(Comparison(baseline: [], candidate: []).description == "too few runs")
    }

    @Test func takesZerosAndWhatIsNoNumber() throws {
        let none = Comparison(baseline: [0, 0, 0], candidate: [0, 0, 0])
        #expect(none.ratio == 1 && none.verdict == .noDifferenceSeen)
        let new = Comparison(baseline: [0, 0, 0, 0, 0], candidate: [5, 6, 5, 7, 5])
        #expect(new.ratio == nil && new.interval == nil && new.verdict == .worse && new.description == "worse")
        let gone = Comparison(baseline: [5, 6, 5, 7, 5], candidate: [0, 0, 0, 0, 0])
        #expect(gone.ratio == 0 && gone.verdict == .better)
        let broken = Comparison(baseline: [1, .nan, 1, 1, -1, .infinity], candidate: [1, 1, 1, 1, 1, 1])
        #expect(broken.rounds == 3)
        for comparison in [none, new, gone, broken] {
            #expect(try JSON.decode(Comparison.self, JSON.encode(comparison)) == comparison)
        }
    }

    /// Run twice: with noise only, and while the machine becomes slower by 30 %.
    @Test(arguments: [0, 0.3])
    func findsDifferencesAndNoOthers(_ drift: Double) {
        var (held, falselyFound, found, wrong) = (0, 0, 0, 0)
        for seed in 0..<300 as Range<UInt64> {
            var runs = NoisyRuns(seed: seed)
            let same = runs.rounds(20, ratio: 1, drift: drift)
            let none = Comparison(baseline: same.first, candidate: same.second, seed: seed)
            if let interval = none.interval, interval.lower <= 1, interval.upper >= 1 { held += 1 }
            if none.verdict != .noDifferenceSeen { falselyFound += 1 }
            let faster = runs.rounds(20, ratio: 0.95, drift: drift)
            switch Comparison(baseline: faster.first, candidate: faster.second, seed: seed).verdict {
            case .better: found += 1
            case .worse: wrong += 1
            default: break
            }
        }
        // 95 % are 285; the percentile bootstrap may reach only 92 %.
        #expect(held >= 270 && falselyFound <= 30)
        #expect(found >= 255 && wrong == 0)
    }
}
