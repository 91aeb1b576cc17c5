internal import Glibc
package import WayreelCore
internal import WayreelDrawing

/// Time, memory or other quantities against input size on logarithmic axes, where power laws are straight lines.
package struct ScalingChart: Chart, Hashable {
    /// One quantity; panels share the sizes.
    package struct Panel: Hashable, Sendable {
        package var name: String
        package var measure: ChartMeasure
        package var series: [Series]

        package init(name: String, measure: ChartMeasure, series: [Series]) {
            (self.name, self.measure, self.series) = (name, measure, series)
        }
    }

    package struct Series: Hashable, Sendable {
        package var name: String
        package var points: [Point]
        /// Drawn as a line from the smallest to the largest size.
        package var fit: Fit?

        package init(name: String, points: [Point], fit: Fit? = nil) {
            (self.name, self.points, self.fit) = (name, points, fit)
        }
    }

    /// Both are positive.
    package struct Point: Hashable, Sendable {
        package var size: Double
        package var value: Double

        package init(size: Double, value: Double) { (self.size, self.value) = (size, value) }
    }

    package var title: String
    /// Unit of sizes: `.count("MP")`, `.bytes`.
    package var size: ChartMeasure
    package var panels: [Panel]

    package init(title: String = "", size: ChartMeasure, panels: [Panel]) {
        (self.title, self.size, self.panels) = (title, size, panels)
    }

    /// `time: Wayreel ∝ n^1.02 (0.98–1.05); memory: …`.
    package var summary: String {
        panels.map { panel in
            let series = panel.series.map {
                [$0.name, $0.fit?.text ?? "\($0.points.count) points"].joined(separator: " ")
            }
            return "\(panel.name): \(series.joined(separator: ", "))"
        }.joined(separator: "; ")
    }

    package func check() throws(MediaError) {
        try ChartLimits.check(count: panels.reduce(panels.count) { $0 + $1.series.count }, of: "series")
        for series in panels.lazy.flatMap(\.series) {
            for point in series.points {
                for number in [point.size, point.value] {
                    guard number >= Self.minimum, number <= ChartLimits.magnitude else {
                        throw chartFault(
                            "a logarithmic axis cannot show \(number) of '\(series.name)'", advice: "remove it")
                    }
                }
            }
            guard let fit = series.fit else { continue }
            guard fit.coefficient > 0, fit.coefficient.isFinite, fit.exponent.magnitude <= 100 else {
                throw chartFault("the fit of '\(series.name)' is not a drawable power law")
            }
        }
    }

    /// The smallest number that counts as a measurement.
    private static let minimum = 1e-15

    package func paint(_ drawing: ChartDrawing) throws(MediaError) {
        let head = try ChartHead(title: title, in: drawing.bounds, drawing)
        head.draw(drawing)
        guard let sizes = Self.extremes(panels.flatMap { $0.series.flatMap { $0.points.map(\.size) } }) else {
            return try drawing.drawNote("no points", in: head.rest)
        }
        for (panel, area) in zip(panels, Self.areas(of: head.rest, count: panels.count, em: drawing.em)) {
            try ScalingPanel(panel: panel, size: size, sizes: sizes, area: area, drawing: drawing).draw()
        }
    }

    static func extremes(_ numbers: [Double]) -> ClosedRange<Double>? {
        guard let minimum = numbers.min(), let maximum = numbers.max() else { return nil }
        return minimum...maximum
    }

    /// Side by side if that makes the areas closer to squares.
    private static func areas(of area: Rectangle, count: Int, em: Double) -> [Rectangle] {
        let (across, down) = (area.width / Double(count), area.height / Double(count))
        let isRow = abs(log(across / area.height)) <= abs(log(area.width / down)) || down < 8 * em
        return (0..<count).map { index in
            isRow
                ? Rectangle(x: area.x + Double(index) * across, y: area.y, width: across, height: area.height)
                : Rectangle(x: area.x, y: area.y + Double(index) * down, width: area.width, height: down)
        }
    }
}

/// Draws a panel of a scaling chart.
struct ScalingPanel {
    let panel: ScalingChart.Panel
    let size: ChartMeasure
    /// Smallest and largest size of all panels.
    let sizes: ClosedRange<Double>
    let area: Rectangle
    let drawing: ChartDrawing

    private var theme: ChartTheme { drawing.theme }
    private var radius: Double { drawing.lineWidth * 1.5 + 1 }

    func draw() throws(MediaError) {
        let head = try ChartHead(title: panel.name, legend: legend, in: area, isPart: true, drawing)
        head.draw(drawing)
        let values = panel.series.flatMap { series in series.points.map(\.value) + fitted(series).map(\.value) }
        guard let extremes = ScalingChart.extremes(values) else {
            return try drawing.drawNote("no points", in: head.rest)
        }
        let (across, up) = (LogScale(around: sizes), LogScale(around: extremes))
        let draft = try frame(head.rest, labels: ["0"])
        let count = draft.valueTickCount(laneHeight: draft.plot.height)
        var axis = up.axis(panel.measure, atMost: count)
        if panel.measure.units.count == 1 { axis = axis.withUnitOnLastTick(panel.measure) }
        let frame = try frame(head.rest, labels: axis.ticks.map(\.label))
        // Labels without units need less room.
        let sizeCount = size.units.count == 1 ? Int(frame.plot.width / (2.4 * drawing.em)) : frame.timeTickCount
        try frame.drawAxes(
            values: [axis], time: across.axis(size, atMost: max(sizeCount, 2)), on: drawing.canvas)
        drawAxisLines(frame)
        let position = { (size: Double, value: Double) in
            (
                x: frame.plot.x + across.share(of: size) * frame.plot.width,
                y: frame.plot.maxY - up.share(of: value) * frame.plot.height
            )
        }
        for (index, series) in panel.series.enumerated() {
            let color = theme.color(ofSeries: index)
            drawing.canvas.addLine(fitted(series).map { position($0.size, $0.value) })
            drawing.canvas.stroke(color.withAlpha(0.6), width: max(1, drawing.lineWidth * 0.75))
        }
        for (index, series) in panel.series.enumerated() {
            for point in series.points.map({ position($0.size, $0.value) }) {
                drawing.canvas.add(.ofSeries(index), x: point.x, y: point.y, radius: radius)
            }
            drawing.canvas.stroke(drawing.ground, width: 1, keepingPath: true)
            drawing.canvas.fill(theme.color(ofSeries: index))
        }
    }

    private var legend: [ChartLegend.Entry] {
        panel.series.enumerated().map { index, series in
            ChartLegend.Entry(
                name: series.name, detail: series.fit?.text ?? (series.points.isEmpty ? "no points" : ""),
                key: .mark(.ofSeries(index)), color: theme.color(ofSeries: index))
        }
    }

    /// The ends of the fitted line, if any.
    private func fitted(_ series: ScalingChart.Series) -> [ScalingChart.Point] {
        guard let fit = series.fit, let sizes = ScalingChart.extremes(series.points.map(\.size)) else { return [] }
        let ends = [sizes.lowerBound, sizes.upperBound].map {
            ScalingChart.Point(size: $0, value: fit.value(at: $0))
        }
        return ends.allSatisfy { $0.value >= 1e-18 && $0.value <= 1e21 } ? ends : []
    }

    private func frame(_ area: Rectangle, labels: [String]) throws(MediaError) -> ChartFrame {
        var requests = ChartFrame.Requests()
        requests.hasTopRow = false
        requests.valueLabels = labels
        requests.overhang = radius * 1.35 + 1
        return try ChartFrame(
            size: drawing.image.size, area: area, theme: theme, text: drawing.text, requests: requests)
    }

    private func drawAxisLines(_ frame: ChartFrame) {
        drawing.canvas.addHairline(atY: frame.plot.maxY - 1, across: frame.plot)
        drawing.canvas.addHairline(atX: frame.plot.x, across: frame.plot)
        drawing.canvas.fill(theme.axis)
    }
}

extension ScalingChart {
    /// A fitted power law: value = `coefficient` · size ^ `exponent`, a straight line on logarithmic axes.
    package struct Fit: Hashable, Sendable {
        package var coefficient: Double
        package var exponent: Double
        /// Confidence interval of the exponent; nil for too few points.
        package var interval: ClosedRange<Double>?

        package init(coefficient: Double, exponent: Double, interval: ClosedRange<Double>? = nil) {
            (self.coefficient, self.exponent, self.interval) = (coefficient, exponent, interval)
        }

        func value(at size: Double) -> Double { coefficient * pow(size, exponent) }

        /// `∝ n^1.02 (0.98–1.05)`.
        package var text: String {
            let range = interval.map {
                " (\($0.lowerBound.decimalText(places: 2))–\($0.upperBound.decimalText(places: 2)))"
            }
            return "∝ n^" + exponent.decimalText(places: 2) + (range ?? "")
        }
    }
}
