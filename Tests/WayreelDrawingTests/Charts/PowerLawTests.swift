import TestSupport
import Testing
import WayreelDrawing

@Suite struct PowerLawTests {
    /// Numbers worked out apart from this code: y = 1, 2, 8 at n = 1, 2, 4 has the logarithms 0, 1, 3 over 0, 1, 2 (base 2),
    /// so a slope of 3/2, misses of 1/6, −1/3, 1/6 and a standard error of √(1/6 ÷ 1 ÷ 2) = 0.2887; t is 12.706.
    @Test func fitsByLeastSquares() throws {
        let law = try #require(PowerLaw(fitting: [(1, 1), (2, 2), (4, 8)]))
        #expect(abs(law.exponent - 1.5) < 1e-12)
        let interval = try #require(law.interval)
        #expect(abs(interval.upperBound - 1.5 - 12.706 * 0.288675) < 1e-4)
        #expect(abs(interval.lowerBound - 1.5 + 12.706 * 0.288675) < 1e-4)
        #expect(abs(law.coefficient - power(2, -1.0 / 6)) < 1e-12)
    }

    /// 95 of 100 intervals hold the truth.
    @Test(arguments: [4, 10, 60])
    func intervalsHoldWhatTheySay(count: Int) throws {
        var random = SeededRandom(seed: UInt64(count))
        // Normal noise as the sum of twelve uniform numbers.
        let noise = { (0..<12).reduce(-6.0) { sum, _ in sum + Double.random(in: 0...1, using: &random) } * 0.1 }
        var held = 0
        for _ in 0..<2000 {
            let points = (1...count).map {
                (size: Double($0), value: 3 * power(Double($0), 0.8) * power(2.718281828, noise()))
            }
            if try #require(PowerLaw(fitting: points)?.interval).contains(0.8) { held += 1 }
        }
        #expect((1860...1940).contains(held))
    }

    @Test func takesTwoSizesAtLeast() {
        #expect(PowerLaw(fitting: []) == nil)
        #expect(PowerLaw(fitting: [(2, 3)]) == nil)
        #expect(PowerLaw(fitting: [(2, 3), (2, 4), (2, 5)]) == nil)
        #expect(PowerLaw(fitting: [(2, 3), (4, 0), (.nan, 1), (3, .infinity), (-1, 2)]) == nil)
        #expect(PowerLaw(fitting: [(1, 3), (2, 6)])?.interval == nil)
    }

    @Test func isWrittenAsPhysicistsDo() {
        #expect(PowerLaw(coefficient: 1, exponent: 1.021, interval: 0.98...1.052).text == "∝ n^1.02 (0.98–1.05)")
        #expect(PowerLaw(coefficient: 1, exponent: -0.5).text == "∝ n^\u{2212}0.50")
    }
}
