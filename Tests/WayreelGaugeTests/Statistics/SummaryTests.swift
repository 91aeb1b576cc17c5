import Testing
import WayreelBench

@Suite struct SummaryTests {
    static let runs = [12.1, 11.8, 12.4, 30.5, 12.0, 11.9, 12.2, 12.3, 11.7, 12.6, 12.05]

    /// Median of numpy 2.4.6. The interval is that of the bootstrap's exact distribution: the median of a
    /// resample of 11 is at most the value of rank i with the probability that 6 or more of 11 draws are among the
    /// first i, which is 0.007 and 0.051 for the ranks 2 and 3, 0.949 and 0.993 for 8 and 9.
    @Test func agreesWithKnownValues() throws {
        let summary = try #require(Summary(Self.runs))
        #expect(summary.median == 12.1)
        #expect(summary.interval == Interval(lower: 11.9, upper: 12.4, confidence: 0.95))
        #expect(summary.outliers == [3])
    }

    @Test func isTheSameEveryTime() {
        #expect(Summary(Self.runs, seed: 7) == Summary(Self.runs, seed: 7))
    }

    @Test func takesTheMeanOfTheTwoInTheMiddle() {
        #expect(Summary([8, 5, 7, 6])?.median == 6.5)
        #expect(Summary([.greatestFiniteMagnitude, .greatestFiniteMagnitude])?.median == .greatestFiniteMagnitude)
    }

    @Test func givesNoIntervalOfFewRuns() throws {
        #expect(Summary([]) == nil)
        #expect(Summary([.nan, .infinity]) == nil)
        #expect(Summary([5])?.interval == nil)
        #expect(Summary([5, 6])?.interval == nil)
        #expect(Summary([5, 6])?.outliers == [])
        // Three runs are on both sides of the median in three cases of four.
        let three = try #require(Summary([5, 7, 6])?.interval)
        #expect(three == Interval(lower: 5, upper: 7, confidence: 0.75))
        #expect(Summary([5, 6, 7, 8])?.interval?.confidence == 0.875)
        #expect(Summary([5, 6, 7, 8, 9, 10])?.interval?.confidence == 0.95)
    }

    @Test func leavesOutWhatIsNoNumber() throws {
        let summary = try #require(Summary([.nan, 1, 2, .infinity, 3, 100]))
        #expect(summary.median == 2.5)
        // The index among the given values.
        #expect(summary.outliers == [5])
    }

    @Test func takesIdenticalValuesAndZeros() throws {
        let zeros = try #require(Summary([0, 0, 0, 0]))
        #expect(zeros.interval == Interval(lower: 0, upper: 0, confidence: 0.875) && zeros.outliers == [])
        let one = try #require(Summary([4, 4, 4, 4, 4, 4, 4, 9]))
        #expect(one.median == 4 && one.outliers == [7])
        // Coarse values that vary by one step are not outliers.
        #expect(Summary([10, 10, 10, 10, 10, 10, 11, 11, 11, 11])?.outliers == [])
    }

    @Test(arguments: [8, 15, 30])
    func intervalHoldsTheTrueMedian(_ count: Int) throws {
        // The median of a long series serves as the true one.
        var runs = NoisyRuns(seed: 1)
        let truth = try #require(Summary((0..<20_001).map { _ in runs.run() }.sorted(), seed: 1)?.median)
        var held = 0
        for seed in 0..<400 as Range<UInt64> {
            var runs = NoisyRuns(seed: 1000 + seed)
            let interval = try #require(Summary((0..<count).map { _ in runs.run() }, seed: seed)?.interval)
            if interval.lower <= truth, truth <= interval.upper { held += 1 }
        }
        // 95 % of 400 is 380; the percentile bootstrap of a few values is low by some percent.
        #expect((360...398).contains(held))
    }

    @Test func codesAsJSON() throws {
        let summary = try #require(Summary(Self.runs))
        #expect(try JSON.decode(Summary.self, JSON.encode(summary)) == summary)
    }
}
