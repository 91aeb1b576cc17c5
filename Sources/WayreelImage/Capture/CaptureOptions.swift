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
    /// Which page of a TIFF file is prepared, counted from 1. Other files have one.
    public var page: Int

    public init(
        framing: Framing = Framing(), filters: [Filter] = [], overlays: [Overlay] = [], encoding: Encoding = Encoding(),
        limits: Limits = .standard, tolerance: DamageTolerance = .standard, page: Int = 1
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
