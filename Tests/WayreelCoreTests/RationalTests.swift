import Testing
import WayreelCore

@Suite struct RationalTests {
    @Test(arguments: [
        ("30", 30, 1), ("29.97", 2997, 100), ("30000/1001", 30000, 1001), ("0.5", 1, 2), ("60/2", 30, 1),
        ("999999999", 999_999_999, 1),
    ])
    func parses(text: String, numerator: Int, denominator: Int) throws {
        let rate = try #require(Rational(text))
        #expect(rate.numerator == numerator && rate.denominator == denominator)
        #expect(Rational(rate.description) == rate)
    }

    @Test(arguments: ["", "0", "-1", "1/0", "0/3", "1e3", ".5", "5.", "1/2/3", "1000000000", "nan", "٣", "1 "])
    func rejects(text: String) { #expect(Rational(text) == nil) }
}
