public import WayreelCore

/// Everything that decides what becomes of a capture.
public struct CaptureOptions: Hashable, Sendable, Codable {
    public var framing: Framing
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
        framing: Framing = Framing(), filters: [Filter] = [], overlays: [Overlay] = [], encoding: Encoding = Encoding(),
        limits: Limits = .standard, tolerance: DamageTolerance = .standard, page: Int? = nil
    ) {
        self.framing = framing
        self.filters = filters
        self.overlays = overlays
        self.encoding = encoding
        self.limits = limits
        self.tolerance = tolerance
        self.page = page
    }
}
