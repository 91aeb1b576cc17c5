/// How an image is made to fit a screen.
public enum Fit: String, Sendable, Codable, CaseIterable {
    /// Fills the screen; what overhangs is cropped.
    case cover
    /// Shows the whole image inside the screen.
    case contain
    /// As wide as the screen, as high as it comes.
    case width
    /// As high as the screen, as wide as it comes.
    case height
    /// Shows the whole image on a canvas of the screen's size.
    case pad
    /// Stretches the image to the screen, whatever its shape.
    case fill
}

/// Which part of a larger area a smaller one keeps to: the crop of a capture, the place of an overlay.
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

    /// The share of the free width that lies to the left: 0, 0.5 or 1.
    public var x: Double {
        switch self {
        case .west, .northWest, .southWest: 0
        case .center, .north, .south: 0.5
        case .east, .northEast, .southEast: 1
        }
    }

    /// The share of the free height that lies above: 0, 0.5 or 1.
    public var y: Double {
        switch self {
        case .north, .northEast, .northWest: 0
        case .center, .east, .west: 0.5
        case .south, .southEast, .southWest: 1
        }
    }
}

/// A length that is either in pixels of the output or relative to its shorter side.
public enum Length: Hashable, Sendable, CustomStringConvertible {
    case pixels(Double)
    /// Percent of the shorter side of the picture that it is applied to.
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

    /// The length in pixels on a picture of `size`.
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
        let container = try decoder.singleValueContainer()
        if let number = try? container.decode(Double.self), number.isFinite {
            self = .pixels(number)
            return
        }
        let text = try container.decode(String.self)
        guard let length = Length(text) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "'\(text)' is no length")
        }
        self = length
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}

extension Double {
    /// `12` for 12.0, `0.5` for 0.5.
    package var shortDescription: String {
        self == rounded() && magnitude < 1e15 ? String(Int(self)) : String(self)
    }
}
