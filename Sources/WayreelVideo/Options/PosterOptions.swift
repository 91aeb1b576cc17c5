public import WayreelCore
public import WayreelImage

/// The options for choosing and making a poster.
public struct PosterOptions: Hashable, Sendable, Codable {
    /// Seconds on the video's timeline; nil: the most representative frame, neither black nor blurred.
    public var time: Double?
    /// Without a ``time``: the part of the video that the poster is taken from; nil: all of it.
    public var range: TimeRange?
    public var framing: Framing
    public var encoding: Encoding
    public var filters: [Filter]
    public var overlays: [Overlay]
    /// The colour behind a transparent frame.
    public var background: RGBColor
    public var limits: VideoLimits

    public init(
        time: Double? = nil, range: TimeRange? = nil, framing: Framing = Framing(fit: .contain),
        encoding: Encoding = Encoding(), filters: [Filter] = [], overlays: [Overlay] = [],
        background: RGBColor = .black, limits: VideoLimits = .standard
    ) {
        self.time = time
        self.range = range
        self.framing = framing
        self.encoding = encoding
        self.filters = filters
        self.overlays = overlays
        self.background = background
        self.limits = limits
    }
}
