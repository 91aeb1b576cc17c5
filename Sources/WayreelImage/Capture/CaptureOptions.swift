public import WayreelCore

/// Everything that decides what becomes of a capture.
public struct CaptureOptions: Hashable, Sendable {
    public var framing: Framing
    /// Shows through where the capture is transparent, and fills what a padded one leaves free. With nil what is transparent
    /// stays so, or becomes black where the format has no alpha, and padding is black.
    public var background: RGBColor?
    /// Applied in order, after the capture was brought to its size.
    public var filters: [Filter]
    /// Drawn in order, after the filters.
    public var overlays: [Overlay]
    public var encoding: Encoding
    public var limits: Limits
    public var tolerance: DamageTolerance
    /// Which one is prepared of a file that holds several images, counted from 1: a TIFF's page, an icon's entry, an animation's
    /// frame as it is shown, a HEIF file's image. nil takes what the file shows by itself: the first, the largest of an icon, the
    /// primary image of HEIF and AVIF.
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
}

extension CaptureOptions {
    /// Throws a `parameter` error for a background that the output cannot show.
    func checkBackground() throws(MediaError) {
        guard let background, background.alpha < 1, encoding.format == .jpeg else { return }
        throw MediaError(
            .parameter, step: "background", reason: "jpeg has no transparency, which the background has",
            advice: "use an opaque colour, or png, webp or avif")
    }
}

/// Settings that are not there have their defaults.
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
    /// Reads a value that may be absent, which then stays as it is.
    func read<Value: Decodable>(_ key: Key, into value: inout Value) throws {
        value = try decodeIfPresent(Value.self, forKey: key) ?? value
    }
}
