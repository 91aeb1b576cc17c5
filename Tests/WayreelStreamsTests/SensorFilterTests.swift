import Glibc
import TestSupport
import Testing
import WayreelCore
import WayreelEngine
import WayreelStreams

@Suite struct SensorFilterTests {
    private static func chain(_ texts: String...) throws -> SensorFilterChain {
        try SensorFilterChain(try texts.map { try SensorFilter(parsing: $0) })
    }

    // MARK: Comparison with Python

    /// The formulas in Python's standard library; medians and circular means use separate modules.
    private static let reference = """
        import cmath, json, math, statistics, sys
        def turn(a, b, p): return (b - a + p / 2) % p - p / 2
        def circular(xs, p): return cmath.phase(sum(cmath.rect(1, x / p * math.tau) for x in xs)) * p / math.tau
        def run(filter, argument, p, samples):
            out, window, y, last = [], [], None, None
            for t, x in samples:
                if filter == "smooth":
                    if y is None: y, last = x, t
                    elif t > last:
                        w = 1 - math.exp(-(t - last) / argument)
                        y, last = y + w * (turn(y, x, p) if p else x - y), t
                    out.append(y)
                    continue
                window = (window + [x])[-int(argument):]
                if filter == "mean": out.append(circular(window, p) if p else statistics.fmean(window))
                elif p:
                    m = circular(window, p)
                    out.append(m + statistics.median(turn(m, x, p) for x in window))
                else: out.append(statistics.median(window))
            return out
        for line in sys.stdin: print(json.dumps(run(*json.loads(line))))
        """

    /// Returns irregular times, gaps, repeated times and times that go backwards; values jump and wrap at 360.
    private static func awkward(_ count: Int, period: Double, seed: UInt64) -> [(time: Double, value: Double)] {
        var random = SeededRandom(seed: seed)
        var (time, value) = (1000.0, 350.0)
        return (0..<count).map { _ in
            switch Int.random(in: 0..<10, using: &random) {
            case 0: break
            case 1: time -= 0.05
            case 2: time += 30
            default: time += Double(Int.random(in: 1...20, using: &random)) / 100
            }
            value += .random(in: -40...50, using: &random)
            if period > 0 { value = value.truncatingRemainder(dividingBy: period) }
            if period > 0, value < 0 { value += period }
            time = (time * 1e6).rounded() / 1e6
            return (time, value)
        }
    }

    @Test(arguments: [
        ("x:smooth=0.5s", "smooth", 0.5, 0.0), ("x:smooth=120ms", "smooth", 0.12, 0),
        ("degrees:smooth=0.5s", "smooth", 0.5, 360), ("x:smooth=2,wrap=100", "smooth", 2, 100),
        ("x:mean=5", "mean", 5, 0), ("degrees:mean=4", "mean", 4, 360), ("x:median=5", "median", 5, 0),
        ("x:median=4", "median", 4, 0), ("degrees:median=5", "median", 5, 360), ("degrees:median=6", "median", 6, 360),
    ]) func asInPython(text: String, filter: String, argument: Double, period: Double) throws {
        let samples = Self.awkward(2000, period: period, seed: 5)
        var reference = Command("/usr/bin/env", ["python3", "-c", Self.reference])
        let pairs = samples.map { "[\($0.time), \($0.value)]" }.joined(separator: ",")
        reference.input = Array("[\"\(filter)\", \(argument), \(period), [\(pairs)]]\n".utf8)
        let outcome = try reference.run()
        let expected = outcome.text.split { "[], \n".contains($0) }.compactMap { Double($0) }
        try #require(expected.count == samples.count, "\(outcome.errors)")

        var chain = try Self.chain(text)
        let component = String(text.prefix { $0 != ":" })
        for (index, (time, value)) in samples.enumerated() {
            let filtered = try #require(try chain.apply(try sample(time, "s", [component: value])))
            let found = try #require(filtered.values[component])
            var difference = abs(found - expected[index])
            if period > 0 {
                #expect((0..<period).contains(found))
                difference = difference.truncatingRemainder(dividingBy: period)
                difference = min(difference, period - difference)
            }
            #expect(difference < 1e-6, "\(index): \(found) instead of \(expected[index])")
        }
    }

    // MARK: By formulas

    /// Windows that fill, turn over and hold equal values, by sorting each of them.
    @Test(arguments: [1, 2, 3, 64, 999], [0.0, 360]) func medians(count: Int, period: Double) throws {
        var random = SeededRandom(seed: UInt64(count))
        let name = period > 0 ? "degrees" : "x"
        var chain = try Self.chain("\(name):median=\(count)")
        var window: [Double] = []
        for index in 0..<(count + 500) {
            // Also values of other turns, and some that come often.
            let value = Double(Int.random(in: -800...800, using: &random)) / (index % 3 == 0 ? 8 : 1)
            window = Array((window + [value]).suffix(count))
            let found = try #require(try chain.apply(try sample(Double(index), "s", [name: value]))?.values[name])
            guard period > 0 else {
                #expect(found == Self.median(window))
                continue
            }
            let angles = window.map { $0 * .pi / 180 }
            let (x, y) = (angles.reduce(0) { $0 + cos($1) }, angles.reduce(0) { $0 + sin($1) })
            // Where the vectors nearly cancel out, the mean is that of rounding.
            guard hypot(x, y) > 1e-3 else { continue }
            let mean = atan2(y, x) * 180 / .pi
            let turns = window.map { remainder($0 - mean, 360) }
            // A value opposite of the mean turns either way.
            guard turns.allSatisfy({ 180 - abs($0) > 1e-6 }) else { continue }
            #expect(abs(remainder(found - mean - Self.median(turns), 360)) < 1e-6, "\(index)")
        }
    }

    private static func median(_ values: [Double]) -> Double {
        let sorted = values.sorted()
        return (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
    }

    /// A step: 1 − 1/e of it has arrived after the time constant, at any rate.
    @Test(arguments: [1, 7, 100, 997]) func theTimeConstant(samples: Int) throws {
        var chain = try Self.chain("x:smooth=0.5s")
        _ = try chain.apply(try sample(0, "s", ["x": 0]))
        var last: Double?
        for index in 1...samples {
            last = try chain.apply(try sample(0.5 * Double(index) / Double(samples), "s", ["x": 1]))?.values["x"]
        }
        #expect(abs(try #require(last) - (1 - exp(-1))) < 2e-6)
    }

    /// Jitter around north stays around north.
    @Test(arguments: ["heading:smooth=0.5s", "heading:mean=5", "heading:median=5"])
    func headingsAboutNorth(filter: String) throws {
        var chain = try Self.chain(filter)
        for index in 0..<100 {
            let filtered = try chain.apply(
                try sample(Double(index) / 10, "heading", ["degrees": index % 2 == 0 ? 359 : 1, "accuracy": 5]))
            let degrees = try #require(filtered?.values["degrees"])
            #expect(degrees <= 1.000001 || degrees >= 358.999999)
            #expect((0..<360).contains(degrees))
            #expect(filtered?.values["accuracy"] == 5)
        }
    }

    /// The antimeridian: from 179.9° to -179.9° is 0.2°.
    @Test func longitudes() throws {
        var chain = try Self.chain("position:mean=2")
        _ = try chain.apply(try sample(0, "position", ["latitude": 0, "longitude": 179.9]))
        let mean = try chain.apply(try sample(1, "position", ["latitude": 2, "longitude": -179.8]))
        #expect(abs(try #require(mean?.values["longitude"]) + 179.95) < 1e-9)
        #expect(mean?.values["latitude"] == 1)
    }

    @Test(arguments: [
        ("accuracy:max=50", [10, 50]), ("position.accuracy:min=50", [50, 50.1, 1000]),
        ("accuracy:range=20..60", [50, 50.1]),
        ("accuracy:clamp=20..60", [20, 50, 50.1, 60]), ("heading.accuracy:max=50", [10, 50, 50.1, 1000]),
        ("position:max=50", [10, 50, 50.1, 1000]),
    ]) func limits(text: String, kept: [Double]) throws {
        var chain = try Self.chain(text)
        let found = try [10, 50, 50.1, 1000].compactMap {
            try chain.apply(try sample(0, "position", ["latitude": 1, "accuracy": $0]))?.values["accuracy"]
        }
        #expect(found == kept)
    }

    /// A dropped sample does not reach the following filters.
    @Test func filtersAreAppliedInOrder() throws {
        var chain = try Self.chain("x:max=10", "x:mean=2")
        let found = try [1.0, 100, 3].map { try chain.apply(try sample(0, "s", ["x": $0]))?.values["x"] }
        #expect(found == [1, nil, 2])
    }

    @Test(arguments: [Double.nan, .infinity, -.infinity]) func noNumbersAreDropped(value: Double) throws {
        var chain = try Self.chain("x:smooth=1s", "x:mean=3", "x:median=3")
        _ = try chain.apply(try sample(0, "s", ["x": 1]))
        #expect(try chain.apply(try sample(1, "s", ["x": value])) == nil)
        #expect(try chain.apply(try sample(2, "s", ["x": 1]))?.values["x"] == 1)
    }

    @Test func streamsDoNotMix() throws {
        var chain = try Self.chain("x:mean=10")
        _ = try chain.apply(try sample(0, "a", ["x": 0]))
        #expect(try chain.apply(try sample(0, "b", ["x": 8]))?.values["x"] == 8)
    }

    // MARK: Gyroscope and compass

    /// A walker who turns, a compass with a jitter of `jitter` and an error of `offset`, and a gyroscope that drifts.
    private struct Turning {
        var jitter: (Int) -> Double = { _ in 0 }
        /// Degrees per second.
        var drift = 0.0
        var filter = "heading:gyro=rotation.z"

        /// Returns each heading of the filter with the true one; the compass has 10 samples per second, the gyroscope
        /// 100.
        func run(seconds: Int) throws -> [(time: Double, found: Double, truth: Double)] {
            var chain = try SensorFilterChain([SensorFilter(parsing: filter)])
            var found: [(Double, Double, Double)] = []
            for index in 0..<seconds * 100 {
                let time = Double(index) / 100
                // Turns by 350° + 40·sin: the rate is its derivative, in radians, counter-clockwise.
                let truth = (350 + 40 * sin(time)).asCompassDegrees
                let rate = -(40 * cos(time) + drift) * .pi / 180
                _ = try chain.apply(try sample(time, "rotation", ["z": rate]))
                guard index % 10 == 0 else { continue }
                let compass = (truth + jitter(index)).asCompassDegrees
                let heading = try chain.apply(try sample(time, "heading", ["degrees": compass, "accuracy": 4]))
                found.append((time, heading?.values["degrees"] ?? .nan, truth))
                #expect(heading?.values["accuracy"] == 4)
            }
            return found
        }
    }

    /// Jitter of ±4° leaves less than a degree, although the walker keeps turning across north.
    @Test func theGyroscopeRemovesJitter() throws {
        let run = try Turning(jitter: { $0 / 10 % 2 == 0 ? 4 : -4 }).run(seconds: 60)
        // From the first recalibration on: the first heading has the error of the compass.
        for (time, found, truth) in run where time > 2.5 { #expect(abs((found - truth).asTurn) < 1, "\(time)") }
        #expect(abs((run[0].found - run[0].truth).asTurn - 4) < 1e-9)
    }

    /// A drift of 1° per second is corrected every 2 s, so that it never exceeds 3°: two of drift and the mean of their
    /// interval.
    @Test func theCompassRemovesDrift() throws {
        for (time, found, truth) in try Turning(drift: 1).run(seconds: 60) {
            #expect(abs((found - truth).asTurn) < 3.3, "\(time)")
        }
    }

    /// While iron nearby disturbs the compass, only the gyroscope is used.
    @Test func anUnstableCompassIsIgnored() throws {
        let run = try Turning(jitter: { (2000...4000).contains($0) ? ($0 / 10 % 3 == 0 ? 90 : 0) : 0 }).run(seconds: 60)
        for (time, found, truth) in run { #expect(abs((found - truth).asTurn) < 1, "\(time)") }
        // This does not hold if every compass reading counts as stable.
        let trusting = try Turning(
            jitter: { (2000...4000).contains($0) ? ($0 / 10 % 3 == 0 ? 90 : 0) : 0 },
            filter: "heading:gyro=rotation.z,stable=90"
        ).run(seconds: 60)
        #expect(trusting.contains { abs(($0.found - $0.truth).asTurn) > 20 })
    }

    @Test func withoutAGyroscopeItIsTheCompass() throws {
        var chain = try Self.chain("heading:gyro=rotation.z")
        for (time, degrees) in [(0.0, 10.0), (1, 200), (2, 359)] {
            let found = try chain.apply(try sample(time, "heading", ["degrees": degrees]))
            #expect(found?.values["degrees"] == degrees)
        }
        // The gyroscope appears, and is lost for three seconds.
        _ = try chain.apply(try sample(3, "rotation", ["z": 0]))
        _ = try chain.apply(try sample(3, "heading", ["degrees": 90]))
        #expect(try chain.apply(try sample(3.5, "heading", ["degrees": 95]))?.values["degrees"] == 90)
        #expect(try chain.apply(try sample(6, "heading", ["degrees": 120]))?.values["degrees"] == 120)
    }

    // MARK: The table

    @Test(arguments: [
        ("heading", "has no ':'"), ("heading:", "is not a key with a value"),
        ("heading:smooth", "is not a key with a value"),
        ("a.b.c:max=1", "is neither a stream"), (":max=1", "is neither a stream"),
        ("x:smoth=1", "did you mean 'smooth'?"),
        ("x:smooth=0", "out of range"), ("x:smooth=1h", "cannot be '1h'"), ("x:mean=1.5", "a whole number"),
        ("x:mean=0", "out of range"), ("x:range=5", "two numbers"), ("x:range=5..1", "the lower first"),
        ("x:max=nan", "cannot be 'nan'"), ("x:max=1\0", "cannot be"),
        ("x:range=0..1\0", "cannot be"), ("x:max=1,max=2", "given twice"),
        ("x:max=1,mean=2", "has no parameter 'mean'"),
        ("x:gyro=rotation", "a component of a stream"), ("x:smooth=1s,wrap=-1", "out of range"),
    ]) func refusesInOneLine(text: String, words: String) {
        #expect {
            _ = try Self.chain(text)
        } throws: {
            guard let error = $0 as? MediaError else { return false }
            return error.kind == .parameter && "\(error)".contains(words) && !"\(error)".contains("\n")
        }
    }

    @Test(arguments: SensorFilterCatalog.all.map(\.example)) func examplesAreFilters(example: String) throws {
        _ = try Self.chain(example)
    }
}

extension SensorFilterChain {
    /// Returns what comes of a sample for filters that give one sample for each, or none.
    fileprivate mutating func apply(_ sample: SensorSample) throws -> SensorSample? {
        var output: [SensorSample] = []
        try apply(sample, to: &output)
        #expect(output.count < 2)
        return output.first
    }
}

private func sample(_ seconds: Double, _ stream: String = "s", _ values: SensorSample.Values) throws -> SensorSample {
    SensorSample(try #require(SensorTime(seconds: seconds)), stream: stream, values: values)
}
