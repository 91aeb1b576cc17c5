import TestSupport
import Testing
import WayreelDrawing

@Suite struct ChartScaleTests {
    @Test(arguments: [
        (-1.0, 1.0, 5, ["−1.0", "−0.5", "0.0", "0.5", "1.0"], ""),
        (-0.35, 1.2, 4, ["0.0", "0.5", "1.0"], ""),
        (0, 360, 5, ["0", "100", "200", "300"], ""),
        (0, 2e-5, 3, ["0", "10", "20"], "×10⁻⁶"),
        (-3e9, 3e9, 3, ["−2", "0", "2"], "×10⁹"),
    ])
    func signedAxes(lower: Double, upper: Double, count: Int, labels: [String], factor: String) {
        let axis = ChartScale(.linear, lower...upper).axis(atMost: count)
        #expect(axis.ticks.map(\.label) == labels && axis.factor == factor)
    }

    @Test(arguments: [
        (1.0, 1000.0, 4, ["1", "10", "100", "1000"]),
        (1, 100, 8, ["1", "2", "5", "10", "20", "50", "100"]),
        (0.01, 10, 4, ["0.01", "0.1", "1", "10"]),
        (1e-9, 1e9, 4, ["10⁻⁵", "1", "10⁵"]),
        (20, 35, 4, ["20", "25", "30", "35"]),
    ])
    func logarithmicAxes(lower: Double, upper: Double, count: Int, labels: [String]) {
        let scale = ChartScale(.log, lower...upper)
        let ticks = scale.axis(atMost: count).ticks
        #expect(ticks.map(\.label) == labels)
        for (one, next) in zip(ticks, ticks.dropFirst()) { #expect(one.share < next.share) }
    }

    @Test func sharesOfValues() {
        let linear = ChartScale(.linear, -1...3)
        #expect(linear.share(of: -1) == 0 && linear.share(of: 3) == 1 && linear.share(of: 0) == 0.25)
        #expect(linear.share(of: 5) == 1.5)
        let log = ChartScale(.log, 1...1000)
        #expect(abs(log.share(of: 10) - 1 / 3.0) < 1e-12)
        #expect(log.share(of: 0) == -.infinity && log.share(of: -1) == -.infinity)
    }

    /// Constant, huge and tiny values have a scale too.
    @Test(arguments: [0.0, 5, -1e-300, 1e308, -1e308, 1e15])
    func aConstantIsWithinItsScale(value: Double) {
        for kind in ChartScale.Kind.allCases where kind == .linear || value > 0 {
            let scale = ChartScale.around(value...value, kind)
            let share = scale.share(of: min(max(value, -1e300), 1e300))
            #expect((0...1).contains(share))
            #expect(scale.axis(atMost: 5).ticks.count <= 5)
        }
    }

    @Test func ticksOfAnyScaleAreWithinIt() {
        var random = SeededRandom(seed: 43)
        for _ in 0..<2000 {
            let span = power(10, Double.random(in: -12...12, using: &random))
            let lower = Double.random(in: -3...3, using: &random) * span
            let count = Int.random(in: 2...12, using: &random)
            for kind in ChartScale.Kind.allCases {
                let start = kind == .log ? abs(lower) + span * 1e-3 : lower
                let scale = ChartScale(kind, start...start + span)
                let ticks = scale.axis(atMost: count).ticks
                #expect(ticks.allSatisfy { (0...1).contains($0.share) })
                #expect(Set(ticks.map(\.label)).count == ticks.count)
                if kind == .linear { #expect(ticks.count <= count) }
            }
        }
    }

    // MARK: Times

    @Test func secondsMayBeNegative() {
        let axis = ChartAxis.seconds(-2...2, atMost: 5)
        #expect(axis.ticks.map(\.label) == ["−2", "−1", "0", "1", "2"] && axis.unit == "s")
        #expect(ChartAxis.seconds(-0.2...0.2, atMost: 5).ticks.map(\.label) == ["−0.2", "−0.1", "0.0", "0.1", "0.2"])
        #expect(ChartAxis.seconds(0...120, atMost: 3).ticks.map(\.label) == ["0:00", "1:00", "2:00"])
    }

    /// 1795453500 is 2026-11-23T17:05:00Z.
    @Test func clockTimes() {
        let start = 1_795_453_500.0
        let axis = ChartAxis.clock(start...start + 60, atMost: 4, style: .clock, zone: "UTC") { _ in 0 }
        #expect(axis.ticks.map(\.label) == ["17:05:00", "17:05:30", "17:06:00"])
        #expect(axis.unit == "2026-11-23 UTC")
        let india = ChartAxis.clock(start...start + 7200, atMost: 3, style: .clock, zone: "Asia/Kolkata") { _ in 19_800
        }
        // 17:05 is 22:35 there.
        #expect(india.ticks.map(\.label) == ["23:00", "2026-11-24"] && india.unit == "Asia/Kolkata")
        #expect(india.ticks[0].share == 1500.0 / 7200)
        let dates = ChartAxis.clock(start...start + 60, atMost: 9, style: .date, zone: "UTC") { _ in 0 }
        #expect(dates.ticks.map(\.label).first == "2026-11-23 17:05:00" && dates.ticks.count == 3)
    }

    /// At 2026-03-29T01:00:00Z (1774746000), clocks in Lisbon go from 1:00 to 2:00.
    @Test func clocksThatAreSetForward() {
        let change = 1_774_746_000.0
        let axis = ChartAxis.clock(change - 7200...change + 7200, atMost: 6, style: .clock, zone: "Europe/Lisbon") {
            $0 < change ? 0 : 3600
        }
        // There is no 1:00; 2:00 is when it would have been.
        #expect(axis.ticks.map(\.label) == ["23:00", "2026-03-29", "02:00", "03:00", "04:00"])
        #expect(axis.ticks.map(\.share) == [0, 0.25, 0.5, 0.75, 1])
    }

    /// 1706745600 is 2024-02-01, 1709251200 2024-03-01: a leap year.
    @Test func monthsAndYears() {
        let (february, march) = (1_706_745_600.0, 1_709_251_200.0)
        let months = ChartAxis.clock(february...march, atMost: 3, style: .date, zone: "UTC") { _ in 0 }
        #expect(months.ticks == [ChartTick(share: 0, label: "2024-02"), ChartTick(share: 1, label: "2024-03")])
        let year = ChartAxis.clock(
            february...february + 366 * 86_400, atMost: 12, style: .clock, zone: "UTC"
        ) { _ in 0 }
        #expect(year.ticks.map(\.label) == ["2024-03", "2024-05", "2024-07", "2024-09", "2024-11", "2025-01"])
        #expect(abs(year.ticks[0].share - 29.0 / 366) < 1e-12)
        let decades = ChartAxis.clock(-3e9...3e9, atMost: 5, style: .clock, zone: "UTC") { _ in 0 }
        #expect(decades.ticks.map(\.label) == ["1900", "1950", "2000", "2050"])
        #expect(ChartAxis.clock(-1e15...1e15, atMost: 5, style: .clock, zone: "UTC") { _ in 0 }.ticks.isEmpty)
    }
}
