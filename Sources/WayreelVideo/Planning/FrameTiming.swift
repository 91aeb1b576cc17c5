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

extension FrameTiming {
    /// The maximum frame rate of every phone and of HLS, which is only exceeded on request.
    static let maxRate: Rational = 60
    /// The maximum frame rate that can be requested: that of displays.
    static let maxRequestedRate: Rational = 120
    /// The minimum frame rate that can be requested.
    static let minRequestedRate = 0.01
    /// The minimum average rate that encoders are told.
    private static let slowest = Rational(1, 100) ?? 1
    /// The maximum frame rate of slow-motion cameras; higher ones are damaged timestamps.
    private static let maxSourceRate = 240.0
    /// Frame rates are divided by an integer, which avoids stutter, if the result is at least this share of the
    /// limit.
    private static let minShareOfLimit = 0.8

    /// The minimum frame rate for outputs in which no frame may be shown for long.
    private static let minRate = 4.0
    /// The same if the first frame is off the grid: it must not be moved by much.
    private static let minRateOffGrid = 20.0
    /// The tolerance of a first frame's grid position in seconds: containers round timestamps to milliseconds.
    private static let gridTolerance = 0.002

    /// Creates the timing of a source whose first frame is shown at `start` seconds, with at most `limit` frames a
    /// second.
    init(_ video: VideoProperties, start: Double, limit requested: Rational?) {
        let limit = requested ?? Self.maxRate
        guard video.frameRateMode == .constant, let rate = video.frameRate, rate.value <= Self.maxSourceRate else {
            let isFaster = video.frameRate.map { $0.value > limit.value * 1.02 } ?? false
            let average = video.frameRate.map { rate in
                rate.value > limit.value ? limit : rate.value < Self.slowest.value ? Self.slowest : rate
            }
            self.init(
                grid: nil, cap: requested != nil || isFaster ? limit : nil, averageRate: average,
                timeBase: Rational(1, 90_000) ?? 1)
            return
        }
        guard rate.value > limit.value * 1.001 else {
            self.init(grid: rate, startingAt: start)
            return
        }
        let divisor = Int((rate.value / limit.value * 0.999).rounded(.up))
        let (denominator, isOver) = rate.denominator.multipliedReportingOverflow(by: divisor)
        if !isOver, let part = Rational(rate.numerator, denominator), part.value >= limit.value * Self.minShareOfLimit {
            self.init(grid: part, startingAt: start, cap: part)
        } else {
            self.init(grid: limit, startingAt: start)
        }
    }

    private init(grid: Rational, startingAt start: Double, cap: Rational? = nil) {
        let steps = start * grid.value
        let isOn = abs(steps - steps.rounded()) <= Self.gridTolerance * grid.value
        let isSane = start > 0 && start < 1e9 && !isOn
        self.init(
            grid: grid, offset: isSane ? (steps - steps.rounded(.down)) / grid.value : 0, cap: cap,
            timeBase: grid.inverse)
    }

    /// Returns the timing without frames that are shown for long. HLS requires it, so that segments and keyframes
    /// begin at their scheduled times. Its grid begins at 0, as that of the audio does.
    func filled(limit requested: Rational?) -> FrameTiming {
        var filled = self
        let limit = min(requested?.value ?? .infinity, Self.maxRate.value)
        guard let grid else {
            filled.repeatInterval = 1 / min(max(frameRate.value, Self.minRate), limit)
            return filled
        }
        let maxFactor = max(1, (limit / grid.value * 1.001).rounded(.down))
        let minRate = offset == 0 ? Self.minRate : Self.minRateOffGrid
        filled.offset = 0
        let factor = Int(min((minRate / grid.value).rounded(.up), maxFactor, 1e6))
        let (numerator, isOver) = grid.numerator.multipliedReportingOverflow(by: factor)
        if factor > 1, !isOver, let finer = Rational(numerator, grid.denominator) {
            (filled.grid, filled.timeBase) = (finer, finer.inverse)
        }
        filled.repeatInterval = filled.timeBase.value
        return filled
    }
}

extension Rational {
    var inverse: Rational { Rational(denominator, numerator) ?? 1 }
}

extension TimeRange {
    /// The tolerance in seconds between a start rounded to a few decimals and its frame.
    private static let tolerance = 0.001

    /// Throws a `parameter` error if the range is invalid for any video.
    func check() throws(MediaError) {
        try require(
            (0...1e9).contains(start) && (end.map { $0 > start && $0 <= 1e9 } ?? true),
            "there is nothing \(description)",
            "give \(.rangeStart) and \(.rangeEnd) in seconds or as HH:MM:SS.mmm, the end after the start")
    }

    /// Returns the range from the first frame of `video` at or after its start: video and audio are both cut there.
    /// At a variable frame rate the start is unchanged.
    ///
    /// Throws a `parameter` error if the video, of `seconds`, ends before the start.
    func aligned(to video: StreamChoice.Video?, seconds: Double?) throws(MediaError) -> TimeRange {
        if let seconds, start >= seconds {
            throw MediaError(
                .parameter, step: .plan,
                reason: "it is \(seconds.rounded(to: 3)) s long; there is nothing \(description)",
                advice: "give an earlier \(.rangeStart)")
        }
        guard let video, video.properties.frameRateMode == .constant, let rate = video.properties.frameRate?.value,
            rate > 0, start > video.stream.start
        else { return self }
        let stream = video.stream
        let number = ((start - stream.start - Self.tolerance) * rate).rounded(.up)
        let aligned = TimeRange(start: stream.start + number / rate, end: end)
        // A short range may contain no frame.
        return end.map { $0 > aligned.start } ?? true ? aligned : self
    }
}
