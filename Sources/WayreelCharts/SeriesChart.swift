package import WayreelCore
internal import WayreelDrawing

/// Lines over time: memory, CPU, …
package struct SeriesChart: Chart, Hashable {
    /// One line.
    package struct Series: Hashable, Sendable {
        package var name: String
        package var samples: [Sample]
        package var marks: [Mark]

        package init(name: String, samples: [Sample], marks: [Mark] = []) {
            (self.name, self.samples, self.marks) = (name, samples, marks)
        }
    }

    package struct Sample: Hashable, Sendable {
        /// Seconds from the start, not negative and not decreasing.
        package var time: Double
        /// A value that is not finite is missing: the line has a gap.
        package var value: Double

        package init(time: Double, value: Double) { (self.time, self.value) = (time, value) }
    }

    /// A highlighted point: a peak, the end of a step.
    package struct Mark: Hashable, Sendable {
        package var time: Double
        package var value: Double
        /// Dropped if it would overlap another.
        package var text: String

        package init(time: Double, value: Double, text: String) {
            (self.time, self.value, self.text) = (time, value, text)
        }
    }

    package var title: String
    package var measure: ChartMeasure
    package var series: [Series]

    package init(title: String = "", measure: ChartMeasure, series: [Series]) {
        (self.title, self.measure, self.series) = (title, measure, series)
    }

    /// `decode: up to 512 MB over 12.3 s; encode: no samples`.
    package var summary: String {
        series.map { series in
            let measured = series.samples.filter(\.value.isFinite)
            guard let peak = measured.map(\.value).max(), let end = measured.last?.time else {
                return "\(series.name): no samples"
            }
            return "\(series.name): up to \(measure.text(peak)) over \(ChartMeasure.seconds.text(end))"
        }.joined(separator: "; ")
    }

    package func check() throws(MediaError) {
        try ChartLimits.check(count: series.count, of: "series")
        for series in series {
            try ChartLimits.check(times: series.samples.map(\.time), of: series.name)
            for sample in series.samples where sample.value.isFinite {
                try ChartLimits.check(sample.value, of: series.name)
            }
            for mark in series.marks {
                try ChartLimits.check(times: [mark.time], of: series.name)
                try ChartLimits.check(mark.value, of: series.name)
            }
        }
    }

    package func paint(_ drawing: ChartDrawing) throws(MediaError) {
        let head = try ChartHead(title: title, legend: legend(drawing), in: drawing.bounds, drawing)
        let values = series.flatMap { $0.samples.lazy.map(\.value).filter(\.isFinite) + $0.marks.lazy.map(\.value) }
        let end = series.flatMap { $0.samples.lazy.map(\.time) + $0.marks.lazy.map(\.time) }.max() ?? 0
        let scene = try TimeScene(
            area: head.rest, measure: measure, values: (values.min() ?? 0)...(values.max() ?? 0), end: end,
            overhang: drawing.lineWidth / 2, drawing)
        head.draw(drawing)
        guard !values.isEmpty else { return try drawing.drawNote("no samples", in: scene.frame.plot) }
        try scene.drawAxes()
        for (index, series) in series.enumerated() { draw(series, index: index, in: scene) }
        scene.drawBaseline()
        try drawMarks(in: scene)
    }

    private func legend(_ drawing: ChartDrawing) -> [ChartLegend.Entry] {
        // A single line is named by the chart's title.
        guard series.count > 1 || title.isEmpty else { return [] }
        return series.enumerated().map { index, series in
            ChartLegend.Entry(
                name: series.name, detail: series.samples.contains(where: \.value.isFinite) ? "" : "no samples",
                key: .line(dash: dash(of: index, drawing.theme)), color: drawing.theme.color(ofSeries: index))
        }
    }

    private func dash(of index: Int, _ theme: ChartTheme) -> Int {
        PathCanvas.dash(ofSeries: index, colorCount: theme.series.count)
    }

    private func draw(_ series: Series, index: Int, in scene: TimeScene) {
        let canvas = scene.drawing.canvas
        let color = scene.theme.color(ofSeries: index)
        let lines = series.samples.split { !$0.value.isFinite }.map { part in
            part.map { (x: scene.x($0.time), y: scene.y($0.value)) }
        }
        let width = scene.drawing.lineWidth
        for line in lines where line.count > 1 {
            canvas.addLine(PixelColumns.thinned(line), dash: dash(of: index, scene.theme), lineWidth: width)
        }
        canvas.stroke(color, width: width)
        // A sample between gaps is a dot.
        for line in lines where line.count == 1 {
            canvas.circle(centerX: line[0].x, centerY: line[0].y, radius: width)
        }
        canvas.fill(color)
    }

    private func drawMarks(in scene: TimeScene) throws(MediaError) {
        var labels = PositionedLabels(area: scene.frame.plot, drawing: scene.drawing)
        for (index, series) in series.enumerated() {
            for mark in series.marks {
                try labels.drawPoint(
                    x: scene.x(mark.time), y: scene.y(mark.value), text: mark.text,
                    color: scene.theme.color(ofSeries: index))
            }
        }
        try labels.drawTexts()
    }
}
