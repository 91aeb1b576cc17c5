/// The scaling of an image to a screen.
public enum Fit: String, Sendable, Codable, CaseIterable {
    /// Fills the screen and crops the excess.
    case cover
    /// Shows the whole image inside the screen.
    case contain
    /// Matches the width of the screen; the height follows.
    case width
    /// Matches the height of the screen; the width follows.
    case height
    /// Shows the whole image, centred on a canvas of the screen's size.
    case pad
    /// Stretches the image to the screen without keeping its aspect ratio.
    case fill
}

/// Alignment within a larger area: of a crop in the source, of an overlay on the image.
public enum Gravity: String, Sendable, Codable, CaseIterable {
    case center
    case north
    case northEast = "north-east"
    case east
    case southEast = "south-east"
    case south
    case southWest = "south-west"
    case west
    case northWest = "north-west"

    /// Horizontal position as a fraction of the free width: 0, 0.5 or 1.
    public var x: Double {
        switch self {
        case .west, .northWest, .southWest: 0
        case .center, .north, .south: 0.5
        case .east, .northEast, .southEast: 1
        }
    }

    /// Vertical position as a fraction of the free height: 0, 0.5 or 1.
    public var y: Double {
        switch self {
        case .north, .northEast, .northWest: 0
        case .center, .east, .west: 0.5
        case .south, .southEast, .southWest: 1
        }
    }
}

/// A length in pixels of the output, or relative to its shorter side.
public enum Length: Hashable, Sendable, CustomStringConvertible {
    case pixels(Double)
    /// Percentage of the shorter side of the image.
    case percent(Double)

    /// Parses `12`, `12px`, `12.5` or `4%`.
    public init?(_ text: some StringProtocol) {
        if text.hasSuffix("%") {
            guard let value = Double(text.dropLast()), value.isFinite else { return nil }
            self = .percent(value)
        } else {
            let digits = text.hasSuffix("px") ? String(text.dropLast(2)) : String(text)
            guard let value = Double(digits), value.isFinite else { return nil }
            self = .pixels(value)
        }
    }

    /// Returns the length in pixels on an image of `size`.
    public func inPixels(on size: PixelSize) -> Double {
        switch self {
        case .pixels(let value): value
        case .percent(let value): value / 100 * Double(size.shorterSide)
        }
    }

    /// `12` or `4%`.
    public var description: String {
        switch self {
        case .pixels(let value): value.shortDescription
        case .percent(let value): value.shortDescription + "%"
        }
    }
}

extension Length: Codable {
    public init(from decoder: any Decoder) throws {
        if let number = try? decoder.singleValueContainer().decode(Double.self), number.isFinite {
            self = .pixels(number)
        } else {
            self = try decoder.value("a length") { Length($0) }
        }
    }

    public func encode(to encoder: any Encoder) throws { try encoder.encode(text: description) }
}

extension Double {
    /// `12` for 12.0, `0.5` for 0.5.
    package var shortDescription: String {
        self == rounded() && magnitude < 1e15 ? String(Int(self)) : String(self)
    }
}
