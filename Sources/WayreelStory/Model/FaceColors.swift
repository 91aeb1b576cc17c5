internal import Glibc
package import WayreelCore

/// The colours of a house as its page shows them, in light and dark: those that the author chose, or the nearest that can
/// be read.
///
/// Contrasts are those of WCAG 2.2, from 1 to 21: text has 4.5 (success criterion 1.4.3), marks and the edges of buttons
/// have 3 (1.4.11). A colour is corrected by its lightness in OKLCH, whose hue stays the same while lightness changes; in
/// CIELAB a blue that becomes lighter turns purple. Its chroma is reduced where sRGB has no such colour.
public struct FaceColors: Hashable, Sendable, Codable {
    /// The colours on one ground, each `#rrggbb`. The first three are nil without ``Face/color``, the others without
    /// ``Face/accent``.
    public struct Scheme: Hashable, Sendable, Codable {
        /// The ground of the head and of the main buttons, as the author chose it.
        public var color: String?
        /// Text on ``color``: black or white.
        public var text: String?
        /// The edge around ``color`` on the page's ground.
        public var edge: String?
        /// Links on the page's ground.
        public var accent: String?
        /// Marks on the page's ground.
        public var mark: String?
        /// Text on ``mark``: black or white.
        public var markText: String?
    }

    public var light: Scheme
    public var dark: Scheme

    public init(_ face: Face) {
        light = Scheme(face, on: .light)
        dark = Scheme(face, on: .dark)
    }

    /// The contrast of text, and of marks.
    static let (textContrast, markContrast) = (4.5, 3.0)

    /// What a page has behind its texts: plates, and the ground below them. Equal to `Player/styles/tokens.css`.
    package struct Grounds: Sendable {
        package static let light = Grounds(paper: "#ffffff", board: "#edf1ee", isDark: false)
        package static let dark = Grounds(paper: "#141d20", board: "#0b1113", isDark: true)

        package var paper: String
        package var board: String
        var isDark: Bool

        /// The lower contrast of a colour with the two.
        func contrast(of color: RGBColor) -> Double {
            [paper, board].compactMap { RGBColor($0)?.contrast(with: color) }.min() ?? 1
        }
    }

    /// Warns that an accent is not shown as it was chosen: nil if it can be read on the light page. On the dark page
    /// hardly any colour can that can on the light one, so that there it is expected to differ.
    static func warning(ofAccent accent: String) -> String? {
        guard let color = RGBColor(accent) else { return nil }
        let found = Grounds.light.contrast(of: color)
        guard found < textContrast else { return nil }
        let scheme = Scheme(Face(accent: accent), on: .light)
        func named(_ text: String?) -> String {
            guard let text, let color = RGBColor(text) else { return "" }
            return "\(text) (\(Grounds.light.contrast(of: color).contrastDescription))"
        }
        let marks = found < markContrast ? ", marks in \(named(scheme.mark))" : ""
        return "the accent \(accent) has a contrast of \(found.contrastDescription) with the light page, too little to "
            + "be read; links are shown in \(named(scheme.accent))\(marks)"
    }
}

extension FaceColors.Scheme {
    fileprivate init(_ face: Face, on grounds: FaceColors.Grounds) {
        if let color = face.color.flatMap({ RGBColor($0) }) {
            self.color = color.hexadecimal
            text = color.readableText.hexadecimal
            edge = color.corrected(to: FaceColors.markContrast, on: grounds).hexadecimal
        }
        if let accent = face.accent.flatMap({ RGBColor($0) }) {
            self.accent = accent.corrected(to: FaceColors.textContrast, on: grounds).hexadecimal
            let mark = accent.corrected(to: FaceColors.markContrast, on: grounds)
            self.mark = mark.hexadecimal
            markText = mark.readableText.hexadecimal
        }
    }
}

extension RGBColor {
    /// The one of black and white that has the higher contrast with this colour: at least 4.58, the root of 21.
    package var readableText: RGBColor { contrast(with: .black) >= contrast(with: .white) ? .black : .white }

    /// The nearest colour by lightness whose contrast with a page's grounds is at least `ratio`; the colour itself if it
    /// has that.
    fileprivate func corrected(to ratio: Double, on grounds: FaceColors.Grounds) -> RGBColor {
        if grounds.contrast(of: self) >= ratio { return self }
        let color = OKLCH(self)
        // Black on the light page and white on the dark one have the most contrast. What counts are the 8 bits that a
        // browser is given.
        let end = grounds.isDark ? 1.0 : 0
        func candidate(_ lightness: Double) -> RGBColor { color.with(lightness: lightness).eightBits }
        var (low, high) = (0.0, 1.0)
        for _ in 0..<20 {
            let middle = (low + high) / 2
            let tried = candidate(color.lightness + (end - color.lightness) * middle)
            if grounds.contrast(of: tried) >= ratio { high = middle } else { low = middle }
        }
        return candidate(color.lightness + (end - color.lightness) * high)
    }

    private var eightBits: RGBColor { RGBColor(hexadecimal) ?? self }
}

/// A colour by lightness (0 to 1), chroma and hue (CSS Color 4, section 9.2; Björn Ottosson's Oklab).
private struct OKLCH {
    var lightness: Double
    var chroma: Double
    /// In radians.
    var hue: Double

    init(_ color: RGBColor) {
        let (red, green, blue) = (color.red.linearFromSRGB, color.green.linearFromSRGB, color.blue.linearFromSRGB)
        let l = cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue)
        let m = cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue)
        let s = cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue)
        let a = 1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s
        let b = 0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s
        lightness = 0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s
        (chroma, hue) = (hypot(a, b), atan2(b, a))
    }

    /// Returns the sRGB colour of another lightness, with as much of the chroma as sRGB has there.
    func with(lightness: Double) -> RGBColor {
        let whole = Self.color(lightness, chroma, hue)
        if whole.isInside { return whole }
        var (low, high) = (0.0, chroma)
        for _ in 0..<20 {
            let middle = (low + high) / 2
            if Self.color(lightness, middle, hue).isInside { low = middle } else { high = middle }
        }
        return Self.color(lightness, low, hue)
    }

    private static func color(_ lightness: Double, _ chroma: Double, _ hue: Double) -> RGBColor {
        let (a, b) = (chroma * cos(hue), chroma * sin(hue))
        let l = pow(lightness + 0.3963377774 * a + 0.2158037573 * b, 3)
        let m = pow(lightness - 0.1055613458 * a - 0.0638541728 * b, 3)
        let s = pow(lightness - 0.0894841775 * a - 1.2914855480 * b, 3)
        return RGBColor(
            red: (4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s).encodedAsSRGB,
            green: (-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s).encodedAsSRGB,
            blue: (-0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s).encodedAsSRGB)
    }
}

extension RGBColor {
    /// Whether sRGB has the colour, to a half of an 8-bit step.
    fileprivate var isInside: Bool { [red, green, blue].allSatisfy { (-0.002...1.002).contains($0) } }
}

extension Double {
    /// `4.5:1`, rounded down, so that a contrast is never called enough that is not.
    fileprivate var contrastDescription: String { "\(((self * 10).rounded(.down) / 10).shortDescription):1" }
}
