internal import Glibc

extension Double {
    /// The number in decimal notation, rounded to so many places (half to even, by its exact value, as `printf` does), 0 to 9.
    ///
    /// What rounds to zero has no sign.
    package func decimalText(places: Int, minus: String = "\u{2212}") -> String {
        let scale = pow(10, Double(places))
        let product = magnitude * scale
        // Beyond 2⁵³ there are no halves; and what is no number is written as Swift writes it.
        guard product < 0x1p53 else { return description }
        var rounded = product.rounded(.toNearestOrEven)
        // The product may have been rounded to a half: what it has lost decides then.
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
