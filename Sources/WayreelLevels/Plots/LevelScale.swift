internal import Glibc
internal import WayreelCharts
internal import WayreelCore

/// Maps magnitudes to heights.
struct LevelScale {
    static let defaultLower = -60.0
    /// Max span of automatic limits in dB.
    private static let automaticSpan = 60.0
    /// Level of silence in dBFS.
    static let floor = LevelUnit.floor

    let kind: LevelsPlot.Scale
    /// The limits in dBFS. The linear scale only uses the upper limit; 0 is silence.
    let limits: ClosedRange<Double>

    /// Returns 0 at and below the lower limit, 1 at and above the upper one; `magnitude` is linear.
    func share(of magnitude: Float) -> Double {
        let share =
            switch kind {
            case .linear: Double(magnitude) / Self.amplitude(limits.upperBound)
            case .decibels: share(ofDecibels: Self.decibels(magnitude))
            }
        return min(max(share, 0), 1)
    }

    func share(ofDecibels value: Double) -> Double {
        (value - limits.lowerBound) / (limits.upperBound - limits.lowerBound)
    }

    /// Returns the level of a linear magnitude in dBFS, at least ``floor``.
    static func decibels(_ magnitude: Float) -> Double {
        magnitude > 0 ? max(20 * log10(Double(magnitude)), floor) : floor
    }

    private static func amplitude(_ decibels: Double) -> Double { pow(10, decibels / 20) }

    /// Returns limits around the linear `magnitudes` and `value` in dBFS: round numbers, at least 12 dB apart and,
    /// despite silence, at most about 60 dB.
    static func automaticLimits(
        for magnitudes: some Sequence<Float>, including value: Double?, tickCount: Int
    ) -> ClosedRange<Double> {
        let levels = magnitudes.lazy.filter { $0 > 0 }.map(decibels).filter { $0 > floor }
        var (quietest, loudest) = (Double.infinity, -Double.infinity)
        for level in levels { (quietest, loudest) = (min(quietest, level), max(loudest, level)) }
        if let value { (quietest, loudest) = (min(quietest, value), max(loudest, value)) }
        guard quietest <= loudest else { return defaultLower...0 }
        let top = (loudest / 12).rounded(.up) * 12
        quietest = min(max(quietest, top - automaticSpan), loudest - 12)
        return TickSteps.decibels.widened(quietest...loudest, atMost: min(tickCount, 7))
    }

    // MARK: Axis

    /// Returns the axis of a lane: dBFS upwards from the bottom, or both ways from the middle if mirrored. At most
    /// `count` ticks per direction.
    func axis(isMirrored: Bool, atMost count: Int) -> ChartAxis {
        let ticks = kind == .linear ? linearTicks(atMost: count) : decibelTicks(atMost: count)
        guard isMirrored else { return ChartAxis(unit: "dBFS", ticks: ticks) }
        let both = ticks.flatMap { tick in
            (tick.share == 0 ? [0.5] : [0.5 - tick.share / 2, 0.5 + tick.share / 2]).map {
                ChartTick(share: $0, label: tick.label)
            }
        }
        return ChartAxis(unit: "dBFS", ticks: both)
    }

    private func decibelTicks(atMost count: Int) -> [ChartTick] {
        let (step, values) = TickSteps.decibels.ticks(in: limits, atMost: count)
        let places = TickSteps.places(for: step)
        return values.map { ChartTick(share: share(ofDecibels: $0), label: $0.decimalText(places: places)) }
    }

    /// Returns a tick for silence, and one every 6 dB below the upper limit as long as labels do not overlap.
    private func linearTicks(atMost count: Int) -> [ChartTick] {
        let distance = 1 / Double(count)
        var ticks: [ChartTick] = []
        var level = limits.upperBound
        while true {
            let share = Self.amplitude(level - limits.upperBound)
            guard share >= distance else { break }
            if ticks.last.map({ $0.share - share >= distance }) ?? true {
                ticks.append(ChartTick(share: share, label: level.decimalText(places: TickSteps.places(for: level))))
            }
            level = ((level - 0.1) / 6).rounded(.down) * 6
        }
        return ticks + [ChartTick(share: 0, label: "\u{2212}∞")]
    }
}
