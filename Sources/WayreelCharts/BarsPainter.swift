internal import WayreelCore
internal import WayreelDrawing

/// Draws bars.
struct BarsPainter {
    let chart: BarsChart
    let frame: ChartFrame
    let range: ClosedRange<Double>
    let drawing: ChartDrawing

    private var theme: ChartTheme { drawing.theme }
    private var canvas: PathCanvas { drawing.canvas }
    private var em: Double { drawing.em }
    private var hairline: Double { max(1, (em / 12).rounded()) }

    private func x(_ value: Double) -> Double { frame.plot.x + value / range.upperBound * frame.plot.width }

    func draw(_ rows: BarRows, names: [String], values: [String]) throws(MediaError) {
        for row in rows.rows {
            guard case .bar(let group, let bar, let index) = row.content else { continue }
            try draw(chart.groups[group].bars[bar], row, name: names[index], value: values[index])
            canvas.addHairline(atX: frame.plot.x, across: Rectangle(x: 0, y: row.y, width: 0, height: row.height))
            canvas.fill(theme.axis)
        }
        drawReference()
        let headings = try ChartText(font: drawing.image.font + " Bold", size: em)
        for row in rows.rows {
            guard case .heading(let group) = row.content else { continue }
            let label = try headings.label(chart.groups[group].name, within: frame.area.width - 2 * border)
            headings.draw(
                label, on: canvas, x: frame.area.x + border, y: row.y + row.height - 0.85 * em,
                color: theme.text, halo: drawing.ground)
        }
        guard rows.hiddenCount > 0 else { return }
        let label = try drawing.text.label("+\(rows.hiddenCount)")
        let y = rows.maxY + em * 0.7
        guard y + em * 0.6 <= frame.plot.maxY, label.width <= frame.plot.width else { return }
        drawing.text.draw(label, on: canvas, x: frame.plot.x + frame.gap, y: y, color: theme.axisText)
    }

    private func draw(_ bar: BarsChart.Bar, _ row: BarRows.Row, name: String, value: String) throws(MediaError) {
        if frame.showsValueLabels {
            drawing.text.draw(
                try drawing.text.label(name), on: canvas, x: frame.plot.x - frame.gap, anchor: 1, y: row.midY,
                color: theme.text)
        }
        if frame.showsEndLabels {
            drawing.text.draw(
                try drawing.text.label(value), on: canvas, x: frame.area.maxX - border, anchor: 1, y: row.midY,
                color: bar.value == nil ? theme.axisText : theme.text)
        }
        guard let value = bar.value else { return }
        let height = min(row.height * 0.64, 1.8 * em).rounded()
        let area = Rectangle(
            x: frame.plot.x, y: (row.midY - height / 2).rounded(), width: max(x(value) - frame.plot.x, 0),
            height: height)
        canvas.rectangle(area)
        canvas.fill(bar.isHighlighted ? theme.series[0] : theme.muted)
        if let interval = bar.interval { drawWhisker(interval, y: area.midY, halfHeight: height * 0.22) }
    }

    private var border: Double { (em * 0.75).rounded() }

    private func drawWhisker(_ interval: ClosedRange<Double>, y: Double, halfHeight: Double) {
        // On whole pixels: a hairline between two would be grey.
        let onPixel = { (position: Double) in
            hairline.truncatingRemainder(dividingBy: 2) == 1 ? position.rounded(.down) + 0.5 : position.rounded()
        }
        let (low, high, y) = (onPixel(x(interval.lowerBound)), onPixel(x(interval.upperBound)), onPixel(y))
        canvas.addLine([(x: low, y: y), (x: high, y: y)])
        for end in [low, high] { canvas.addLine([(x: end, y: y - halfHeight), (x: end, y: y + halfHeight)]) }
        canvas.stroke(drawing.ground, width: hairline + 2, keepingPath: true)
        canvas.stroke(theme.text, width: hairline)
    }

    private func drawReference() {
        guard let reference = chart.reference else { return }
        let left = min((x(reference) - hairline / 2).rounded(), frame.plot.maxX - hairline)
        canvas.addHairline(atX: left, across: frame.plot, thickness: hairline)
        canvas.fill(theme.text)
    }
}
