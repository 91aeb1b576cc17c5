import Glibc
import Testing
import WayreelCore
import WayreelStreams

/// Filters that keep or remove frequencies, and trends.
@Suite struct SensorFrequencyFilterTests {
    // MARK: Comparison with scipy

    /// Made by scipy 1.17.1, from the fourth sample on, with what is below 1e-11 as 0:
    ///
    ///     import numpy as np
    ///     from scipy import signal as s
    ///     x = 5 + 0.5 * (np.arange(20) > 9) + (np.arange(20) == 3)
    ///     sos = s.butter(order, frequencies, kind, fs=250, output="sos")  # or s.tf2sos(*s.iirnotch(f, q, fs=250))
    ///     y, _ = s.sosfilt(sos, x, zi=s.sosfilt_zi(sos) * x[0])
    ///     print(*("%.10g" % v for v in y[3:]))
    private static let ofScipy: [(filter: String, output: [Double])] = [
        (
            "lowpass=40,order=1",
            [
                5.354736572, 5.457797073, 5.133002345, 5.038640753, 5.011226177, 5.003261506,
                5.000947555, 5.177643576, 5.406346801, 5.472791231, 5.492095122, 5.497703421,
                5.499332782, 5.499806155, 5.499943683, 5.499983638, 5.499995247,
            ]
        ),
        (
            "lowpass=40",
            [
                5.145323884, 5.388164321, 5.369124641, 5.149749955, 5.007347339, 4.967144677,
                4.976099208, 5.064914022, 5.267575782, 5.453819495, 5.527657892, 5.530211729,
                5.513294182, 5.501297619, 5.497516291, 5.498005938, 5.499288627,
            ]
        ),
        (
            "lowpass=7,order=5",
            [
                5.000004012, 5.000037834, 5.000176134, 5.000550554, 5.0013247, 5.00265621, 5.00466754,
                5.007431319, 5.010974334, 5.015302348, 5.020434209, 5.026426911, 5.033383743,
                5.041448684, 5.050792424, 5.061594176, 5.074022414,
            ]
        ),
        (
            "lowpass=110,order=8",
            [
                5.377683358, 5.729385606, 4.992911204, 4.762052784, 5.236016827, 4.86615317,
                5.017143857, 5.259936095, 5.43747756, 5.669930381, 5.337344543, 5.600125211,
                5.476872285, 5.456761966, 5.586361213, 5.397091364, 5.595807739,
            ]
        ),
        (
            "highpass=0.5,order=1",
            [
                0.993755965, -0.01241009415, -0.01225511602, -0.01210207327, -0.01195094173,
                -0.01180169753, -0.01165431711, 0.4853692053, 0.4793078806, 0.4733222502, 0.4674113688,
                0.4615743029, 0.4558101306, 0.4501179418, 0.4444968373, 0.4389459297, 0.4334643421,
            ]
        ),
        (
            "highpass=12,order=3",
            [
                0.738778419, -0.4440359007, -0.3009439039, -0.1847708361, -0.09410707188,
                -0.02684664715, 0.01971617904, 0.4180917004, 0.2108022264, 0.06410461526, -0.0323545088,
                -0.08856048732, -0.1138733699, -0.1167722694, -0.1046510993, -0.08369061104,
                -0.05881336617,
            ]
        ),
        (
            "bandpass=0.5..40",
            [
                0.1424442454, 0.3800177155, 0.3582802404, 0.1365342277, -0.009739329335, -0.05212750299,
                -0.04296720527, 0.04567434489, 0.2453265959, 0.4266257117, 0.493947659, 0.4879557139,
                0.4614574288, 0.4400569053, 0.4275415859, 0.4198332348, 0.4131484173,
            ]
        ),
        (
            "bandpass=5..15,order=3",
            [
                0.001567010351, 0.008412008084, 0.02143731916, 0.03616612445, 0.04704374618,
                0.05048232421, 0.04496974642, 0.03167174044, 0.01510848352, 0.001228984774,
                -0.005838326722, -0.004846353879, 0.003128881692, 0.01543437304, 0.02864342684,
                0.03930326149, 0.04454188748,
            ]
        ),
        (
            "bandpass=1..100,order=1",
            [
                0.7468982641, 0.3499250917, -0.2141410639, 0.07246577375, -0.07179158312,
                0.002148677935, -0.03444376953, 0.3583730856, 0.5243402706, 0.4226190873, 0.4569162894,
                0.4227551109, 0.4236862892, 0.407253879, 0.4000150358, 0.3885093391, 0.3795443544,
            ]
        ),
        (
            "notch=50,q=30",
            [
                5.979482761, 4.987579815, 5.03267396, 5.03168983, 4.987850353, 4.962255713, 4.988802451,
                5.519158373, 5.512077035, 5.488938657, 5.481722516, 5.499543105, 5.517250894,
                5.510881038, 5.490043864, 5.483538476, 5.499582548,
            ]
        ),
        (
            "notch=60,q=5",
            [
                5.868093266, 4.985620048, 5.227447049, 5.035381707, 4.83641372, 4.956118933,
                5.115646276, 5.478958584, 5.34661555, 5.498769039, 5.612785372, 5.513201633,
                5.418408118, 5.481386311, 5.558037654, 5.520030183, 5.459457073,
            ]
        ),
    ]

    /// An offset, an impulse and a step.
    private static let input = (0..<20).map { 5 + ($0 > 9 ? 0.5 : 0) + ($0 == 3 ? 1 : 0) }

    /// The rate is given, or measured while the samples are held back.
    @Test(arguments: 0..<11, ["", ",rate=250"]) func asInScipy(index: Int, rate: String) throws {
        let (filter, output) = Self.ofScipy[index]
        let found = try Series(every: 0.004, Self.input).filtered("x:\(filter)\(rate)")
        try #require(found.count == 20)
        // The offset does not ring.
        let steady = filter.hasPrefix("highpass") || filter.hasPrefix("bandpass") ? 0.0 : 5
        for value in found.values.prefix(3) { #expect(abs(value - steady) < 1e-9) }
        for (value, expected) in zip(found.values.dropFirst(3), output) {
            #expect(abs(value - expected) < 1e-9 + 1e-9 * abs(expected), "\(filter): \(value), not \(expected)")
        }
        #expect(found.times == Series(every: 0.004, Self.input).times)
    }

    // MARK: By formulas

    /// Returns the gain for a sine in dB, after the beginning.
    private func gain(_ filter: String, _ frequency: Double, rate: Double = 250) throws -> Double {
        let input = Series(every: 1 / rate, (0..<Int(rate * 40)).map { sin(2 * .pi * frequency * Double($0) / rate) })
        let end = try input.filtered(filter).values.suffix(Int(rate * 20))
        return 10 * log10(2 * end.reduce(0) { $0 + $1 * $1 } / Double(end.count))
    }

    /// −3.01 dB at the ends of the band, of any order; far away, 20 dB a decade for each order.
    @Test(arguments: [
        ("x:lowpass=40", 40), ("x:lowpass=2,order=1", 2), ("x:lowpass=40,order=8", 40), ("x:highpass=0.5", 0.5),
        ("x:highpass=10,order=7", 10), ("x:bandpass=0.5..40", 0.5), ("x:bandpass=0.5..40", 40),
        ("x:bandpass=5..15,order=4", 15), ("x:notch=50,q=10", 47.5624), ("x:notch=50,q=10", 52.5624),
    ]) func atTheEnds(filter: String, frequency: Double) throws {
        // The ends of a notch are those of the analogue filter, which the bilinear transform moves a little.
        let tolerance = filter.contains("notch") ? 0.15 : 0.02
        let gain = try gain(filter, frequency)
        #expect(abs(gain + 3.0103) < tolerance)
    }

    @Test(
        arguments: [
            ("x:lowpass=40", 4, 0), ("x:lowpass=0.5,order=2", 5, -40), ("x:highpass=20,order=2", 2, -40),
            ("x:highpass=20,order=3", 2, -60), ("x:notch=50,q=30", 40, 0), ("x:notch=60", 50, 0),
        ] as [(String, Double, Double)]) func farAway(filter: String, frequency: Double, decibels: Double) throws
    {
        let gain = try gain(filter, frequency)
        #expect(abs(gain - decibels) < 0.6)
    }

    @Test(arguments: [("x:notch=50,q=30", 50.0), ("x:notch=60", 60), ("x:notch=50,rate=250", 50)])
    func theHumIsGone(filter: String, frequency: Double) throws {
        let gain = try gain(filter, frequency)
        #expect(gain < -100)
    }

    // MARK: Times

    /// Times that jitter by 30 % and are rounded to milliseconds: the rate is that of the mean interval.
    @Test func irregularTimes() throws {
        let rate = 250.0
        var state: UInt64 = 1
        let times = (0..<5000).map { index in
            state = state &* 6_364_136_223_846_793_005 &+ 1
            let jitter = Double(state >> 40) / Double(1 << 24) * 0.6 - 0.3
            return ((Double(index) + jitter) / rate * 1000).rounded() / 1000
        }
        let input = Series(times, times.map { 3 + sin(2 * .pi * 2 * $0) })
        let found = try input.filtered("x:lowpass=20,order=2")
        #expect(found.times == input.times)
        // The delay of a slow sine is 1 / (2π · 20 · sin 45°) s.
        for (time, value) in zip(times, found.values).dropFirst(200) {
            let late = time - 1 / (2 * .pi * 20 * sin(.pi / 4))
            #expect(abs(value - 3 - sin(2 * .pi * 2 * late)) < 0.05, "\(time)")
        }
    }

    /// After a gap, the filter begins anew; before it, and at lost samples, it goes on.
    @Test func gaps() throws {
        var times = (0..<100).map { Double($0) * 0.02 }
        times += (0..<100).map { 60 + Double($0) * 0.02 }
        times.removeAll { $0 == 0.5 || $0 == 0.52 }
        let found = try Series(times, times.map { $0 < 50 ? 0 : 7 }).filtered("x:lowpass=1")
        for (time, value) in zip(times, found.values) { #expect(abs(value - (time < 50 ? 0 : 7)) < 1e-12) }
        // Without the gap, a step takes its time.
        let step = try Series(every: 0.02, (0..<100).map { $0 < 50 ? 0 : 7 }).filtered("x:lowpass=1")
        #expect(step.values[51] < 1)
    }

    /// A sample that is not later than the latest gets its result and changes nothing.
    @Test func timesThatGoBackwards() throws {
        let even = Series(every: 0.004, Self.input + Self.input)
        var (times, values) = (even.times, even.values)
        times.insert(contentsOf: [0.04, 0.02, 0.036], at: 11)
        values.insert(contentsOf: [1e9, -1e9, 7], at: 11)
        for filter in ["x:lowpass=40", "x:highpass=1,rate=250", "x:notch=50", "x:derivative=0", "x:derivative=50ms"] {
            let found = try Series(times, values).filtered(filter)
            let expected = try even.filtered(filter).values
            var rest = found.values
            rest.removeSubrange(11..<14)
            #expect(rest == expected)
            #expect(found.values[11..<14].allSatisfy { $0 == found.values[10] })
        }
    }

    /// Times that stand still leave the first value.
    @Test func timesThatStandStill() throws {
        let found = try Series([Double](repeating: 1, count: 1000), (0..<1000).map(Double.init)).filtered("x:lowpass=1")
        #expect(found.values == [Double](repeating: 0, count: 1000))
        let single = try Series([1], [5]).filtered("x:lowpass=1")
        #expect(single.count == 1 && abs(single.values[0] - 5) < 1e-12)
    }

    /// The rate doubles: the filter follows it.
    @Test func aRateThatChanges() throws {
        var times = (0..<200).map { Double($0) * 0.01 }
        times += (1...4000).map { 1.99 + Double($0) * 0.005 }
        let found = try Series(times, times.map { sin(2 * .pi * 10 * $0) }).filtered("x:notch=10,q=2")
        #expect(found.values.suffix(2000).allSatisfy { abs($0) < 0.001 })
    }

    /// While the rate is measured, samples are held back: none is lost or changes places with another of its stream.
    @Test func samplesAreHeldBack() throws {
        var chain = try SensorFilterChain([SensorFilter(parsing: "ecg:lowpass=40"), SensorFilter(parsing: "b:max=5")])
        var output: [SensorSample] = []
        for index in 0..<40 {
            let time = SensorTime(microseconds: Int64(index) * 4000)
            try chain.apply(SensorSample(time, stream: "ecg", values: ["i": 1, "ii": 2, "accuracy": 3]), to: &output)
            try chain.apply(SensorSample(time, stream: "other", values: ["b": Double(index)]), to: &output)
            // 32 intervals.
            #expect(output.count { $0.stream == "ecg" } == (index < 32 ? 0 : index + 1))
        }
        try chain.finish(to: &output)
        let held = output.filter { $0.stream == "ecg" }
        #expect(held.map(\.time.microseconds) == (0..<40).map { $0 * 4000 })
        #expect(held.allSatisfy { abs(($0.values["ii"] ?? 0) - 2) < 1e-12 && $0.values["accuracy"] == 3 })
        #expect(output.count { $0.stream == "other" } == 6)
        #expect(chain.dropped == 34 && chain.idle.isEmpty)
    }

    /// A slow stream is measured in a second or more.
    @Test func aSlowStream() throws {
        var chain = try SensorFilterChain([SensorFilter(parsing: "speed:lowpass=0.1")])
        var output: [SensorSample] = []
        for second in 0..<5 {
            try chain.apply(
                SensorSample(
                    SensorTime(microseconds: Int64(second) * 1_000_000), stream: "position", values: ["speed": 2]),
                to: &output)
            #expect(output.count == (second < 4 ? 0 : 5))
        }
    }

    /// Angles turn the shorter way through a low-pass filter; a high-pass filter sees their changes.
    @Test func angles() throws {
        let turning = (0..<2000).map { (Double($0) * 1.5 + 350).truncatingRemainder(dividingBy: 360) }
        let found = try Series(every: 0.01, turning, "degrees").filtered("degrees:lowpass=5")
        #expect(found.values.allSatisfy { (0..<360).contains($0) })
        // Late by the delay, at 150° a second; 2π · 5 as warped by the bilinear transform.
        let late = 150 / (2 * 100 * tan(Double.pi * 5 / 100) * sin(Double.pi / 4))
        for (value, truth) in zip(found.values, turning).dropFirst(200) {
            #expect(abs((truth - value - late).remainder(dividingBy: 360)) < 0.01)
        }
        let rate = try Series(every: 0.01, turning, "degrees").filtered("degrees:derivative=0")
        #expect(rate.values.dropFirst().allSatisfy { abs($0 - 150) < 1e-6 })
    }

    /// Times at the ends of what recordings may have.
    @Test(arguments: SensorFilterCatalog.all.map(\.name)) func hugeTimes(name: String) throws {
        let value = ["range", "clamp", "bandpass"].contains(name) ? "1..2" : name == "gyro" ? "a.b" : "2"
        for times: [Double] in [[-1e12, 0, 1e12], [-1e12, 1e12, 1e12 - 1], [1e12, -1e12], [0, 0.001, 1e12]] {
            let series = Series(times, times.map { _ in 1.5 })
            do {
                let found = try series.all("x:\(name)=\(value)")
                #expect(found.count < 3000)
            } catch let error as MediaError {
                #expect(error.kind == .parameter)
            }
        }
    }

    /// Values that overflow are dropped, and the filter begins anew.
    @Test(arguments: [
        "lowpass=40", "bandpass=1..40,order=8", "detrend=1s", "derivative=0", "derivative=1s", "resample=50",
    ])
    func hugeValues(filter: String) throws {
        let values = (0..<200).map { (100..<110).contains($0) ? ($0 % 2 == 0 ? 1.7e308 : -1.7e308) : 1 }
        let found = try Series(every: 0.004, values).filtered("x:\(filter)")
        #expect(found.values.allSatisfy { $0.isFinite })
    }

    // MARK: Trends

    private static let awkward = Series(
        [0.1, 0.17, 0.29, 0.49, 0.5, 0.6, 0.69, 1, 1.1, 1.2, 1.32, 1.37], [3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8])

    /// The residual and the slope of `numpy.polyfit` through the samples of 0.55 s, for each sample from the third on:
    ///
    ///     t = np.cumsum([0.1, 0.07, 0.12, 0.2, 0.01, 0.1, 0.09, 0.31, 0.1, 0.1, 0.12, 0.05])
    ///     x = np.array([3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8.0])
    ///     m = np.nonzero(t[: i + 1] >= t[i] - 0.55)[0]
    ///     a, b = np.polyfit(t[m], x[m], 1)
    ///     print("%.10g %.10g" % (x[i] - (a * t[i] + b), a))
    @Test func asInNumPy() throws {
        let expected = [
            (0.5685920578, 7.400722022), (-0.6193198057, -2.772220634), (1.798793363, 2.111613876),
            (3.046295535, 8.773949511), (-2.974459028, 5.604824406), (0.05569562228, 3.907861563),
            (0.03250036112, -2.108912321), (-1.720862571, 3.559815163), (0.9680284192, -4.351687389),
            (2.021012007, 3.366209262),
        ]
        let residuals = try Self.awkward.filtered("x:detrend=550ms").values
        let slopes = try Self.awkward.filtered("x:derivative=550ms").values
        #expect(residuals.count == 12 && slopes.count == 12)
        #expect(residuals[0] == 0 && abs(residuals[1]) < 1e-12 && slopes[0] == 0 && abs(slopes[1] + 2 / 0.07) < 1e-9)
        for (index, (residual, slope)) in expected.enumerated() {
            #expect(abs(residuals[index + 2] - residual) < 1e-8 && abs(slopes[index + 2] - slope) < 1e-8, "\(index)")
        }
    }

    /// A line is removed whole, also after hours; the derivative of t² is late by half the time.
    @Test func linesAndParabolas() throws {
        let line = Series(every: 0.02, (0..<200_000).map { 1e6 + 0.3 * Double($0) })
        let flat = try line.filtered("x:detrend=10s")
        #expect(flat.values.allSatisfy { abs($0) < 1e-6 })
        let parabola = Series(every: 0.01, (0..<3000).map { Double($0) * Double($0) / 10_000 })
        let found = try parabola.filtered("x:derivative=1s")
        for (time, value) in zip(found.times, found.values).dropFirst(200) {
            #expect(abs(value - 2 * (time - 0.5)) < 1e-6)
        }
        let difference = try parabola.filtered("x:derivative=0")
        for (time, value) in zip(difference.times, difference.values).dropFirst() {
            #expect(abs(value - 2 * (time - 0.005)) < 1e-6)
        }
    }

    // MARK: Refusals

    @Test(arguments: [
        ("x:lowpass=125,rate=250", "x:lowpass: filter: 125 Hz is not below half the rate of 250 samples a second"),
        ("x:notch=60,rate=100", "60 Hz is not below half the rate of 100 samples a second"),
        ("x:highpass=0.0001,rate=1000", "0.0001 Hz is below a millionth of the rate"),
        ("x:bandpass=5..5", "the frequencies are the same"), ("x:bandpass=0..40", "out of range"),
        ("x:bandpass=40", "two numbers"), ("x:lowpass=0", "out of range"), ("x:lowpass=40,order=9", "out of range"),
        ("x:lowpass=40,order=2.5", "a whole number"), ("x:notch=50,q=0", "out of range"),
        ("x:detrend=0", "out of range"),
        ("x:lowpas=40", "did you mean 'lowpass'?"), ("x:peaks=200ms,rate=25", "15 Hz is not below half the rate"),
        ("x:peaks=1ms", "out of range"), ("x:resample=0", "out of range"), ("x:above=1,hysteresis=-1", "out of range"),
    ]) func refusesInOneLine(text: String, words: String) {
        #expect {
            _ = try SensorFilterChain([SensorFilter(parsing: text)])
        } throws: {
            guard let error = $0 as? MediaError else { return false }
            return error.kind == .parameter && "\(error)".contains(words) && !"\(error)".contains("\n")
        }
    }

    /// The rate is known when it was measured.
    @Test(arguments: [
        ("x:lowpass=40", 50.0, "x:lowpass, stream s: filter: 40 Hz is not below half the rate of 50 samples a second"),
        ("x:peaks=200ms", 25, "x:peaks: filter: 15 Hz is not below half the rate of 25"),
        ("x:resample=0.1", 100_000, "0.1 samples a second are less than one for 100000 of 's'"),
        ("x:resample=10000", 1, "x:resample: filter: 10000 samples a second are more than 1000 for each"),
    ]) func refusesTheRateInOneLine(filter: String, rate: Double, words: String) {
        #expect {
            _ = try Series(every: 1 / rate, [Double](repeating: 0, count: 100)).filtered(filter)
        } throws: {
            guard let error = $0 as? MediaError else { return false }
            return error.kind == .parameter && "\(error)".contains(words) && !"\(error)".contains("\n")
        }
    }
}
