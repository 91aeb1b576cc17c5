internal import WayreelCore

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
