import TestSupport
import Testing
import WayreelGauge

@Suite struct PowerLawTests {
    static let sizes = [1.0, 2, 4, 8, 16, 32]

    /// Compared with numpy.linalg.lstsq (2.4.6) of the logarithms, and t(0.975, 4) = 2.7764.
    @Test func agreesWithKnownValues() throws {
        let law = try #require(PowerLaw(x: Self.sizes, y: [3.1, 5.7, 13.2, 23.9, 50.1, 93.0]))
        #expect(abs(law.exponent - 0.9942358858216075) < 1e-12)
        #expect(abs(law.coefficient - 3.0726831701535575) < 1e-12)
        #expect(abs(try #require(law.exponentStandardError) - 0.020549546370025807) < 1e-12)
        #expect(abs(law.rSquared - 0.9982941371097525) < 1e-12)
        let interval = try #require(law.exponentInterval)
        #expect(abs(interval.upper - (0.9942358858216075 + 2.7764 * 0.020549546370025807)) < 1e-9)
        #expect(abs(law.cost(of: 10) - 3.0726831701535575 * power(10, 0.9942358858216075)) < 1e-9)
    }

    /// Computed by hand: y = 1, 2, 8 at x = 1, 2, 4 has the logarithms 0, 1, 3 over 0, 1, 2 (base 2), hence a slope of
    /// 3/2, residuals of 1/6, −1/3, 1/6 and a standard error of √(1/6 ÷ 1 ÷ 2); t(0.975, 1) = 12.7062.
    @Test func fitsByLeastSquares() throws {
        let law = try #require(PowerLaw(x: [1, 2, 4], y: [1, 2, 8]))
        #expect(abs(law.exponent - 1.5) < 1e-12 && abs(law.coefficient - power(2, -1.0 / 6)) < 1e-12)
        let interval = try #require(law.exponentInterval)
        #expect(abs(interval.upper - 1.5 - 12.7062 * 0.2886751) < 1e-6)
        #expect(abs(interval.lower - 1.5 + 12.7062 * 0.2886751) < 1e-6)
    }

    @Test(arguments: [-1, 0.5, 1, 2.5])
    func findsAKnownExponent(_ exponent: Double) throws {
        let law = try #require(PowerLaw(x: Self.sizes, y: Self.sizes.map { 7 * power($0, exponent) }))
        #expect(abs(law.exponent - exponent) < 1e-12 && abs(law.coefficient - 7) < 1e-9 && law.rSquared > 0.999999)
    }

    @Test func subtractsWhatTheStartTakes() throws {
        let costs = Self.sizes.map { 50 + 2 * $0 }
        let plain = try #require(PowerLaw(x: Self.sizes, y: costs))
        #expect(plain.exponent < 0.5)
        let law = try #require(PowerLaw(x: Self.sizes, y: costs, offset: 50))
        #expect(abs(law.exponent - 1) < 1e-9 && abs(law.coefficient - 2) < 1e-9)
        #expect(abs(law.cost(of: 100) - 250) < 1e-6)
    }

    @Test func takesWhatHasNoLogarithm() throws {
        #expect(PowerLaw(x: [], y: []) == nil)
        #expect(PowerLaw(x: [2, 2, 2], y: [1, 2, 3]) == nil)
        #expect(PowerLaw(x: [0.1, 0.1, 0.1], y: [0.3, 0.3, 0.3]) == nil)
        #expect(PowerLaw(x: [0, -1, .nan, 4], y: [1, 2, 3, 4]) == nil)
        let law = try #require(PowerLaw(x: [0, 1, 2, 4, .nan, 8, 9], y: [1, 3, 6, 12, 3, -1, .infinity]))
        #expect(law.points == 3 && law.leftOut == 4 && abs(law.exponent - 1) < 1e-12)
        let two = try #require(PowerLaw(x: [1, 2], y: [1, 4]))
        #expect(abs(two.exponent - 2) < 1e-12 && two.exponentStandardError == nil && two.exponentInterval == nil)
    }

    @Test func takesACostThatDoesNotGrow() throws {
        let law = try #require(PowerLaw(x: Self.sizes, y: Self.sizes.map { _ in 0.1 }))
        #expect(law.exponent == 0 && abs(law.coefficient - 0.1) < 1e-15 && law.rSquared == 1)
        #expect(law.exponentStandardError == 0)
        #expect(try JSON.decode(PowerLaw.self, JSON.encode(law)) == law)
    }

    /// For points with normal noise, 95 % of the intervals contain the true exponent, for any number of points.
    @Test(arguments: [4, 10, 60])
    func intervalsHoldWhatTheySay(count: Int) throws {
        var random = SeededRandom(seed: UInt64(count))
        // Normal noise as the sum of twelve uniform numbers.
        let noise = { (0..<12).reduce(-6.0) { sum, _ in sum + Double.random(in: 0...1, using: &random) } * 0.1 }
        let sizes = (1...count).map(Double.init)
        var held = 0
        for _ in 0..<2000 {
            let costs = sizes.map { 3 * power($0, 0.8) * power(2.718281828, noise()) }
            let interval = try #require(PowerLaw(x: sizes, y: costs)?.exponentInterval)
            if interval.lower <= 0.8, interval.upper >= 0.8 { held += 1 }
        }
        #expect((1860...1940).contains(held))
    }

    /// The same with noise like that of benchmarks.
    @Test func intervalHoldsTheTrueExponent() throws {
        var held = 0
        for seed in 0..<400 as Range<UInt64> {
            var runs = NoisyRuns(seed: seed)
            let costs = Self.sizes.map { $0 * runs.run() }
            let interval = try #require(PowerLaw(x: Self.sizes, y: costs)?.exponentInterval)
            if interval.lower <= 1, interval.upper >= 1 { held += 1 }
        }
        #expect((365...395).contains(held))
    }
}
