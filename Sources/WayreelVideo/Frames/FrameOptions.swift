public import WayreelCore
public import WayreelImage

/// The frames of a video to read, and how to process them.
public struct FrameOptions: Hashable, Sendable, Codable {
    /// The part of the video whose frames are read: those that begin in it; nil: all.
    public var range: TimeRange?
    public var framing: Framing
    /// The filters, which are applied in order to each frame at its final size.
    public var filters: [Filter]
    /// The overlays, which are drawn in order after the filters.
    public var overlays: [Overlay]
    /// The colour behind a transparent frame.
    public var background: RGBColor
    public var limits: VideoLimits

    public init(
        range: TimeRange? = nil, framing: Framing = Framing(fit: .contain), filters: [Filter] = [],
        overlays: [Overlay] = [], background: RGBColor = .black, limits: VideoLimits = .standard
    ) {
        self.range = range
        self.framing = framing
        self.filters = filters
        self.overlays = overlays
        self.background = background
        self.limits = limits
    }
}
