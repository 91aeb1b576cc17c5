internal import Glibc
internal import WayreelCore
internal import WayreelDrawing

/// Maps magnitudes to heights.
struct LevelScale {
    static let defaultLower = -60.0
    /// Max span of automatic limits in dB.
    private static let automaticSpan = 60.0
    /// Level of silence in dBFS.
    static let floor = LevelUnit.floor
    private static let silence = "\u{2212}∞"

    let kind: LevelsPlot.Scale
    /// The limits in dBFS. The linear scale only uses the upper limit; 0 is silence.
    let limits: ClosedRange<Double>
    /// Whether levels below the automatic lower limit are drawn there, which the axis then says.
    var isCutBelow = false

    /// Whether a linear magnitude exceeds the upper limit, so that it is cut there.
    func isCut(_ magnitude: Float) -> Bool {
        // Allows for the rounding of a limit in decibels.
        Double(magnitude) > Self.amplitude(limits.upperBound) * (1 + 1e-6)
    }

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

    /// Returns limits around the linear `magnitudes` and `value` in dBFS: round numbers, at least 12 dB apart and at
    /// most about 60 dB, which silence is below.
    static func automaticLimits(
        for magnitudes: some Sequence<Float>, including value: Double?, tickCount: Int
    ) -> ClosedRange<Double> {
        var (quietest, loudest) = (Double.infinity, -Double.infinity)
        for level in magnitudes.lazy.map(decibels) {
            quietest = min(quietest, level)
            if level > floor { loudest = max(loudest, level) }
        }
        if let value { (quietest, loudest) = (min(quietest, value), max(loudest, value)) }
        guard quietest <= loudest, loudest > floor else { return defaultLower...0 }
        let top = (loudest / 12).rounded(.up) * 12
        quietest = min(max(quietest, top - automaticSpan), loudest - 12)
        return TickSteps.decibels.widened(quietest...loudest, atMost: min(tickCount, 7))
    }

    // MARK: Axis

    /// Precedes the lower limit if lower levels are drawn there.
    static let atMost = "≤"

    /// Returns the label of a linear magnitude: its level in dBFS, or −∞ for silence.
    static func text(for magnitude: Float, in format: LabelFormat) -> String {
        let level = decibels(magnitude)
        return level > floor ? format.text(for: level) : format.text(forWord: silence)
    }

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
        return values.map { value in
            let label = value.decimalText(places: places)
            let share = share(ofDecibels: value)
            return ChartTick(share: share, label: isCutBelow && share < 1e-9 ? Self.atMost + label : label)
        }
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
        return ticks + [ChartTick(share: 0, label: Self.silence)]
    }
}

struct PlotLane {
    enum Course {
        /// Upwards from the bottom of the lane or, if mirrored, from its middle.
        case up
        /// Downwards from the middle.
        case down
        /// Both ways from the middle.
        case both
    }

    struct Voice {
        let channel: Int
        let course: Course
    }

    let voices: [Voice]
    /// Whether 0 is in the middle.
    let isMirrored: Bool

    /// Returns the lanes for a number of channels. `risesOnly` determines whether unmirrored layouts extend from the
    /// bottom by default.
    static func lanes(_ layout: LevelsPlot.Layout, channelCount: Int, risesOnly: Bool) -> [PlotLane] {
        let course: Course = risesOnly ? .up : .both
        switch layout {
        case .split:
            return (0..<channelCount).map {
                PlotLane(voices: [Voice(channel: $0, course: course)], isMirrored: !risesOnly)
            }
        case .overlaid:
            let voices = (0..<channelCount).map { Voice(channel: $0, course: course) }
            return [PlotLane(voices: voices, isMirrored: !risesOnly)]
        case .mirrored:
            return stride(from: 0, to: channelCount, by: 2).map { first in
                let pair = [Voice(channel: first, course: .up), Voice(channel: first + 1, course: .down)]
                let single = [Voice(channel: first, course: .both)]
                return PlotLane(voices: first + 1 < channelCount ? pair : single, isMirrored: true)
            }
        }
    }
}

/// Vertical positions in a lane in pixels.
struct LaneHeights {
    let top: Double
    let bottom: Double
    /// Position of 0: a whole pixel.
    let zero: Double

    init(_ area: Rectangle, isMirrored: Bool) {
        (top, bottom) = (area.y, area.maxY)
        zero = isMirrored ? area.midY.rounded() : area.maxY
    }

    /// Returns the position of a fraction of the height: −1 at the bottom of a mirrored lane to 1 at the top.
    func y(_ share: Double) -> Double { zero - share * (share < 0 ? bottom - zero : zero - top) }
}
