internal import WayreelCore

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
