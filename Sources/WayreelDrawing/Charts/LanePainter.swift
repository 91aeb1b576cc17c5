internal import WayreelCore

/// Draws the data of a lane.
struct LanePainter {
    private let lane: LaneChart.Lane
    private let area: Rectangle
    private let drawing: ChartDrawing

    init(_ lane: LaneChart.Lane, _ area: Rectangle, _ drawing: ChartDrawing) {
        (self.lane, self.area, self.drawing) = (lane, area, drawing)
    }

    func paint() throws(MediaError) {
        drawZero()
        for line in lane.lines where !line.faintRuns.isEmpty { draw(line.faintRuns, of: line, isFaint: true) }
        for line in lane.lines {
            draw(line.runs, of: line, isFaint: false)
            drawDropped(line)
            drawRings(line)
        }
        markExcess()
        drawThresholds()
        if !lane.lines.contains(where: { !$0.runs.isEmpty || !$0.faintRuns.isEmpty || !$0.dropped.isEmpty }) {
            try drawing.drawNote("no samples", in: area)
        }
    }

    private func x(_ share: Double) -> Double { area.x + share * area.width }

    /// The height of a value; that of a value beyond the scale is at its end.
    private func y(_ value: Double) -> Double {
        area.maxY - min(max(lane.scale.share(of: value), 0), 1) * area.height
    }

    private func drawZero() {
        guard lane.scale.kind == .linear, lane.scale.limits.lowerBound < 0, lane.scale.limits.upperBound > 0 else {
            return
        }
        drawing.canvas.addHairline(atY: min(y(0).rounded(.down), area.maxY - 1), across: area)
        drawing.canvas.fill(drawing.theme.axis)
    }

    private func draw(_ runs: [[LaneChart.Point]], of line: LaneChart.Line, isFaint: Bool) {
        let canvas = drawing.canvas
        let width = (line.style == .points ? 1.25 : 0.85) * drawing.lineWidth * (isFaint ? 0.75 : 1)
        let color = isFaint ? drawing.theme.unfiltered : line.color
        var dots: [(x: Double, y: Double)] = []
        for run in runs {
            let points = run.map { (x: x($0.share), y: y($0.value)) }
            switch line.style {
            case .points: dots += PixelColumns.thinned(points)
            case _ where run.count == 1: dots.append(points[0])
            case .line: canvas.addLine(PixelColumns.thinned(points))
            case .steps: canvas.addLine(PixelColumns.thinned(Self.steps(points)))
            }
        }
        canvas.stroke(color, width: width)
        for dot in dots { canvas.circle(centerX: dot.x, centerY: dot.y, radius: width) }
        canvas.fill(color)
    }

    private static func steps(_ points: [(x: Double, y: Double)]) -> [(x: Double, y: Double)] {
        points.indices.flatMap { index in
            index == 0 ? [points[0]] : [(x: points[index].x, y: points[index - 1].y), points[index]]
        }
    }

    /// The places of points, of those that cover each other one.
    private func places(_ points: some Sequence<LaneChart.Point>) -> [(x: Double, y: Double)] {
        var seen: Set<SIMD2<Int>> = []
        return points.map { (x: x($0.share), y: y($0.value)) }
            .filter { seen.insert(SIMD2(Int($0.x / 2), Int($0.y / 2))).inserted }
    }

    /// Draws crosses.
    private func drawDropped(_ line: LaneChart.Line) {
        guard !line.dropped.isEmpty else { return }
        let reach = max(2.5, drawing.em / 4)
        for (x, y) in places(line.dropped) {
            for sign in [-1.0, 1] {
                drawing.canvas.move(toX: x - reach, y: y - sign * reach)
                drawing.canvas.line(toX: x + reach, y: y + sign * reach)
            }
        }
        drawing.canvas.stroke(drawing.theme.excess, width: max(1, drawing.lineWidth * 0.6))
    }

    private func drawRings(_ line: LaneChart.Line) {
        guard !line.rings.isEmpty else { return }
        let radius = max(3, drawing.em / 3)
        for (x, y) in places(line.rings.lazy.filter { (0...1).contains($0.share) }) {
            drawing.canvas.circle(centerX: x, centerY: y, radius: radius)
        }
        drawing.canvas.stroke(drawing.theme.text, width: max(1.25, drawing.lineWidth * 0.7))
    }

    /// Marks the columns of values beyond the scale at the edge that cuts them.
    private func markExcess() {
        let limits = lane.scale.limits
        var (above, below): (Set<Int>, Set<Int>) = ([], [])
        for point in lane.lines.lazy.flatMap({ $0.runs.joined() }) where (0...1).contains(point.share) {
            if point.value > limits.upperBound { above.insert(Int(x(point.share))) }
            if point.value < limits.lowerBound, lane.scale.kind == .linear || point.value > 0 {
                below.insert(Int(x(point.share)))
            }
        }
        guard !above.isEmpty || !below.isEmpty else { return }
        let thickness = max(3, (drawing.em / 4).rounded())
        for (columns, top) in [(above, area.y), (below, area.maxY - thickness)] {
            var start: Int?
            let sorted = columns.sorted()
            for (index, column) in sorted.enumerated() {
                let first = start ?? column
                start = first
                if index + 1 < sorted.count, sorted[index + 1] == column + 1 { continue }
                // At least two pixels wide, to be seen.
                let left = min(Double(first), area.maxX - 2)
                drawing.canvas.rectangle(
                    Rectangle(x: left, y: top, width: max(2, Double(column + 1) - left), height: thickness))
                start = nil
            }
        }
        drawing.canvas.fill(drawing.theme.excess)
    }

    private func drawThresholds() {
        guard !lane.thresholds.isEmpty else { return }
        let width = max(1, drawing.lineWidth * 0.6)
        for value in lane.thresholds {
            guard (0...1).contains(lane.scale.share(of: value)) else { continue }
            let y = y(value)
            drawing.canvas.addLine([(area.x, y), (area.maxX, y)], dash: 1, lineWidth: width)
        }
        drawing.canvas.stroke(drawing.theme.excess, width: width)
    }
}
