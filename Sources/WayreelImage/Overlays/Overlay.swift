public import WayreelCore

/// Something drawn over a picture after its filters: a picture or a text.
public enum Overlay: Hashable, Sendable {
    case image(ImageOverlay)
    case text(TextOverlay)
}

/// How the colours of an overlay and of the picture below it are mixed (W3C Compositing and Blending Level 1, section 5).
public enum BlendMode: String, Sendable, Codable, CaseIterable {
    case normal, multiply, screen, overlay
    case softLight = "soft-light"
}

/// How large an overlay is drawn.
public enum OverlayScale: Hashable, Sendable {
    /// Times its own size in pixels.
    case factor(Double)
    /// As a share of the width of the picture it is drawn on, 0 to 1; height in proportion.
    case widthShare(Double)
}

/// A picture drawn over a picture.
public struct ImageOverlay: Hashable, Sendable, Codable {
    public var path: String
    public var gravity: Gravity
    /// The distance from the edges that `gravity` keeps to, inwards; from the centre rightwards and downwards.
    public var x: Length
    public var y: Length
    public var scale: OverlayScale
    /// 0 to 1, on top of its own alpha.
    public var opacity: Double
    public var blend: BlendMode
    /// Repeats the overlay over the whole picture, from the place that gravity and offset give.
    public var tile: Bool

    public init(
        path: String, gravity: Gravity = .center, x: Length = .pixels(0), y: Length = .pixels(0),
        scale: OverlayScale = .factor(1), opacity: Double = 1, blend: BlendMode = .normal, tile: Bool = false
    ) {
        self.path = path
        self.gravity = gravity
        self.x = x
        self.y = y
        self.scale = scale
        self.opacity = opacity
        self.blend = blend
        self.tile = tile
    }
}

/// A text drawn over a picture.
public struct TextOverlay: Hashable, Sendable, Codable {
    public enum Alignment: String, Sendable, Codable, CaseIterable {
        /// Start and end follow the direction of each paragraph, left and right do not.
        case start, center, end, justify, left, right
    }

    /// A line around the letters.
    public struct Outline: Hashable, Sendable, Codable {
        public var color: RGBColor
        /// What is seen of it outside the letters.
        public var width: Length

        public init(color: RGBColor, width: Length) {
            self.color = color
            self.width = width
        }
    }

    /// A soft copy of the letters below them.
    public struct Shadow: Hashable, Sendable, Codable {
        /// Just enough for white letters to stand off from a bright sky.
        public static let soft = Shadow(
            color: RGBColor(red: 0, green: 0, blue: 0, alpha: 0.8), x: .pixels(0), y: .percent(0.25),
            blur: .percent(0.6))

        public var color: RGBColor
        /// Rightwards and downwards on the picture, also where the text is turned.
        public var x: Length
        public var y: Length
        /// The standard deviation of its blur.
        public var blur: Length

        public init(color: RGBColor, x: Length, y: Length, blur: Length) {
            self.color = color
            self.x = x
            self.y = y
            self.blur = blur
        }
    }

    /// A filled rectangle behind the letters.
    public struct Box: Hashable, Sendable, Codable {
        public var color: RGBColor
        public var padding: Length
        /// The radius of its corners.
        public var radius: Length

        public init(color: RGBColor, padding: Length, radius: Length = .pixels(0)) {
            self.color = color
            self.padding = padding
            self.radius = radius
        }
    }

    public var text: String
    /// A Pango font family list with style words, without a size: `DejaVu Serif Bold Italic`.
    public var font: String
    /// The font's em.
    public var size: Length
    public var color: RGBColor
    public var gravity: Gravity
    /// The distance from the edges that `gravity` keeps to; where it keeps to the middle, only the width of lines depends on it.
    public var marginX: Length
    public var marginY: Length
    /// Lines are broken to this width, which the text then takes up whatever its lines leave free. By default lines reach
    /// from margin to margin and the text is as wide as its widest line.
    public var width: Length?
    /// Of the lines among each other; nil: as the gravity has it.
    public var alignment: Alignment?
    public var outline: Outline?
    public var shadow: Shadow?
    public var box: Box?
    /// In degrees, clockwise, about the text's own centre. Gravity and margins place the text as it is turned.
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
