package import WayreelCore

extension RGBColor {
    /// `#0b66c3` as in SVG and CSS, without alpha.
    package var hexadecimal: String {
        "#" + [red, green, blue].map { UInt8((min(max($0, 0), 1) * 255).rounded()) }.hexadecimal
    }
}
