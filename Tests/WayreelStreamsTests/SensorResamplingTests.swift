import Glibc
import Testing
import WayreelCore
import WayreelStreams

/// The filter `resample`.
@Suite struct SensorResamplingTests {
    private static func sine(_ frequency: Double, _ time: Double) -> Double { sin(2 * .pi * frequency * time + 0.3) }

    /// Returns 20 s of a sine.
    private static func sine(_ frequency: Double, rate: Double) -> Series {
        let even = Series(every: 1 / rate, [Double](repeating: 0, count: Int(rate * 20)))
        return Series(even.times, even.times.map { sine(frequency, $0) })
    }

    /// The samples from 2 s after the beginning to 2 s before the end.
    private static func middle(_ series: Series) -> [(time: Double, value: Double)] {
        zip(series.times, series.values).filter { (2...18).contains($0.0) }
    }

    /// Returns a ratio of powers in dB, 0 for a sine.
    private static func decibels(_ values: some Collection<Double>) -> Double {
        10 * log10(2 * values.reduce(0) { $0 + $1 * $1 } / Double(values.count))
    }

    /// What is above half the new rate is gone: not a ten-thousandth is left.
    @Test(
        arguments: [
            ("x:resample=50", 250, 25.5), ("x:resample=50", 250, 30), ("x:resample=50", 250, 49.9),
            ("x:resample=50", 250, 124),
            ("x:resample=100", 360, 51), ("x:resample=100", 360, 170), ("x:resample=44.1", 1000, 23),
            ("x:resample=44.1", 1000, 441),
            ("x:resample=15", 1000, 8), ("x:resample=50,width=12", 250, 30),
        ] as [(String, Double, Double)]) func aliasesAreSuppressed(filter: String, rate: Double, frequency: Double)
        throws
    {
        let found = Self.middle(try Self.sine(frequency, rate: rate).filtered(filter))
        #expect(found.count > 15)
        #expect(Self.decibels(found.map(\.value)) < -60)
    }

    /// What is below 0.8 of half the lower rate stays, at its time: within 0.1 dB, and 60 dB above its errors.
    @Test(
        arguments: [
            ("x:resample=50", 250, 1), ("x:resample=50", 250, 20), ("x:resample=100", 360, 40),
            ("x:resample=44.1", 1000, 17),
            ("x:resample=1000", 250, 5), ("x:resample=1000", 250, 100), ("x:resample=250", 250, 90),
            ("x:resample=48", 50, 19),
            ("x:resample=50,width=12", 250, 15),
        ] as [(String, Double, Double)]) func theRestStays(filter: String, rate: Double, frequency: Double) throws
    {
        let found = Self.middle(try Self.sine(frequency, rate: rate).filtered(filter))
        #expect(abs(Self.decibels(found.map(\.value))) < 0.1)
        #expect(Self.decibels(found.map { $0.value - Self.sine(frequency, $0.time) }) < -60)
    }

    /// The times are those of the rate, from the first sample to the last, and do not drift.
    @Test(arguments: [1.0, 7, 30, 44.1, 50, 250, 999]) func theTimes(rate: Double) throws {
        let input = Series(every: 0.004, (0..<2501).map { Double($0) * 0.004 })
        let found = try Series(input.times.map { $0 + 5 }, input.values).filtered("x:resample=\(rate)")
        #expect(found.count == Int(10 * rate) + 1)
        for (index, time) in found.times.enumerated() {
            #expect(abs(time - 5 - Double(index) / rate) < 1e-6)
            // A line stays a line to its ends, unless it is shorter than the filter.
            #expect(rate < 5 || abs(found.values[index] - (time - 5)) < 1e-5)
        }
    }

    /// Times that jitter by 20 %, lost samples, times that go backwards or stand still.
    @Test func irregularTimes() throws {
        var state: UInt64 = 7
        func random() -> Double {
            state = state &* 6_364_136_223_846_793_005 &+ 1
            return Double(state >> 40) / Double(1 << 24)
        }
        var (times, values): ([Double], [Double]) = ([], [])
        for index in 0..<5000 {
            let time = ((Double(index) + 0.2 * (2 * random() - 1)) * 4000).rounded() / 1e6
            if random() < 0.02 { continue }
            times.append(time)
            values.append(2 + Self.sine(3, time))
            if random() < 0.05 {
                times.append(time - 0.004 * Double(Int.random(in: 0...9)))
                values.append(1e9)
            }
        }
        let found = Self.middle(try Series(times, values).filtered("x:resample=50"))
        #expect(found.count > 790)
        #expect(Self.decibels(found.map { $0.value - 2 - Self.sine(3, $0.time) }) < -40)
    }

    /// A gap has no output; the rest is on the same times, as if it stood alone.
    @Test func gaps() throws {
        let even = Series(every: 0.004, (0..<1000).map { Double($0) * 0.004 })
        let input = Series(even.times + even.times.map { $0 + 3600.001 }, even.values + even.values)
        let found = try input.filtered("x:resample=50")
        #expect(found.times.allSatisfy { abs(($0 * 50).rounded() - $0 * 50) < 1e-4 })
        #expect(found.times.filter { $0 > 4 && $0 < 3600.001 }.isEmpty)
        #expect(found.times.count { $0 < 4 } == 200 && found.times.count { $0 > 3600 } == 199)
        for (time, value) in zip(found.times, found.values) {
            #expect(abs(value - (time > 3600 ? time - 3600.001 : time)) < 1e-4)
        }
    }

    /// The latest samples are given at the end, and few of them before.
    @Test func theDelay() throws {
        var chain = try SensorFilterChain([SensorFilter(parsing: "x:resample=50")])
        var output: [SensorSample] = []
        for sample in try Series(every: 0.004, [Double](repeating: 1, count: 1000)).samples {
            try chain.apply(sample, to: &output)
        }
        // 24 of 50 samples a second.
        #expect(output.last?.time == SensorTime(microseconds: 3_500_000))
        try chain.finish(to: &output)
        #expect(output.last?.time == SensorTime(microseconds: 3_980_000) && output.count == 200)
        #expect(chain.dropped == 0)
    }

    /// A stream is resampled as a whole, with the latest accuracy; a component alone leaves the others as they are.
    @Test func wholeStreamsAndComponents() throws {
        func run(_ filter: String) throws -> [SensorSample] {
            var chain = try SensorFilterChain([SensorFilter(parsing: filter)])
            var output: [SensorSample] = []
            for index in 0..<100 {
                let time = SensorTime(microseconds: Int64(index) * 100_000)
                let values: SensorSample.Values = [
                    "latitude": 35, "longitude": 170 + Double(index) * 0.2, "accuracy": index < 50 ? 5 : 9,
                ]
                try chain.apply(
                    SensorSample(time, stream: "position", values: index % 3 == 0 ? ["accuracy": 5] : values),
                    to: &output)
                try chain.apply(SensorSample(time, stream: "other", values: ["x": 1]), to: &output)
            }
            try chain.finish(to: &output)
            return output
        }
        let whole = try run("position:resample=25")
        #expect(whole.count { $0.stream == "other" } == 100)
        let positions = whole.filter { $0.stream == "position" }
        #expect(positions.count == 248)
        for position in positions where position.time.microseconds >= 100_000 && position.time.microseconds <= 9_800_000
        {
            let longitude = position.values["longitude"] ?? 0
            let truth = 170 + Double(position.time.microseconds) / 1e6 * 2
            // Beyond 180° it is negative.
            #expect(
                abs(longitude - (truth >= 180 ? truth - 360 : truth)) < 0.05
                    && abs((position.values["latitude"] ?? 0) - 35) < 1e-9)
            #expect(position.values["accuracy"] == 5 || position.time.microseconds >= 5_000_000)
        }
        let alone = try run("position.latitude:resample=1")
        #expect(
            alone.count { $0.values["longitude"] != nil } == 66 && alone.count { $0.values["accuracy"] != nil } == 100)
        #expect(alone.filter { $0.values["latitude"] != nil }.allSatisfy { $0.values.names == ["latitude"] })
    }

    /// Few samples, and none.
    @Test func shortInput() throws {
        #expect(try Series([], []).filtered("x:resample=50").count == 0)
        let single = try Series([7], [3]).filtered("x:resample=50")
        #expect(single.times == [7] && single.values == [3])
        let two = try Series([0, 0.1], [1, 2]).filtered("x:resample=50")
        #expect(two.times == [0, 0.02, 0.04, 0.06, 0.08, 0.1])
        for (time, value) in zip(two.times, two.values) { #expect(abs(value - 1 - time * 10) < 0.02) }
    }
}
