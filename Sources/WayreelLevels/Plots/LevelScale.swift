internal import Glibc
internal import WayreelCharts

/// How high a magnitude is drawn.
struct LevelScale {
    static let defaultLower = -60.0
    /// The largest span of automatic limits, in dB.
    private static let automaticSpan = 60.0
    /// What silence is, in dBFS.
    static let floor = LevelUnit.floor

    let kind: LevelsPlot.Scale
    /// dBFS. Of the linear scale: only the upper one counts, 0 being silence.
    let limits: ClosedRange<Double>

    /// 0 for the lower limit and below it, 1 for the upper one and above; `magnitude` is linear.
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

    /// dBFS of a linear magnitude, not below ``floor``.
    static func decibels(_ magnitude: Float) -> Double {
        magnitude > 0 ? max(20 * log10(Double(magnitude)), floor) : floor
    }

    private static func amplitude(_ decibels: Double) -> Double { pow(10, decibels / 20) }

    /// Limits around `magnitudes`, which are linear, and `value`, in dBFS: at round numbers, at least 12 dB apart and, whatever
    /// silence there is, about 60 at most.
    static func automaticLimits(
        for magnitudes: some Sequence<Float>, including value: Double?, tickCount: Int
    ) -> ClosedRange<Double> {
        let heard = magnitudes.lazy.filter { $0 > 0 }.map(decibels).filter { $0 > floor }
        var (quietest, loudest) = (Double.infinity, -Double.infinity)
        for level in heard { (quietest, loudest) = (min(quietest, level), max(loudest, level)) }
        if let value { (quietest, loudest) = (min(quietest, value), max(loudest, value)) }
        guard quietest <= loudest else { return defaultLower...0 }
        let top = (loudest / 12).rounded(.up) * 12
        quietest = min(max(quietest, top - automaticSpan), loudest - 12)
        return TickSteps.decibels.widened(quietest...loudest, atMost: min(tickCount, 7))
    }

    // MARK: Axis

    /// The axis of a lane: dBFS upwards from its bottom or, mirrored, both ways from its middle. At most `count` ticks a way.
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

    /// Silence, and downwards from the upper limit every 6 dB that is far enough from the one before it.
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
