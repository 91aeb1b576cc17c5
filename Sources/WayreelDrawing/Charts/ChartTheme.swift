package import WayreelCore

/// The colours of a chart.
package struct ChartTheme: Hashable, Sendable {
    package var background: RGBColor
    /// Names and values.
    package var text: RGBColor
    /// Axis labels.
    package var axisText: RGBColor
    /// The baseline of values.
    package var axis: RGBColor
    /// Grid lines.
    package var grid: RGBColor
    /// Colours of series: eight, as many as 7.1 has channels, that differ in hue or lightness with any colour vision;
    /// repeated if there are more series.
    package var series: [RGBColor]
    /// Colours of the streams of sensors: sixteen that differ in hue or lightness with any colour vision, more strongly
    /// among the first ones; repeated if there are more streams.
    package var streams: [RGBColor]
    /// Streams before a filter, behind their filtered lines: a grey of contrast 3 that differs from all of ``streams`` with any
    /// colour vision.
    package var unfiltered: RGBColor
    /// The mark of values that are cut because they exceed the axis.
    package var excess: RGBColor
    /// Bars of the peers.
    package var muted: RGBColor

    package func color(ofSeries index: Int) -> RGBColor { series[index % series.count] }

    package static let light = ChartTheme(
        background: .white, text: hex(0x1B2430), axisText: hex(0x5A6675), axis: hex(0x83909F), grid: hex(0xE6EAEF),
        series: [0x0B66C3, 0xC8500A, 0x0B7A6B, 0xA3278F, 0x6B5D00, 0x3A2E9E, 0x641A0C, 0x26323E].map(hex),
        streams: [
            0x2D87FF, 0x693C00, 0x000087, 0x879600, 0xFF1E96, 0xC3003C, 0x4B2DFF, 0x9687B4,
            0xB400A5, 0x00693C, 0x0F8787, 0xA58769, 0x3C4B69, 0x875A69, 0x002D0F, 0x4B0F3C,
        ].map(hex),
        unfiltered: hex(0x8A94A0),
        excess: hex(0xD6001C), muted: hex(0x8A97A5))

    package static let dark = ChartTheme(
        background: hex(0x10151C), text: hex(0xE9EEF4), axisText: hex(0x9BA8B6), axis: hex(0x667382),
        grid: hex(0x232B35),
        series: [0x56AEF5, 0xF7A145, 0x3FCBAA, 0xE88BCB, 0xE5D550, 0x8274FF, 0xDA5A30, 0xC4F4F0].map(hex),
        streams: [
            0xA5C3FF, 0x00784B, 0xE1F000, 0x694BE1, 0xF087A5, 0x4BB400, 0xF0C387, 0xC32D87,
            0xD2001E, 0xD269FF, 0x4B87B4, 0x00D2C3, 0x969669, 0x967878, 0xD2F0D2, 0xFFE1FF,
        ].map(hex),
        unfiltered: hex(0x606464),
        excess: hex(0xFF5A5A), muted: hex(0x6F7C8B))

    private static func hex(_ value: Int) -> RGBColor {
        let byte = { (shift: Int) in Double(value >> shift & 255) / 255 }
        return RGBColor(red: byte(16), green: byte(8), blue: byte(0))
    }

    /// CSS that switches charts of the light theme to dark if the viewer prefers it.
    ///
    /// Charts only use their theme's colours, with any opacity, so one rule per colour is sufficient and one SVG
    /// supports both themes.
    package static let darkStyleSheet: String = {
        let rules = zip(light.colors, dark.colors).filter { $0 != $1 }.map { light, dark in
            let (from, to) = (light.hexadecimal, dark.hexadecimal)
            return "[fill=\"\(from)\"]{fill:\(to)}[stroke=\"\(from)\"]{stroke:\(to)}"
        }
        return "@media screen and (prefers-color-scheme:dark){\(rules.joined())}"
    }()

    /// All colours, in the same order in every theme.
    var colors: [RGBColor] { [background, text, axisText, axis, grid, muted, excess, unfiltered] + series + streams }
}

extension RGBColor {
    /// Interpolates between this colour (0) and `other` (1).
    package func mixed(with other: RGBColor, share: Double) -> RGBColor {
        func mix(_ a: Double, _ b: Double) -> Double { a + (b - a) * share }
        return RGBColor(
            red: mix(red, other.red), green: mix(green, other.green), blue: mix(blue, other.blue),
            alpha: mix(alpha, other.alpha))
    }

    /// The colour if text in it is legible on `background` (contrast 4.5, WCAG 2.2 level AA), otherwise the nearest
    /// legible mix with `text`.
    package func legible(on background: RGBColor, towards text: RGBColor) -> RGBColor {
        stride(from: 0, to: 1, by: 0.1).lazy.map { mixed(with: text, share: $0) }
            .first { $0.contrast(with: background) >= 4.5 } ?? text
    }

    /// The same colour with another alpha.
    package func withAlpha(_ alpha: Double) -> RGBColor { RGBColor(red: red, green: green, blue: blue, alpha: alpha) }
}
