internal import Glibc
import Testing
import WayreelCore
import WayreelDrawing

@Suite struct LabelFormatTests {
    /// A word takes the place of the number, as wide as a number would be.
    @Test(arguments: [("%.1f dB", "−∞ dB"), ("%6.1f", "    −∞"), ("%d", "−∞")])
    func aWordCanReplaceTheNumber(format: String, text: String) throws {
        #expect(try LabelFormat(format).text(forWord: "−∞") == text)
    }

    /// Returns the text as formatted by the C library.
    private func printed(_ format: String, _ value: Double) -> String {
        var buffer = [CChar](repeating: 0, count: 400)
        withVaList([value]) { _ = vsnprintf(&buffer, buffer.count, format, $0) }
        return String(cMessage: buffer)
    }

    @Test(arguments: [
        "%f", "%.1f", "%0.1f dB", "%.0f", "%5.1f", "%08.3f", "%.9f", "peak %.2f", "%.1f %%", "%%%.3f%%", "%020.4f",
    ])
    func writesAsPrintfDoes(format: String) throws {
        let parsed = try LabelFormat(format)
        var random = SystemRandomNumberGenerator()
        // Exact halves, near halves, and random numbers.
        let values =
            [
                0, 1, -1, 0.5, 1.5, 2.5, -0.25, 0.15, 0.25, 0.35, 1.005, 2.675, 1e6 + 0.05, -160, 770.6, 99.95, 9.995,
                0.1 + 0.2,
            ]
            + (0..<500).map { _ in (Double.random(in: -200...200, using: &random) * 1000).rounded() / 1000 }
        for value in values {
            let expected = printed(format, value)
            // The only difference is that zero has no sign.
            guard !expected.contains("-0") || expected.contains(where: { ("1"..."9").contains($0) }) else { continue }
            #expect(parsed.text(for: value, minus: "-") == expected, "\(value)")
        }
    }

    @Test(arguments: [(0.04, "0.0"), (-0.04, "0.0"), (-0.06, "\u{2212}0.1"), (-12.345, "\u{2212}12.3")])
    func writesATrueMinusAndNoSignOnZero(value: Double, expected: String) throws {
        #expect(try LabelFormat("%.1f").text(for: value) == expected)
    }

    @Test(arguments: [(-12.6, "-13"), (0.4, "0"), (7, "7")])
    func roundsToWholeNumbers(value: Double, expected: String) throws {
        #expect(try LabelFormat("%d").text(for: value, minus: "-") == expected)
        #expect(try LabelFormat("%05d").text(for: value, minus: "-") == printed("%05.0f", value))
    }

    @Test(arguments: [
        "", "peak", "%", "%s", "%n", "%x", "%.1g", "%ld", "%*f", "%1$f", "%-5f", "%+f", "%.1f %.1f", "%.1", "%%",
        "%.1d",
        "%99f", "%.99f", "%.99999999999999999999f", "line\n%f", String(repeating: "a", count: 100) + "%f",
    ])
    func rejects(format: String) {
        #expect { try LabelFormat(format) } throws: { ($0 as? MediaError)?.kind == .parameter }
    }

    @Test func survivesWhatIsNoLevel() throws {
        for value in [Double.infinity, -.infinity, .nan, 1e300, -1e18, 0x1p53] {
            #expect(!(try LabelFormat("%.3f").text(for: value)).isEmpty)
        }
    }
}
