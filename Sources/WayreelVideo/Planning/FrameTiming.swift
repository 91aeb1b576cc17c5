public import WayreelCore

/// The timestamps of the output's frames.
public struct FrameTiming: Hashable, Sendable, Codable {
    /// The constant frame rate that PTS are rounded to. Of two frames with the same PTS, the later one is dropped.
    /// nil: frames keep their PTS.
    public var grid: Rational?
    /// Seconds from 0 to the first PTS of the grid, less than one frame: a source need not start on the grid.
    public var offset: Double
    /// The maximum frame rate: after each frame, the next one that is kept is at least 1 / cap later, or slightly
    /// less if PTS jitter.
    public var cap: Rational?
    /// The average frame rate at a variable rate; nil: unknown, or the rate is constant.
    public var averageRate: Rational?
    /// The unit of the output's PTS in seconds.
    public var timeBase: Rational
    /// The interval in seconds at whose multiples a frame that is shown for long is repeated; the first frame is then
    /// shown from 0 on. nil: neither.
    public var repeatInterval: Double?

    public init(
        grid: Rational?, offset: Double = 0, cap: Rational? = nil, averageRate: Rational? = nil, timeBase: Rational,
        repeatInterval: Double? = nil
    ) {
        self.grid = grid
        self.offset = offset
        self.cap = cap
        self.averageRate = averageRate
        self.timeBase = timeBase
        self.repeatInterval = repeatInterval
    }

    /// The frame rate of the output, on average, which determines its rate control, level and keyframe distance.
    public var frameRate: Rational {
        grid ?? averageRate ?? [Self.usualRate, cap ?? Self.usualRate].min { $0.value < $1.value } ?? Self.usualRate
    }

    /// The frame rate that is assumed if it is unknown.
    private static let usualRate: Rational = 30
}
