package import WayreelCore

extension RGBColor {
    /// `#0b66c3` as in SVG and CSS, without alpha.
    package var hexadecimal: String {
        let bytes = [red, green, blue].map { Int((min(max($0, 0), 1) * 255).rounded()) }
        return "#" + bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
