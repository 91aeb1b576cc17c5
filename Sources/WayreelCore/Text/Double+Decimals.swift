internal import Glibc

/// How a number that lies between two decimal texts is rounded.
package enum DecimalRounding {
    /// To nearest by the exact value, half to even, as in `printf`.
    case halfToEven
    /// To nearest by the value multiplied by a power of ten, half away from zero: 0.5 becomes 1.
    case halfAwayFromZero
}

extension Double {
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
        let scale = pow(10, Double(places))
        let product = magnitude * scale
        // Doubles above 2⁵³ are integers; NaN and infinity are written as in Swift.
        guard product < 0x1p53 else { return description }
        let rounded =
            switch rounding {
            case .halfToEven: roundedToEven(product, scale)
            case .halfAwayFromZero: product.rounded()
            }
        let digits = String(Int(rounded), paddedTo: places + 1)
        let text = places == 0 ? digits : digits.dropLast(places) + "." + digits.suffix(places)
        return (self < 0 && rounded > 0 ? minus : "") + text
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
