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

    @Test func padsWithZeros() {
        #expect(String(7, paddedTo: 3) == "007" && String(1234, paddedTo: 3) == "1234" && String(0, paddedTo: 0) == "0")
        #expect(String(0xAB, paddedTo: 4, radix: 16, uppercase: true) == "00AB")
        #expect([0x00, 0x7F, 0xA0].hexadecimal == "007fa0")
    }

    @Test func trimsAtBothEnds() {
        #expect(" \t a b\n".trimmed() == "a b" && "\n ".trimmed() == "")
        #expect(" \ta ".trimmed { $0 == " " } == "\ta")
    }
}
