internal import WayreelCore
internal import WayreelDrawing

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
