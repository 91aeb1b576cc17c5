internal import WayreelCharts
internal import WayreelCore
internal import WayreelGauge

extension BenchFigure {
    /// The name, capitalised.
    var title: String { name.prefix(1).uppercased() + name.dropFirst() }

    var chartMeasure: ChartMeasure { self == .memory ? .bytes : .seconds }

    /// A value with its unit: `61.2 ms`, `24.1 MB`.
    package func text(_ value: Double) -> String { chartMeasure.text(value) }

    /// The median as text: `95.3 ms`.
    func median(_ summary: Summary) -> String { chartMeasure.text(summary.median) }

    /// The interval as text: `74.3–118 ms`, or `74.3–118 ms at 75 %` unless its confidence is `unlessConfidence`.
    /// Returns nil for fewer than three runs.
    func interval(_ summary: Summary, unlessConfidence: Double? = nil) -> String? {
        guard let interval = summary.interval else { return nil }
        let upper = chartMeasure.text(interval.upper, besides: interval.upper)
        var lower = chartMeasure.text(interval.lower, besides: interval.upper)
        if let unit = upper.lastIndex(of: " "), lower.hasSuffix(upper[unit...]) {
            lower.removeLast(upper[unit...].count)
        }
        return "\(lower)–\(upper)" + (interval.confidence == unlessConfidence ? "" : " at \(interval.confidenceText)")
    }
}

extension Interval {
    /// The confidence level as text: `75 %`.
    var confidenceText: String { "\((confidence * 100).decimalText(places: 0)) %" }
}
