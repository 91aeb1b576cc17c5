import TestSupport
import Testing
import WayreelCore
import WayreelDrawing

@Suite struct ChartAxisTests {
    @Test(arguments: [
        (0.0, 10.0, 6, [0.0, 2, 4, 6, 8, 10]),
        (0, 1, 3, [0, 0.5, 1]),
        (-1, 1, 5, [-1, -0.5, 0, 0.5, 1]),
        (0.13, 0.87, 4, [0.2, 0.4, 0.6, 0.8]),
        (3, 97, 5, [20, 40, 60, 80]),
        (0, 1e9, 3, [0, 5e8, 1e9]),
        (0, 3e-4, 4, [0, 1e-4, 2e-4, 3e-4]),
    ])
    func ticksAreRoundNumbers(lower: Double, upper: Double, count: Int, expected: [Double]) {
        let values = TickSteps.decimal.ticks(in: lower...upper, atMost: count).values
        #expect(values.count == expected.count)
        for (value, wanted) in zip(values, expected) { #expect(abs(value - wanted) <= 1e-12 * max(1, abs(wanted))) }
    }

    @Test(arguments: [
        (0.0, 30.0, 7, [0.0, 5, 10, 15, 20, 25, 30]),
        (0, 240, 5, [0, 60, 120, 180, 240]),
        (0, 36_000, 6, [0, 7200, 14_400, 21_600, 28_800, 36_000]),
        (3590, 3620, 4, [3590, 3600, 3610, 3620]),
        (0, 0.2, 3, [0, 0.1, 0.2]),
        (0, 604_800, 4, [0, 172_800, 345_600, 518_400]),
    ])
    func timeTicksAreClockTimes(lower: Double, upper: Double, count: Int, expected: [Double]) {
        #expect(TickSteps.time.ticks(in: lower...upper, atMost: count).values == expected)
    }

    @Test(arguments: [
        (-60.0, 0.0, 6, [-60.0, -48, -36, -24, -12, 0]), (-60, 0, 4, [-60, -40, -20, 0]),
        (-12, 0, 5, [-12, -9, -6, -3, 0]),
    ])
    func decibelTicks(lower: Double, upper: Double, count: Int, expected: [Double]) {
        #expect(TickSteps.decibels.ticks(in: lower...upper, atMost: count).values == expected)
    }

    /// For any range, ticks are evenly spaced, inside the range, and neither too many nor unnecessarily few.
    @Test func ticksHoldForAnyRange() {
        var random = SeededRandom(seed: 7)
        for _ in 0..<2000 {
            let span = power(10, Double.random(in: -6...9, using: &random))
            let lower = Double.random(in: -3...3, using: &random) * span
            let count = Int.random(in: 1...20, using: &random)
            for steps in [TickSteps.decimal, .time, .decibels] {
                let (step, values) = steps.ticks(in: lower...lower + span, atMost: count)
                #expect(values.count <= count)
                #expect(values.count >= (count - 1) / 4)
                for (index, value) in values.enumerated() {
                    #expect(value >= lower - 1e-6 * span && value <= lower + span + 1e-6 * span)
                    #expect(abs(value - values[0] - Double(index) * step) <= 1e-6 * span)
                }
                let wide = steps.widened(lower...lower + span, atMost: max(count, 2))
                #expect(wide.lowerBound <= lower + 1e-6 * span && wide.upperBound >= lower + span - 1e-6 * span)
            }
        }
    }

    @Test(arguments: [
        (12.0, 2.0, 4.0, "s", "4"), (1, 0.25, 0.25, "s", "0.25"), (59, 5, 0, "s", "0"),
        (90, 15, 75, "min:s", "1:15"), (3599, 600, 1200, "min:s", "20:00"), (600, 0.5, 65.5, "min:s", "1:05.5"),
        (7200, 1800, 5400, "h:min", "1:30"), (36_000, 30, 3630, "h:min:s", "1:00:30"),
        (604_800, 86_400, 172_800, "h:min", "48:00"),
    ])
    func timesAreWrittenAsShortAsTheyCan(end: Double, step: Double, time: Double, unit: String, text: String) {
        let notation = TimeNotation(end: end, step: step)
        #expect(notation.unit == unit)
        #expect(notation.text(for: time) == text)
    }

    @Test func aTimeAxisHasNothingBeforeTheBeginningOrAfterTheEnd() {
        let axis = ChartAxis.time(-6...4, end: 3, atMost: 11)
        #expect(axis.ticks == (0...3).map { ChartTick(share: Double(6 + $0) / 10, label: "\($0)") })
        #expect(ChartAxis.time(0...0, end: 0, atMost: 5).ticks.isEmpty)
        #expect(ChartAxis.time(0...9e18, end: 9e18, atMost: 5).ticks.count > 1)
    }
}
