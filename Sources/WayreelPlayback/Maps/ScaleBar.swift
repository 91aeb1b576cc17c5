internal import Glibc
internal import WayreelCore

/// A bar of a round length: 1, 2 or 5 times a power of ten.
struct ScaleBar: Hashable {
    /// The length in the bar's unit: 200 for 200 m as well as for 200 ft.
    let amount: Double
    let unit: Unit
    /// The length of the bar in pixels.
    let pixels: Double

    enum Unit {
        case metres, feet

        /// The metres per unit; the international foot is 0.3048 m.
        var metres: Double { self == .metres ? 1 : 0.3048 }
    }

    /// Creates the longest bar that is at most `width` pixels wide at `scale` pixels per metre.
    init(_ unit: Unit, scale: Double, width: Double) {
        let most = width / scale / unit.metres
        let power = pow(10, log10(most).rounded(.down))
        let factor = [5.0, 2, 1].first { $0 * power <= most * (1 + 1e-9) } ?? 1
        self.unit = unit
        amount = factor * power
        pixels = amount * unit.metres * scale
    }

    /// The label: `200 m`, `5 km`, `500 ft`.
    var label: String {
        guard unit == .metres else { return "\(Self.number(amount)) ft" }
        return amount < 1000 ? "\(Self.number(amount)) m" : "\(Self.number(amount / 1000)) km"
    }

    private static func number(_ value: Double) -> String {
        let rounded = (value * 1e6).rounded() / 1e6
        return rounded.shortDescription
    }
}
