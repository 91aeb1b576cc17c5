public import WayreelCore

/// Options of a capture.
public struct CaptureOptions: Hashable, Sendable {
    public var framing: Framing
    /// Drawn behind transparent parts and as padding. nil keeps transparency, or replaces it by black if the format has
    /// no alpha; padding is black.
    public var background: RGBColor?
    /// Applied in order, after resampling.
    public var filters: [Filter]
    /// Drawn in order, after the filters.
    public var overlays: [Overlay]
    public var encoding: Encoding
    public var limits: Limits
    public var tolerance: DamageTolerance
    /// The image to use in a file with several, from 1: a page of a TIFF, an entry of an icon, a frame of an animation,
    /// an image of a HEIF file. nil selects the default: the first one, the largest of an icon, the primary one of HEIF
    /// and AVIF.
    public var page: Int?

    public init(
        framing: Framing = Framing(), background: RGBColor? = nil, filters: [Filter] = [], overlays: [Overlay] = [],
        encoding: Encoding = Encoding(), limits: Limits = .standard, tolerance: DamageTolerance = .standard,
        page: Int? = nil
    ) {
        self.framing = framing
        self.background = background
        self.filters = filters
        self.overlays = overlays
        self.encoding = encoding
        self.limits = limits
        self.tolerance = tolerance
        self.page = page
    }

    /// Throws a `parameter` error for a background that the output format cannot represent.
    func checkBackground() throws(MediaError) {
        guard let background, background.alpha < 1, encoding.format == .jpeg else { return }
        throw MediaError(
            .parameter, step: .background, reason: "jpeg does not support a transparent background",
            advice: "use an opaque colour, or png, webp or avif")
    }

    /// Combines a recipe with `base`: its filters and overlays come after those of `base`, its output settings take
    /// precedence.
    public init(_ recipe: Recipe, over base: CaptureOptions = CaptureOptions()) {
        self = base
        framing = recipe.output.framing(over: base.framing)
        background = recipe.output.background ?? base.background
        filters += recipe.filters
        overlays += recipe.overlays
        encoding = recipe.output.encoding(over: base.encoding)
    }
}

/// Missing keys keep their defaults.
extension CaptureOptions: Codable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init()
        try container.read(.background, into: &background)
        try container.read(.page, into: &page)
        try container.read(.framing, into: &framing)
        try container.read(.filters, into: &filters)
        try container.read(.overlays, into: &overlays)
        try container.read(.encoding, into: &encoding)
        try container.read(.limits, into: &limits)
        try container.read(.tolerance, into: &tolerance)
    }
}

extension KeyedDecodingContainer {
    /// Decodes an optional key; a missing one keeps the current value.
    func read<Value: Decodable>(_ key: Key, into value: inout Value) throws {
        value = try decodeIfPresent(Value.self, forKey: key) ?? value
    }
}
