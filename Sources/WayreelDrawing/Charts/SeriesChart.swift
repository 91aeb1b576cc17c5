package import WayreelCore

/// Lines over time: memory, CPU, …
package struct SeriesChart: Chart, Hashable {
    /// One line.
    package struct Series: Hashable, Sendable {
        package var name: String
        package var samples: [Sample]

        package init(name: String, samples: [Sample]) { (self.name, self.samples) = (name, samples) }
    }

    package struct Sample: Hashable, Sendable {
        /// Seconds from the start, not negative and not decreasing.
        package var time: Double
        /// A value that is not finite is missing: the line has a gap.
        package var value: Double

        package init(time: Double, value: Double) { (self.time, self.value) = (time, value) }
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

    package func height(textSize: Double) -> Int { Int((textSize * 70 / 3).rounded()) }

    /// Max samples of a line, and max lines.
    private static let (maxSamples, maxSeries) = (10_000_000, 1000)

    package func check() throws(MediaError) {
        guard series.count <= Self.maxSeries else {
            throw chartFault("\(series.count) series exceed the limit of \(Self.maxSeries)", "draw fewer")
        }
        for series in series {
            guard series.samples.count <= Self.maxSamples else {
                throw chartFault(
                    "'\(series.name)' has \(series.samples.count) samples; the limit is \(Self.maxSamples)",
                    "draw fewer")
            }
            var last = 0.0
            for sample in series.samples {
                guard sample.time >= last, sample.time <= maxChartMagnitude else {
                    throw chartFault(
                        "the times of '\(series.name)' must rise from 0; they go from \(last) to \(sample.time)",
                        "sort them")
                }
                last = sample.time
                guard !sample.value.isFinite || sample.value.magnitude <= maxChartMagnitude else {
                    throw chartFault("a value of '\(series.name)' is too large: \(sample.value)", "remove it")
                }
            }
        }
    }

    package func paint(_ drawing: ChartDrawing) throws(MediaError) {
        let values = series.flatMap { $0.samples.lazy.map(\.value).filter(\.isFinite) }
        let end = series.compactMap(\.samples.last?.time).max() ?? 0
        var requests = ChartFrame.Requests()
        (requests.title, requests.legend) = (title, legend(drawing))
        requests.hasTopRow = false
        requests.overhang = drawing.lineWidth / 2
        let scene = try TimeScene(
            requests, measure: measure, values: (values.min() ?? 0)...(values.max() ?? 0), end: end, drawing)
        scene.frame.drawHead(on: drawing.canvas)
        guard !values.isEmpty else { return try drawing.drawNote("no samples", in: scene.frame.plot) }
        try scene.drawAxes()
        for (index, series) in series.enumerated() { draw(series, index: index, in: scene) }
        scene.drawBaseline()
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
}

/// The layout of a chart over time, with mappings of times and values to positions.
struct TimeScene {
    let drawing: ChartDrawing
    let frame: ChartFrame
    private let time: ClosedRange<Double>
    private let range: ClosedRange<Double>
    private let axis: ChartAxis

    var theme: ChartTheme { drawing.theme }

    /// `values` is the range of the data; the axis always includes 0.
    init(
        _ requests: ChartFrame.Requests, measure: ChartMeasure, values: ClosedRange<Double>, end: Double,
        _ drawing: ChartDrawing
    ) throws(MediaError) {
        self.drawing = drawing
        var requests = requests
        func frame(labels: [String]) throws(MediaError) -> ChartFrame {
            requests.valueLabels = labels
            return try ChartFrame(
                size: drawing.image.size, theme: drawing.theme, text: drawing.text, requests: requests)
        }
        var whole = min(values.lowerBound, 0)...max(values.upperBound, 0)
        // A range of only zeros is extended.
        if whole.upperBound - whole.lowerBound <= 0 { whole = 0...measure.units[0].size }
        // The label count depends on the height, which does not depend on the labels.
        let draft = try frame(labels: ["0"])
        let count = min(max(draft.valueTickCount(laneHeight: draft.plot.height), 3), 8)
        range = measure.widened(whole, atMost: count)
        axis = measure.axis(range, atMost: count).withUnitOnLastTick(measure)
        self.frame = try frame(labels: axis.ticks.map(\.label))
        time = 0...(end > 0 ? end : 1)
    }

    func x(_ seconds: Double) -> Double { frame.plot.x + seconds / time.upperBound * frame.plot.width }

    func y(_ value: Double) -> Double {
        let share = (value - range.lowerBound) / (range.upperBound - range.lowerBound)
        return frame.plot.maxY - min(max(share, 0), 1) * frame.plot.height
    }

    func drawAxes() throws(MediaError) {
        // Times below a second are shown in milliseconds.
        let times =
            time.upperBound < 1
            ? ChartMeasure.seconds.axis(time, atMost: frame.timeTickCount)
            : ChartAxis.time(time, end: time.upperBound, atMost: frame.timeTickCount)
        try frame.drawAxes(values: [axis], time: times, on: drawing.canvas)
    }

    /// Draws the baseline of values.
    func drawBaseline() {
        let row = min(y(0).rounded(.down), frame.plot.maxY - 1)
        drawing.canvas.addHairline(atY: row, across: frame.plot)
        drawing.canvas.fill(theme.axis)
    }
}

/// Simplifies lines with more points than pixel columns.
enum PixelColumns {
    /// A visually equal line: the first, lowest, highest and last point of each pixel column, in order.
    static func thinned(_ points: [(x: Double, y: Double)]) -> [(x: Double, y: Double)] {
        guard let first = points.first, let last = points.last, Double(points.count) > last.x - first.x else {
            return points
        }
        var result: [(x: Double, y: Double)] = []
        var start = 0
        while start < points.count {
            let column = points[start].x.rounded(.down)
            let end = points[start...].firstIndex { $0.x.rounded(.down) != column } ?? points.count
            let part = start..<end
            let lowest = part.max { points[$0].y < points[$1].y } ?? start
            let highest = part.min { points[$0].y < points[$1].y } ?? start
            var kept = -1
            for index in [start, min(lowest, highest), max(lowest, highest), end - 1] where index > kept {
                result.append(points[index])
                kept = index
            }
            start = end
        }
        return result
    }
}
