internal import Glibc

/// How a number that lies between two decimal texts is rounded.
package enum DecimalRounding {
    /// To nearest by the exact value, half to even, as in `printf`.
    case halfToEven
    /// To nearest by the value multiplied by a power of ten, half away from zero: 0.5 becomes 1.
    case halfAwayFromZero
}

extension Double {
    /// Rounds to so many decimals, 0 to 22, half away from zero.
    package func rounded(places: Int) -> Double {
        let scale = pow(10, Double(places))
        return (self * scale).rounded() / scale
    }

    /// Rounds to so many significant digits, 1 or more, half away from zero.
    package func rounded(digits: Int) -> Double {
        guard self != 0, isFinite else { return self }
        let places = digits - 1 - Int(log10(magnitude).rounded(.down))
        // A division by a power of ten is exact for more numbers than a multiplication by 0.1.
        let scale = pow(10, Double(abs(places)))
        let rounded = places >= 0 ? (self * scale).rounded() / scale : (self / scale).rounded() * scale
        return rounded.isFinite ? rounded : self
    }

    /// Formats the number with a fixed number of decimal digits, rounded half away from zero.
    package func formatted(_ digits: Int) -> String {
        decimalText(places: digits, rounding: .halfAwayFromZero, minus: "-")
    }

    /// Decimal notation with 0 to 9 decimals.
    ///
    /// A result of zero has no sign.
    package func decimalText(
        places: Int, rounding: DecimalRounding = .halfToEven, minus: String = "\u{2212}"
    ) -> String {
        // NaN and infinity are written as in Swift.
        guard isFinite else { return description }
        let scale = pow(10, Double(places))
        guard magnitude * scale < 0x1p53 else { return (self < 0 ? minus : "") + magnitude.largeText(places, scale) }
        let rounded = scaled(by: scale, rounding)
        let digits = String(Int(rounded), paddedTo: places + 1)
        let text = places == 0 ? digits : digits.dropLast(places) + "." + digits.suffix(places)
        return (self < 0 && rounded > 0 ? minus : "") + text
    }

    /// The text of a positive number that exceeds 2⁵³ once it is multiplied by `scale`.
    private func largeText(_ places: Int, _ scale: Double) -> String {
        // Numbers from 2⁵³ on are integers. Below it, both parts are exact.
        var whole = rounded(.down)
        var decimals = (self - whole).scaled(by: scale, .halfToEven)
        if decimals >= scale { (whole, decimals) = (whole + 1, 0) }
        return DecimalNumber.text(whole) + (places == 0 ? "" : "." + String(Int(decimals), paddedTo: places))
    }

    /// Returns |self| · scale as an integer below 2⁵³.
    private func scaled(by scale: Double, _ rounding: DecimalRounding) -> Double {
        let product = magnitude * scale
        return switch rounding {
        case .halfToEven: roundedToEven(product, scale)
        case .halfAwayFromZero: product.rounded()
        }
    }

    /// Returns |self| · scale, whose nearest number is `product`, rounded half to even.
    private func roundedToEven(_ product: Double, _ scale: Double) -> Double {
        let rounded = product.rounded(.toNearestOrEven)
        // If the product was rounded to a half, its error decides.
        let lost = (-product).addingProduct(magnitude, scale)
        if lost > 0, product - rounded == 0.5 { return rounded + 1 }
        if lost < 0, rounded - product == 0.5 { return rounded - 1 }
        return rounded
    }
}

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

extension Int {
    /// The number of bytes as text, in powers of 1000: `84 kB`, `1.5 MB`.
    package var asSize: String {
        let value = Double(self)
        if value < 1000 { return "\(self) B" }
        if value < 999_500 { return "\((value / 1000).formatted(value < 9950 ? 1 : 0)) kB" }
        if value < 999_500_000 { return "\((value / 1e6).formatted(value < 9_950_000 ? 1 : 0)) MB" }
        return "\((value / 1e9).formatted(1)) GB"
    }
}
