/// Formats numbers as xs:decimal of XML Schema, without exponents.
package enum DecimalNumber {
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
