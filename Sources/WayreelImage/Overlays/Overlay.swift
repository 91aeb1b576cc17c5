public import WayreelCore

/// An image or text drawn over an image after its filters.
public enum Overlay: Hashable, Sendable {
    case image(ImageOverlay)
    case text(TextOverlay)
}

/// The blend mode of an overlay's colours with the image below (W3C Compositing and Blending Level 1, section 5).
public enum BlendMode: String, Sendable, Codable, CaseIterable {
    case normal, multiply, screen, overlay
    case softLight = "soft-light"
}

/// The scale of an image overlay.
public enum OverlayScale: Hashable, Sendable {
    /// Relative to its own size.
    case factor(Double)
    /// Width relative to that of the image below, 0 to 1, keeping the aspect ratio.
    case widthShare(Double)
}

/// An image drawn over an image.
public struct ImageOverlay: Hashable, Sendable {
    public var path: String
    public var gravity: Gravity
    /// Offset from the edges given by `gravity`, inwards; from the centre, rightwards and downwards.
    public var x: Length
    public var y: Length
    public var scale: OverlayScale
    /// Degrees, clockwise, about its centre. Gravity and offsets apply to the rotated overlay.
    public var rotation: Double
    /// 0 to 1, multiplied with its own alpha.
    public var opacity: Double
    public var blend: BlendMode
    /// Repeats the overlay over the whole image, starting at its position.
    public var tile: Bool

    public init(
        path: String, gravity: Gravity = .center, x: Length = .pixels(0), y: Length = .pixels(0),
        scale: OverlayScale = .factor(1), rotation: Double = 0, opacity: Double = 1, blend: BlendMode = .normal,
        tile: Bool = false
    ) {
        self.path = path
        self.gravity = gravity
        self.x = x
        self.y = y
        self.scale = scale
        self.rotation = rotation
        self.opacity = opacity
        self.blend = blend
        self.tile = tile
    }
}

/// Text drawn over an image.
public struct TextOverlay: Hashable, Sendable, Codable {
    public enum Alignment: String, Sendable, Codable, CaseIterable {
        /// Start and end follow the text direction of each paragraph; left and right do not.
        case start, center, end, justify, left, right
    }

    /// An outline around the glyphs.
    public struct Outline: Hashable, Sendable, Codable {
        public var color: RGBColor
        /// Its width outside the glyphs.
        public var width: Length

        public init(color: RGBColor, width: Length) {
            self.color = color
            self.width = width
        }
    }

    /// A blurred copy of the glyphs below them.
    public struct Shadow: Hashable, Sendable, Codable {
        /// A soft shadow that separates white text from a bright sky.
        public static let soft = Shadow(
            color: RGBColor(red: 0, green: 0, blue: 0, alpha: 0.8), x: .pixels(0), y: .percent(0.25),
            blur: .percent(0.6))

        public var color: RGBColor
        /// Rightwards and downwards in the image, even if the text is rotated.
        public var x: Length
        public var y: Length
        /// Standard deviation of the blur.
        public var blur: Length

        public init(color: RGBColor, x: Length, y: Length, blur: Length) {
            self.color = color
            self.x = x
            self.y = y
            self.blur = blur
        }
    }

    /// A filled rectangle behind the text.
    public struct Box: Hashable, Sendable, Codable {
        public var color: RGBColor
        public var padding: Length
        /// Corner radius.
        public var radius: Length

        public init(color: RGBColor, padding: Length, radius: Length = .pixels(0)) {
            self.color = color
            self.padding = padding
            self.radius = radius
        }
    }

    public var text: String
    /// A Pango font family list with style words, without size: `DejaVu Serif Bold Italic`.
    public var font: String
    /// Font size (em).
    public var size: Length
    public var color: RGBColor
    public var gravity: Gravity
    /// Offset from the edges given by `gravity`; for a centred axis, it only limits the width of lines.
    public var marginX: Length
    public var marginY: Length
    /// The width for line breaks, which becomes the width of the text block. By default lines extend from margin to
    /// margin and the block is as wide as its widest line.
    public var width: Length?
    /// Alignment of lines; nil for the gravity's alignment.
    public var alignment: Alignment?
    public var outline: Outline?
    public var shadow: Shadow?
    public var box: Box?
    /// Degrees, clockwise, about the block's centre. Gravity and margins apply to the rotated block.
    public var rotation: Double
    public var opacity: Double
    public var blend: BlendMode

    public init(
        _ text: String, font: String = "DejaVu Sans Bold", size: Length = .percent(6), color: RGBColor = .white,
        gravity: Gravity = .south, marginX: Length = .percent(4), marginY: Length = .percent(4), width: Length? = nil,
        alignment: Alignment? = nil, outline: Outline? = nil, shadow: Shadow? = .soft, box: Box? = nil,
        rotation: Double = 0, opacity: Double = 1, blend: BlendMode = .normal
    ) {
        self.text = text
        self.font = font
        self.size = size
        self.color = color
        self.gravity = gravity
        self.marginX = marginX
        self.marginY = marginY
        self.width = width
        self.alignment = alignment
        self.outline = outline
        self.shadow = shadow
        self.box = box
        self.rotation = rotation
        self.opacity = opacity
        self.blend = blend
    }
}

/// `{"text": {…}}` or `{"image": {…}}`.
extension Overlay: Codable {
    private enum Key: String, CodingKey {
        case image, text
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        if container.contains(.text) {
            self = .text(try container.decode(TextOverlay.self, forKey: .text))
        } else {
            self = .image(try container.decode(ImageOverlay.self, forKey: .image))
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        switch self {
        case .image(let image): try container.encode(image, forKey: .image)
        case .text(let text): try container.encode(text, forKey: .text)
        }
    }
}

/// A number is a factor; a percentage in a string is relative to the image width: `0.5`, `"25%"`.
extension OverlayScale: Codable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let factor = try? container.decode(Double.self) {
            self = .factor(factor)
            return
        }
        guard case .percent(let percent) = Length(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "a scale is 0.5 or \"25%\"")
        }
        self = .widthShare(percent / 100)
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .factor(let factor): try container.encode(factor)
        case .widthShare(let share): try container.encode(Length.percent(share * 100).description)
        }
    }
}

/// A rotation of 0 is omitted, as in the output of earlier versions.
extension ImageOverlay: Codable {
    private enum Key: String, CodingKey {
        case path, gravity, x, y, scale, rotation, opacity, blend, tile
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        self.init(
            path: try container.decode(String.self, forKey: .path),
            gravity: try container.decode(Gravity.self, forKey: .gravity),
            x: try container.decode(Length.self, forKey: .x), y: try container.decode(Length.self, forKey: .y),
            scale: try container.decode(OverlayScale.self, forKey: .scale),
            rotation: try container.decodeIfPresent(Double.self, forKey: .rotation) ?? 0,
            opacity: try container.decode(Double.self, forKey: .opacity),
            blend: try container.decode(BlendMode.self, forKey: .blend),
            tile: try container.decode(Bool.self, forKey: .tile))
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(path, forKey: .path)
        try container.encode(gravity, forKey: .gravity)
        try container.encode(x, forKey: .x)
        try container.encode(y, forKey: .y)
        try container.encode(scale, forKey: .scale)
        if rotation != 0 { try container.encode(rotation, forKey: .rotation) }
        try container.encode(opacity, forKey: .opacity)
        try container.encode(blend, forKey: .blend)
        try container.encode(tile, forKey: .tile)
    }
}

/// Range checks for overlays, which throw `parameter` errors.
enum OverlayChecks {
    /// Max length in pixels; sums of larger values are inexact.
    static let longest = 1_000_000.0

    static func opacity(_ value: Double) throws(MediaError) {
        guard (0...1).contains(value) else { throw fault("opacity", "0 to 1", value.shortDescription) }
    }

    static func color(_ color: RGBColor, _ name: String) throws(MediaError) {
        for component in [color.red, color.green, color.blue, color.alpha] where !(0...1).contains(component) {
            throw fault("a component of \(name)", "0 to 1", component.shortDescription)
        }
    }

    /// Checks that a length is finite and, unless `signed`, not negative.
    static func length(_ length: Length, _ name: String, signed: Bool = false) throws(MediaError) {
        let value =
            switch length {
            case .pixels(let pixels): pixels
            case .percent(let percent): percent
            }
        guard value.isFinite, signed || value >= 0 else {
            throw fault(name, signed ? "a number" : "0 or more", length.description)
        }
    }

    /// Checks blur and outline radii; memory grows with their square.
    static func radius(_ pixels: Double, _ name: String) throws(MediaError) {
        guard pixels <= 500 else { throw fault(name, "at most 500 pixels", pixels.shortDescription) }
    }

    static func fault(_ name: String, _ range: String, _ value: String) -> MediaError {
        MediaError(.parameter, step: .overlay, reason: "\(name) is \(range), not \(value)")
    }
}

extension Length {
    /// Returns the length in pixels on an image of `size`, clamped to the range of coordinates.
    func bounded(on size: PixelSize) -> Double {
        min(max(inPixels(on: size), -OverlayChecks.longest), OverlayChecks.longest)
    }
}
