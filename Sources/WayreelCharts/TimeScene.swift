internal import WayreelCore
internal import WayreelDrawing

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
        area: Rectangle, measure: ChartMeasure, values: ClosedRange<Double>, end: Double, overhang: Double = 0,
        _ drawing: ChartDrawing
    ) throws(MediaError) {
        self.drawing = drawing
        var whole = min(values.lowerBound, 0)...max(values.upperBound, 0)
        // A range of only zeros is extended.
        if whole.upperBound - whole.lowerBound <= 0 { whole = 0...measure.units[0].size }
        // The label count depends on the height, which does not depend on the labels.
        let draft = try Self.frame(area, ["0"], overhang, drawing)
        let count = min(max(draft.valueTickCount(laneHeight: draft.plot.height), 3), 8)
        range = measure.widened(whole, atMost: count)
        axis = measure.axis(range, atMost: count).withUnitOnLastTick(measure)
        frame = try Self.frame(area, axis.ticks.map(\.label), overhang, drawing)
        time = 0...(end > 0 ? end : 1)
    }

    private static func frame(
        _ area: Rectangle, _ labels: [String], _ overhang: Double, _ drawing: ChartDrawing
    ) throws(MediaError) -> ChartFrame {
        var requests = ChartFrame.Requests()
        requests.hasTopRow = false
        requests.valueLabels = labels
        requests.overhang = overhang
        return try ChartFrame(
            size: drawing.image.size, area: area, theme: drawing.theme, text: drawing.text, requests: requests)
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
