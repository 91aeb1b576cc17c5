internal import Testing
internal import WayreelCore

@Suite struct NumberTextTests {
    struct Rounded: CustomTestStringConvertible {
        var value: Double
        var places: Int
        /// Rounded half to even, as printf does, and half away from zero.
        var even: String
        var away: String

        var testDescription: String { "\(value)" }
    }

    @Test(arguments: [
        Rounded(value: 0.5, places: 0, even: "0", away: "1"), Rounded(value: 2.5, places: 0, even: "2", away: "3"),
        Rounded(value: -0.125, places: 2, even: "-0.12", away: "-0.13"),
        // The double next to 0.045 is below it; multiplied by 100, it is rounded to a half.
        Rounded(value: 0.045, places: 2, even: "0.04", away: "0.05"),
        Rounded(value: -0.04, places: 1, even: "0.0", away: "0.0"),
        Rounded(value: 59.9996, places: 3, even: "60.000", away: "60.000"),
        Rounded(value: .infinity, places: 3, even: "inf", away: "inf"),
    ])
    func roundsAsAsked(_ number: Rounded) {
        #expect(number.value.decimalText(places: number.places, minus: "-") == number.even)
        #expect(number.value.formatted(number.places) == number.away)
    }

    /// Python's `format(value, ".4g")`, with as many digits.
    @Test(
        arguments: [
            (1234.5678, 4, 1235), (0.00123456, 4, 0.001235), (-9.99996, 5, -10), (123_456_789_012_345, 4, 1.235e14),
            (0.1 + 0.2, 10, 0.3), (9.87654321e-16, 3, 9.88e-16), (0, 3, 0),
            (.leastNonzeroMagnitude, 3, .leastNonzeroMagnitude),
        ] as [(Double, Int, Double)])
    func roundsToSignificantDigits(value: Double, digits: Int, expected: Double) {
        #expect(value.rounded(digits: digits) == expected)
    }

    /// Decimal notation, computed with Python: `format(Decimal(repr(value)), "f")`.
    @Test(
        arguments: [
            (1e17, "100000000000000000"), (-1e17, "-100000000000000000"), (1.5e17, "150000000000000000"),
            (1e15, "1000000000000000"), (9_007_199_254_740_992, "9007199254740992"),
            (1.2345678901234568e17, "123456789012345680"), (1e23, "100000000000000000000000"), (1e-5, "0.00001"),
            (-2.5e-7, "-0.00000025"), (9.5367431640625e-07, "0.00000095367431640625"),
            (100_000_000_000_000.5, "100000000000000.5"), (0.1, "0.1"), (-0.0, "0"), (12.5, "12.5"),
        ] as [(Double, String)])
    func decimalNumbersHaveNoExponent(value: Double, text: String) {
        #expect(DecimalNumber.text(value) == text)
        #expect(DecimalNumber.value(text) == value)
    }

    @Test func extremeDecimalNumbersAreReadBack() {
        for value in [Double.greatestFiniteMagnitude, -.greatestFiniteMagnitude, .leastNonzeroMagnitude, 0x1p63] {
            let text = DecimalNumber.text(value)
            #expect(DecimalNumber.value(text) == value && !text.contains("e"), "\(text)")
        }
    }

    /// Python's `format(value, ".3f")`; beyond 2⁵³ the digits after the last significant one are zeros.
    @Test(
        arguments: [
            (10_000_000_000_000.5, 3, "10000000000000.500"), (9_100_000_000_000.002, 3, "9100000000000.002"),
            (-9_100_000_000_000.998, 3, "-9100000000000.998"), (12_345_678_901_234.567, 3, "12345678901234.566"),
            (1e16, 1, "10000000000000000.0"), (123_456_789.123456789, 9, "123456789.123456791"),
            (1e22, 0, "10000000000000000000000"),
            (9_007_199_254_740_991.0, 1, "9007199254740991.0"), (-1e300, 0, "-1" + String(repeating: "0", count: 300)),
        ] as [(Double, Int, String)])
    func largeNumbersHaveNoExponent(value: Double, places: Int, text: String) {
        #expect(value.decimalText(places: places, minus: "-") == text)
        #expect(value.formatted(places) == text)
    }

    @Test func padsWithZeros() {
        #expect(String(7, paddedTo: 3) == "007" && String(1234, paddedTo: 3) == "1234" && String(0, paddedTo: 0) == "0")
        #expect(String(0xAB, paddedTo: 4, radix: 16, uppercase: true) == "00AB")
        #expect([0x00, 0x7F, 0xA0].hexadecimal == "007fa0")
        #expect([UInt8](hexadecimal: "007fA0") == [0x00, 0x7F, 0xA0] && [UInt8](hexadecimal: "") == [])
        #expect(["0", "0g", "１２", "0x"].allSatisfy { [UInt8](hexadecimal: $0) == nil })
        #expect(("\u{AD}" as Unicode.Scalar).codePoint == "U+00AD" && ("🔔" as Unicode.Scalar).codePoint == "U+1F514")
    }

    @Test func trimsAtBothEnds() {
        #expect(" \t a b\n".trimmed() == "a b" && "\n ".trimmed() == "")
        #expect(" \ta ".trimmed { $0 == " " } == "\ta")
    }
}
