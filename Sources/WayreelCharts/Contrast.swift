internal import Glibc
package import WayreelCore

extension RGBColor {
    /// Relative luminance, 0 to 1, ignoring alpha (WCAG 2.1).
    var luminance: Double {
        func linear(_ value: Double) -> Double { value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4) }
        return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
    }

    /// The contrast ratio of two opaque colours, 1 to 21 (WCAG 2.1).
    func contrast(with other: RGBColor) -> Double {
        let (a, b) = (luminance, other.luminance)
        return (max(a, b) + 0.05) / (min(a, b) + 0.05)
    }

    /// Interpolates between this colour (0) and `other` (1).
    package func mixed(with other: RGBColor, share: Double) -> RGBColor {
        func mix(_ a: Double, _ b: Double) -> Double { a + (b - a) * share }
        return RGBColor(
            red: mix(red, other.red), green: mix(green, other.green), blue: mix(blue, other.blue),
            alpha: mix(alpha, other.alpha))
    }

    /// The colour if text in it is legible on `background` (contrast 4.5, WCAG 2.1 level AA), otherwise the nearest
    /// legible mix with `text`.
    package func legible(on background: RGBColor, towards text: RGBColor) -> RGBColor {
        stride(from: 0, to: 1, by: 0.1).lazy.map { mixed(with: text, share: $0) }
            .first { $0.contrast(with: background) >= 4.5 } ?? text
    }

    /// The same colour with another alpha.
    package func withAlpha(_ alpha: Double) -> RGBColor { RGBColor(red: red, green: green, blue: blue, alpha: alpha) }
}
