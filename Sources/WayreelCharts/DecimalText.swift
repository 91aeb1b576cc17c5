internal import Glibc

extension Double {
    /// Decimal notation with 0 to 9 decimals, rounded half to even by the exact value, as in `printf`.
    ///
    /// A result of zero has no sign.
    package func decimalText(places: Int, minus: String = "\u{2212}") -> String {
        let scale = pow(10, Double(places))
        let product = magnitude * scale
        // Doubles above 2⁵³ are integers; NaN and infinity are written as in Swift.
        guard product < 0x1p53 else { return description }
        var rounded = product.rounded(.toNearestOrEven)
        // If the product was rounded to a half, its error decides.
        let lost = magnitude.scaledRest(scale, product)
        if lost > 0, product - rounded == 0.5 { rounded += 1 }
        if lost < 0, rounded - product == 0.5 { rounded -= 1 }
        let digits = String(Int(rounded))
        let padded = String(repeating: "0", count: max(0, places + 1 - digits.utf8.count)) + digits
        let text = places == 0 ? padded : padded.dropLast(places) + "." + padded.suffix(places)
        return (self < 0 && rounded > 0 ? minus : "") + text
    }

    /// self · scale − product, exactly.
    private func scaledRest(_ scale: Double, _ product: Double) -> Double { (-product).addingProduct(self, scale) }
}
