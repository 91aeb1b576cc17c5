/// Reads and formats numbers as xs:decimal of XML Schema; formatted ones have no exponents.
package enum DecimalNumber {
    /// Parses a decimal number, also with an exponent. Returns nil for infinity, NaN, and other notations.
    package static func value(_ text: some StringProtocol) -> Double? {
        guard text.utf8.allSatisfy({ "0123456789.+-eE".utf8.contains($0) }) else { return nil }
        return Double(text).flatMap { $0.isFinite ? $0 : nil }
    }

    /// Returns the fewest digits that give back the number, which is finite.
    package static func text(_ value: Double) -> String {
        if value == value.rounded(), abs(value) < 1e15 { return String(Int64(value)) }
        let text = String(value)
        guard let e = text.firstIndex(of: "e"), let exponent = Int(text[text.index(after: e)...]) else {
            return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
        }
        // 1.5e-05 is 0.000015, 1.5e+17 is 150000000000000000: numbers with an exponent are integers or below 1.
        let digits = text[..<e].filter(\.isNumber)
        let sign = value < 0 ? "-" : ""
        let zeros = { String(repeating: "0", count: $0) }
        return exponent < 0
            ? "\(sign)0.\(zeros(-exponent - 1))\(digits)" : sign + digits + zeros(exponent + 1 - digits.count)
    }
}
