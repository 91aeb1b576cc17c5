internal import Testing
internal import WayreelCore
internal import WayreelVideo

/// The rates of RFC 8216, section 4.1.
@Suite struct SegmentRatesTests {
    /// Runs of 3 to 9 seconds: the densest is the second segment with the third, 14 000 bytes in 6 s, because 1 s alone
    /// is too short.
    @Test func peakIsThatOfRunsNearTheTarget() throws {
        let segments: [(seconds: Double, bytes: Int)] = [(6, 6000), (1, 8000), (5, 6000), (6, 6000)]
        let rates = SegmentRates(segments, targetDuration: 6, check: {})
        #expect(rates.peak == Int((14_000.0 * 8 / 6).rounded(.up)))
        #expect(rates.average == Int((26_000.0 * 8 / 18).rounded(.up)))
    }

    /// A longer target allows longer runs, with a lower rate: the first segment alone, then both together.
    @Test(arguments: [(2, 8000.0 * 8 / 2), (5, 10_000.0 * 8 / 4)])
    func runsDependOnTheTarget(target: Int, peak: Double) {
        let segments: [(seconds: Double, bytes: Int)] = [(2, 8000), (2, 2000)]
        #expect(SegmentRates(segments, targetDuration: target, check: {}).peak == Int(peak))
    }

    /// No run is ever too long, which makes the work quadratic.
    @Test func manyShortSegmentsCanBeStopped() {
        let segments = [(seconds: Double, bytes: Int)](repeating: (0.001, 100), count: 200_000)
        let task = TaskContext(seconds: 0.2)
        let start = Clock.wall
        let error = #expect(throws: MediaError.self) {
            try SegmentRates(segments, targetDuration: 1 << 53, check: task.check)
        }
        #expect(error?.code == .timedOut)
        #expect(Clock.wall - start < 5)
    }
}
