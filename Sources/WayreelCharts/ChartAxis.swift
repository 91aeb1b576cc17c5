/// A tick of an axis.
package struct ChartTick: Hashable, Sendable {
    /// Position on the axis: 0 at the start (left, bottom), 1 at the end.
    package var share: Double
    package var label: String

    package init(share: Double, label: String) {
        self.share = share
        self.label = label
    }
}

/// The ticks of an axis, chosen for its length, and their unit.
package struct ChartAxis {
    package let unit: String
    package let ticks: [ChartTick]

    package init(unit: String, ticks: [ChartTick]) {
        self.unit = unit
        self.ticks = ticks
    }

    package static let none = ChartAxis(unit: "", ticks: [])

    /// At most `count` times from `range.lowerBound` to `range.upperBound` seconds, none before 0 or after `end`.
    package static func time(_ range: ClosedRange<Double>, end: Double, atMost count: Int) -> ChartAxis {
        let span = range.upperBound - range.lowerBound
        guard span > 0, span.isFinite else { return none }
        let (step, values) = TickSteps.time.ticks(in: range, atMost: count)
        let notation = TimeNotation(end: min(range.upperBound, end), step: step)
        let shown = values.filter { $0 >= 0 && $0 <= end + 1e-9 * span }
        return ChartAxis(
            unit: notation.unit,
            ticks: shown.map { ChartTick(share: ($0 - range.lowerBound) / span, label: notation.text(for: $0)) })
    }
}
