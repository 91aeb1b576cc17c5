public import WayreelCore

/// The timestamps of the output's frames.
public struct FrameTiming: Hashable, Sendable, Codable {
    /// The constant frame rate that PTS are rounded to; of two frames at one PTS the later is dropped; nil: frames keep their PTS.
    public var grid: Rational?
    /// Seconds from 0 to the first PTS of the grid, less than one frame: a source need not start on the grid.
    public var offset: Double
    /// The maximum frame rate: after each frame, the next one is kept that is due 1 / cap later, or slightly before where PTS jitter.
    public var cap: Rational?
    /// Seconds in a unit of the output's PTS.
    public var timeBase: Rational
    /// A frame that is shown for long is repeated at each multiple of so many seconds, and the first is shown from 0 on; nil:
    /// neither.
    public var repeatInterval: Double?

    public init(
        grid: Rational?, offset: Double = 0, cap: Rational? = nil, timeBase: Rational, repeatInterval: Double? = nil
    ) {
        self.grid = grid
        self.offset = offset
        self.cap = cap
        self.timeBase = timeBase
        self.repeatInterval = repeatInterval
    }
}
