package import WayreelCore

/// Lanes of lines over one time axis, as a recorder of strip charts draws them.
package struct LaneChart: Chart {
    /// A point of a line: 0 at the start of the time axis to 1 at its end, and a value.
    package struct Point: Hashable, Sendable {
        package var share: Double
        package var value: Double

        package init(share: Double, value: Double) { (self.share, self.value) = (share, value) }
    }

    package enum Style: String, Hashable, Sendable, Codable, CaseIterable {
        case line
        /// Each value holds until the next one.
        case steps
        case points
    }

    package struct Line: Sendable {
        package var name: String
        package var unit: String
        package var color: RGBColor
        package var style = Style.line
        /// Parts without gaps, from left to right.
        package var runs: [[Point]]
        /// The same before a filter, drawn below it in grey.
        package var faintRuns: [[Point]] = []
        /// Samples that were left out, drawn as crosses.
        package var dropped: [Point] = []
        /// Events on the line, such as beats, drawn as rings.
        package var rings: [Point] = []

        package init(name: String, unit: String, color: RGBColor, runs: [[Point]]) {
            (self.name, self.unit, self.color, self.runs) = (name, unit, color, runs)
        }
    }

    package struct Lane: Sendable {
        /// Precedes the names of several lines; none if empty.
        package var name = ""
        package var scale: ChartScale
        package var lines: [Line]
        package var thresholds: [Double] = []

        package init(scale: ChartScale, lines: [Line]) { (self.scale, self.lines) = (scale, lines) }
    }

    /// A moment, or a part of the time, with a text above the lanes.
    package struct Mark: Sendable {
        package var shares: ClosedRange<Double>
        package var text: String
        /// The lane that it belongs to; nil for all.
        package var lane: Int?

        package init(_ shares: ClosedRange<Double>, text: String, lane: Int? = nil) {
            (self.shares, self.text, self.lane) = (shares, text, lane)
        }
    }

    package var title: String
    package var summary: String
    /// A line below the chart; none if empty.
    package var credit = ""
    package var lanes: [Lane]
    package var marks: [Mark] = []
    /// Returns the time axis with at most this many ticks.
    package var time: @Sendable (Int) -> ChartAxis

    package init(
        title: String, summary: String, lanes: [Lane], time: @escaping @Sendable (Int) -> ChartAxis
    ) {
        (self.title, self.summary, self.lanes, self.time) = (title, summary, lanes, time)
    }

    /// Max lines, and max lanes.
    private static let maxLines = 1000

    package func check() throws(MediaError) {
        guard !lanes.isEmpty else { throw chartFault("the chart has no lanes", "choose other streams") }
        let count = max(lanes.count, lanes.reduce(0) { $0 + $1.lines.count })
        guard count <= Self.maxLines else {
            throw chartFault("\(count) lines exceed the limit of \(Self.maxLines)", "draw fewer")
        }
    }

    package func height(textSize: Double) -> Int {
        let lane = lanes.count <= 4 ? 11.0 : lanes.count <= 12 ? 8 : 6
        return Int((textSize * (6 + max(16, lane * Double(lanes.count)))).rounded())
    }

    package func paint(_ drawing: ChartDrawing) throws(MediaError) {
        let em = drawing.em
        // The labels of the time axis and of marks depend on the width, which does not depend on them.
        let draft = try frame(drawing)
        let rest = draft.area
        let texts = try MarkTexts(marks, in: draft.plot, rowLimit: rest.height >= 16 * em ? 3 : 0, drawing)
        let creditHeight = !credit.isEmpty && rest.height >= 10 * em ? (em * 1.4).rounded() : 0
        let frame = try frame(above: Double(texts.rowCount) * texts.rowHeight, below: creditHeight, drawing)
        frame.drawHead(on: drawing.canvas)
        if creditHeight > 0 {
            // At the end of the picture, below the labels of the time.
            let label = try drawing.text.label(credit, within: rest.width - 1.5 * em)
            drawing.text.draw(
                label, on: drawing.canvas, x: rest.x + (em * 0.75).rounded(),
                y: rest.maxY - creditHeight / 2 - em * 0.3, color: drawing.theme.axisText)
        }
        let axes = zip(lanes, frame.lanes).map { lane, area in
            ChartAxis(
                unit: "", ticks: lane.scale.axis(atMost: frame.valueTickCount(laneHeight: area.height)).ticks)
        }
        try frame.drawAxes(values: axes, time: time(frame.timeTickCount), on: drawing.canvas)
        for mark in marks { drawSpan(of: mark, frame, drawing) }
        for (lane, area) in zip(lanes, frame.lanes) { try LanePainter(lane, area, drawing).paint() }
        for mark in marks { drawLine(of: mark, frame, drawing, top: texts.rowCount > 0 ? frame.area.y : nil) }
        texts.draw(below: rest.y, drawing)
        for (index, lane) in lanes.enumerated() {
            let (labels, area) = (thresholdLabels(of: lane, in: frame.lanes[index], drawing.theme), frame.lanes[index])
            try frame.drawEndLabels(labels, in: area, on: drawing.canvas)
            try drawHead(of: lane, frame, index, drawing)
        }
    }

    private func frame(
        above: Double = 0, below: Double = 0, _ drawing: ChartDrawing
    ) throws(MediaError) -> ChartFrame {
        var requests = ChartFrame.Requests()
        (requests.title, requests.roomAbove, requests.roomBelow) = (title, above, below)
        requests.hasTopRow = false
        requests.laneCount = lanes.count
        requests.hasLaneHeads = true
        requests.valueLabels = lanes.flatMap { $0.scale.axis(atMost: 6).ticks.map(\.label) }
        requests.endLabels = lanes.flatMap { lane in lane.thresholds.map(\.shortDescription) }
        return try ChartFrame(
            size: drawing.image.size, theme: drawing.theme, text: drawing.text, requests: requests)
    }

    private func thresholdLabels(
        of lane: Lane, in area: Rectangle, _ theme: ChartTheme
    ) -> [(text: String, y: Double, color: RGBColor)] {
        lane.thresholds.map { value in
            let share = min(max(lane.scale.share(of: value), 0), 1)
            return (value.shortDescription, area.maxY - share * area.height, theme.excess)
        }
    }

    /// Draws the names of a lane's lines above it or, without room there, into it.
    private func drawHead(of lane: Lane, _ frame: ChartFrame, _ index: Int, _ drawing: ChartDrawing) throws(MediaError)
    {
        let factor = lane.scale.axis(atMost: 6).factor
        var entries = lane.lines.map { line in
            ChartLegend.Entry(
                name: line.name, detail: [factor, line.unit].filter { !$0.isEmpty }.joined(separator: " "),
                key: line.style == .points ? .area : .line(dash: 0), color: line.color)
        }
        let area = frame.lanes[index]
        guard index < frame.laneHeads.count else {
            guard area.height >= 1.3 * drawing.em else { return }
            let name = lane.name.isEmpty ? entries.map(\.name).joined(separator: ", ") : lane.name
            let label = try drawing.text.label(name, within: area.width - drawing.em)
            drawing.text.draw(
                label, on: drawing.canvas, x: area.x + drawing.em / 2, y: area.y + drawing.em * 0.7,
                color: drawing.theme.text, halo: drawing.theme.background)
            return
        }
        let head = frame.laneHeads[index]
        var x = head.x
        if entries.count == 1 {
            if !lane.name.isEmpty { entries[0].name = lane.name }
        } else {
            // What all have in common is said once.
            var heading = lane.name
            if Set(entries.map(\.detail)).count == 1, !entries[0].detail.isEmpty {
                heading += (heading.isEmpty ? "" : "  ") + entries[0].detail
                for entry in entries.indices { entries[entry].detail = "" }
            }
            let label = try drawing.text.label(heading, within: head.width / 3)
            drawing.text.draw(label, on: drawing.canvas, x: x, y: head.midY, color: drawing.theme.text)
            if label.width > 0 { x += label.width + 1.5 * drawing.em }
        }
        try ChartLegend(
            rows: entries, x: x, y: head.midY - ChartLegend.rowHeight(em: drawing.em) / 2, width: head.maxX - x,
            rowLimit: 1, text: drawing.text
        ).draw(on: drawing.canvas, drawing.theme)
    }

    // MARK: Marks

    private func areas(of mark: Mark, _ frame: ChartFrame) -> [Rectangle] {
        mark.lane.map { [frame.lanes[$0]] } ?? frame.lanes
    }

    private func drawSpan(of mark: Mark, _ frame: ChartFrame, _ drawing: ChartDrawing) {
        let (start, end) = (max(mark.shares.lowerBound, 0), min(mark.shares.upperBound, 1))
        guard start < end else { return }
        for area in areas(of: mark, frame) {
            drawing.canvas.rectangle(
                Rectangle(
                    x: area.x + start * area.width, y: area.y, width: (end - start) * area.width, height: area.height))
        }
        drawing.canvas.fill(drawing.theme.axis.withAlpha(0.16))
    }

    /// Draws the start of a mark, from its text down to the end of its lane.
    private func drawLine(of mark: Mark, _ frame: ChartFrame, _ drawing: ChartDrawing, top: Double?) {
        guard (0...1).contains(mark.shares.lowerBound) else { return }
        for area in areas(of: mark, frame) {
            let x = (area.x + mark.shares.lowerBound * area.width).rounded(.down)
            drawing.canvas.addHairline(atX: min(x, area.maxX - 1), across: area)
        }
        if let top, let first = frame.lanes.first, mark.lane ?? 0 == 0 {
            let x = (first.x + mark.shares.lowerBound * first.width).rounded(.down)
            // The names of the first lane stay legible.
            let end = frame.laneHeads.first?.y ?? first.y
            drawing.canvas.addHairline(
                atX: min(x, first.maxX - 1), across: Rectangle(x: x, y: top, width: 1, height: max(0, end - top)))
        }
        drawing.canvas.fill(drawing.theme.axisText)
    }
}

/// The texts of marks in rows above the lanes, each to the right of its time or, at the end, to the left.
private struct MarkTexts {
    private var placed: [(label: ChartText.Label, x: Double, row: Int)] = []
    private(set) var rowCount = 0
    let rowHeight: Double

    init(
        _ marks: [LaneChart.Mark], in plot: Rectangle, rowLimit: Int, _ drawing: ChartDrawing
    ) throws(MediaError) {
        rowHeight = (drawing.em * 1.4).rounded()
        guard rowLimit > 0 else { return }
        var free = [Double](repeating: plot.x, count: rowLimit)
        let shown = marks.filter { !$0.text.isEmpty && (0...1).contains($0.shares.lowerBound) }
        // More texts than pixels cannot be read.
        for mark in shown.sorted(by: { $0.shares.lowerBound < $1.shares.lowerBound }).prefix(1000) {
            let label = try drawing.text.label(mark.text, within: min(24 * drawing.em, plot.width))
            let x = min(plot.x + mark.shares.lowerBound * plot.width, plot.maxX - label.width)
            guard let row = free.firstIndex(where: { $0 <= x }) else { continue }
            placed.append((label, x, row))
            free[row] = x + label.width + drawing.em
            rowCount = max(rowCount, row + 1)
        }
    }

    func draw(below top: Double, _ drawing: ChartDrawing) {
        for (label, x, row) in placed {
            let y = top + drawing.em * 0.75 + (Double(row) + 0.5) * rowHeight
            drawing.text.draw(
                label, on: drawing.canvas, x: x, y: y, color: drawing.theme.text, halo: drawing.theme.background)
        }
    }
}
