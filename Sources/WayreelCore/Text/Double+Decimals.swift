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
