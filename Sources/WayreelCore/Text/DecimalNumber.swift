/// Reads and formats numbers as xs:decimal of XML Schema; formatted ones have no exponents.
package enum DecimalNumber {
    /// Parses a decimal number, also with an exponent. Returns nil for infinity, NaN, and other notations.
    package static func value(_ text: some StringProtocol) -> Double? {
        guard text.utf8.allSatisfy({ "0123456789.+-eE".utf8.contains($0) }) else { return nil }
        return Double(text).flatMap { $0.isFinite ? $0 : nil }
    }

    package static func text(_ value: Double) -> String {
        if value == value.rounded(), abs(value) < 1e15 { return String(Int64(value)) }
        let text = String(value)
        guard let e = text.firstIndex(of: "e"), let exponent = Int(text[text.index(after: e)...]) else { return text }
        // Only small fractions have an exponent here: 1.5e-05 is 0.000015.
        let digits = text[..<e].filter(\.isNumber)
        let zeros = String(repeating: "0", count: max(0, -exponent - 1))
        return "\(value < 0 ? "-" : "")0.\(zeros)\(digits)"
    }
}
