internal import Glibc

/// A colour in sRGB, encoded (not linear), with straight alpha; every component 0 to 1.
public struct RGBColor: Hashable, Sendable {
    public var red: Double
    public var green: Double
    public var blue: Double
    public var alpha: Double

    public init(red: Double, green: Double, blue: Double, alpha: Double = 1) {
        self.red = red
        self.green = green
        self.blue = blue
        self.alpha = alpha
    }

    /// Parses `#rgb`, `#rgba`, `#rrggbb`, `#rrggbbaa`, `0.6,0.45,0.3`, `0.6,0.45,0.3,0.5`, or a name in
    /// `RGBColor.names`.
    public init?(_ text: some StringProtocol) {
        if let named = Self.names[text.lowercased()] {
            self = named
        } else if text.hasPrefix("#") {
            self.init(hex: text.dropFirst())
        } else {
            let parts = text.split(separator: ",", omittingEmptySubsequences: false).map {
                Double($0.drop { $0 == " " })
            }
            guard (3...4).contains(parts.count) else { return nil }
            let values = parts.compactMap(\.self)
            guard values.count == parts.count, values.allSatisfy({ (0...1).contains($0) }) else { return nil }
            self.init(red: values[0], green: values[1], blue: values[2], alpha: values.count == 4 ? values[3] : 1)
        }
    }

    private init?(hex digits: some StringProtocol) {
        let nibbles = digits.compactMap(\.hexDigitValue)
        guard nibbles.count == digits.count else { return nil }
        let bytes: [Int]
        switch nibbles.count {
        case 3, 4: bytes = nibbles.map { $0 * 17 }
        case 6, 8: bytes = stride(from: 0, to: nibbles.count, by: 2).map { nibbles[$0] * 16 + nibbles[$0 + 1] }
        default: return nil
        }
        let values = bytes.map { Double($0) / 255 }
        self.init(red: values[0], green: values[1], blue: values[2], alpha: values.count == 4 ? values[3] : 1)
    }

    public static let black = RGBColor(red: 0, green: 0, blue: 0)
    public static let white = RGBColor(red: 1, green: 1, blue: 1)
    public static let clear = RGBColor(red: 0, green: 0, blue: 0, alpha: 0)

    /// Colour names: the sixteen of HTML 4 (CSS Color 4, section 6.1), and `transparent`.
    public static let names: [String: RGBColor] = [
        "black": .black, "white": .white, "transparent": .clear,
        "silver": RGBColor(byte: 192, 192, 192), "gray": RGBColor(byte: 128, 128, 128),
        "maroon": RGBColor(byte: 128, 0, 0), "red": RGBColor(byte: 255, 0, 0),
        "purple": RGBColor(byte: 128, 0, 128), "fuchsia": RGBColor(byte: 255, 0, 255),
        "green": RGBColor(byte: 0, 128, 0), "lime": RGBColor(byte: 0, 255, 0),
        "olive": RGBColor(byte: 128, 128, 0), "yellow": RGBColor(byte: 255, 255, 0),
        "navy": RGBColor(byte: 0, 0, 128), "blue": RGBColor(byte: 0, 0, 255),
        "teal": RGBColor(byte: 0, 128, 128), "aqua": RGBColor(byte: 0, 255, 255),
    ]

    private init(byte red: Double, _ green: Double, _ blue: Double) {
        self.init(red: red / 255, green: green / 255, blue: blue / 255)
    }
}

extension RGBColor: Codable, CustomStringConvertible {
    public init(from decoder: any Decoder) throws {
        self = try decoder.value("a colour") { RGBColor($0) }
    }

    public func encode(to encoder: any Encoder) throws { try encoder.encode(text: description) }

    /// `0.6,0.45,0.3`, or `0.6,0.45,0.3,0.5` if it is not opaque.
    public var description: String {
        let components = [red, green, blue] + (alpha == 1 ? [] : [alpha])
        return components.map(\.shortDescription).joined(separator: ",")
    }
}

extension RGBColor {
    /// `#0b66c3` as in SVG and CSS, without alpha.
    package var hexadecimal: String {
        "#" + [red, green, blue].map { UInt8((min(max($0, 0), 1) * 255).rounded()) }.hexadecimal
    }

    /// Relative luminance, 0 for black to 1 for white, ignoring alpha (WCAG 2.2).
    package var relativeLuminance: Double {
        0.2126 * red.linearFromSRGB + 0.7152 * green.linearFromSRGB + 0.0722 * blue.linearFromSRGB
    }

    /// The contrast ratio of two opaque colours, 1 to 21 (WCAG 2.2).
    package func contrast(with other: RGBColor) -> Double {
        let (one, two) = (relativeLuminance, other.relativeLuminance)
        return (max(one, two) + 0.05) / (min(one, two) + 0.05)
    }
}

extension Double {
    /// The linear light of an sRGB-encoded component, 0 to 1 (IEC 61966-2-1).
    package var linearFromSRGB: Double {
        self <= 0.04045 ? self / 12.92 : pow((self + 0.055) / 1.055, 2.4)
    }

    /// The sRGB code for linear light, odd-symmetric below 0 (IEC 61966-2-1).
    package var encodedAsSRGB: Double {
        let size = abs(self)
        let code = size <= 0.0031308 ? size * 12.92 : 1.055 * pow(size, 1 / 2.4) - 0.055
        return self < 0 ? -code : code
    }
}
