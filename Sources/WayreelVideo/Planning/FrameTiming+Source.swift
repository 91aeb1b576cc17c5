internal import WayreelCore

extension FrameTiming {
    /// Frames a second that every phone and HLS take at most, unless more are asked for.
    static let most: Rational = 60
    /// Frames a second that can be asked for: what screens show.
    static let mostAsked: Rational = 120
    /// Cameras for slow motion reach it; what claims to be faster has damaged times.
    private static let fastest = 240.0
    /// A rate is brought down to a whole part of it, which does not stutter, where that is this near to what was asked for.
    private static let nearEnough = 0.8

    /// Pictures a second where none is to be shown for long.
    private static let fewest = 4.0
    /// The same where the first does not come when the grid has it: what is moved there, is not by much.
    private static let fewestBesideGrid = 20.0
    /// Seconds that a first picture may be off the grid: containers round times to thousandths.
    private static let onGrid = 0.002

    /// How the pictures of a source, the first of which is shown at `start` seconds, are timed, at most `limit` a second, or as many
    /// as are played everywhere.
    init(_ picture: VideoProperties, start: Double, limit asked: Rational?) {
        let limit = asked ?? Self.most
        guard picture.frameRateMode == .constant, let rate = picture.frameRate, rate.value <= Self.fastest else {
            let isFaster = picture.frameRate.map { $0.value > limit.value * 1.02 } ?? false
            self.init(grid: nil, cap: asked != nil || isFaster ? limit : nil, timeBase: Rational(1, 90_000) ?? 1)
            return
        }
        guard rate.value > limit.value * 1.001 else {
            self.init(grid: rate, startingAt: start)
            return
        }
        let every = Int((rate.value / limit.value * 0.999).rounded(.up))
        let (denominator, isOver) = rate.denominator.multipliedReportingOverflow(by: every)
        if !isOver, let part = Rational(rate.numerator, denominator), part.value >= limit.value * Self.nearEnough {
            self.init(grid: part, startingAt: start, cap: part)
        } else {
            self.init(grid: limit, startingAt: start)
        }
    }

    private init(grid: Rational, startingAt start: Double, cap: Rational? = nil) {
        let places = start * grid.value
        let isOn = abs(places - places.rounded()) <= Self.onGrid * grid.value
        let isSane = start > 0 && start < 1e9 && !isOn
        self.init(
            grid: grid, offset: isSane ? (places - places.rounded(.down)) / grid.value : 0, cap: cap,
            timeBase: grid.inverse)
    }

    /// The same without pictures that are shown for long: segments and key frames can begin where they should, and what comes out
    /// of order ends when the container says so. No more than `limit` a second come of it. Its grid begins with the film, as that of
    /// the sound does.
    func filled(for picture: VideoProperties, limit asked: Rational?) -> FrameTiming {
        var filled = self
        let most = min(asked?.value ?? .infinity, Self.most.value)
        guard let grid else {
            filled.repeatInterval = 1 / min(max(rate(of: picture), Self.fewest), most)
            return filled
        }
        let finest = max(1, (most / grid.value * 1.001).rounded(.down))
        let fewest = offset == 0 ? Self.fewest : Self.fewestBesideGrid
        filled.offset = 0
        let every = Int(min((fewest / grid.value).rounded(.up), finest, 1e6))
        let (numerator, isOver) = grid.numerator.multipliedReportingOverflow(by: every)
        if every > 1, !isOver, let finer = Rational(numerator, grid.denominator) {
            (filled.grid, filled.timeBase) = (finer, finer.inverse)
        }
        filled.repeatInterval = filled.timeBase.value
        return filled
    }

    /// Pictures a second in the output: what its level and its distance of key frames are reckoned from.
    func rate(of picture: VideoProperties) -> Double {
        if let grid { return grid.value }
        return min(picture.frameRate?.value ?? 30, cap?.value ?? Self.most.value)
    }
}

extension Rational {
    var inverse: Rational { Rational(denominator, numerator) ?? 1 }
}
