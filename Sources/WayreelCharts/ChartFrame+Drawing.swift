package import WayreelCore
package import WayreelDrawing

/// Draws background, grid lines and labels.
extension ChartFrame {
    package func drawBackground(_ color: RGBColor, on canvas: PathCanvas) {
        guard color.alpha > 0 else { return }
        canvas.rectangle(Rectangle(x: 0, y: 0, width: Double(size.width), height: Double(size.height)))
        canvas.fill(color)
    }

    /// Draws grid lines and labels.
    package func drawAxes(values: [ChartAxis], time: ChartAxis, on canvas: PathCanvas) throws(MediaError) {
        guard hasAxes else { return }
        for (lane, axis) in zip(lanes, values) {
            if showsValueLabels {
                for tick in axis.ticks { canvas.addHairline(atY: position(tick, in: lane), across: lane) }
            }
            for tick in time.ticks { canvas.addHairline(atX: position(tick), across: lane) }
        }
        canvas.fill(theme.grid)
        if showsValueLabels { try drawValueLabels(values, on: canvas) }
        if showsTimeLabels { try drawTimeLabels(time, on: canvas) }
    }

    /// Vertical position of a tick: the pixel row of its grid line.
    private func position(_ tick: ChartTick, in lane: Rectangle) -> Double {
        min((lane.maxY - tick.share * lane.height).rounded(.down), lane.maxY - 1)
    }

    private func position(_ tick: ChartTick) -> Double {
        min((plot.x + tick.share * plot.width).rounded(.down), plot.maxX - 1)
    }

    private func drawValueLabels(_ axes: [ChartAxis], on canvas: PathCanvas) throws(MediaError) {
        var free = -Double.infinity
        for (lane, axis) in zip(lanes, axes) {
            for tick in axis.ticks.sorted(by: { $0.share > $1.share }) {
                let y = position(tick, in: lane) + 0.5
                guard y - em / 2 >= free else { continue }
                let label = try text.label(tick.label)
                text.draw(label, on: canvas, x: lane.x - gap, anchor: 1, y: y, color: theme.axisText)
                free = y + em / 2 + 1
            }
        }
    }

    private func drawTimeLabels(_ axis: ChartAxis, on canvas: PathCanvas) throws(MediaError) {
        let y = plot.maxY + gap + em / 2
        let unit = try text.label(axis.unit)
        text.draw(unit, on: canvas, x: plot.maxX, anchor: 1, y: y, color: theme.axisText)
        let end = unit.width > 0 ? plot.maxX - unit.width - em : area.maxX
        var free = area.x
        for tick in axis.ticks {
            let label = try text.label(tick.label)
            let x = max(position(tick) + 0.5, area.x + label.width / 2)
            guard x - label.width / 2 >= free, x + label.width / 2 <= end else { continue }
            text.draw(label, on: canvas, x: x, anchor: 0.5, y: y, color: theme.axisText)
            free = x + label.width / 2 + em
        }
    }

    /// Draws the unit and the legend in the row above the lanes, as many entries as fit.
    package func drawTopRow(
        unit: String, legend: [(name: String, color: RGBColor)], on canvas: PathCanvas
    ) throws(MediaError) {
        guard showsTopRow else { return }
        let y = plot.y - gap - em / 2
        let swatch = (em * 0.75).rounded()
        var x = plot.x
        if showsValueLabels {
            let label = try text.label(unit)
            let right = max(plot.x - gap, label.width + gap)
            text.draw(label, on: canvas, x: right, anchor: 1, y: y, color: theme.axisText)
            x = max(x, right + 2 * gap)
        }
        for (index, entry) in legend.enumerated() {
            let label = try text.label(entry.name)
            let more = try text.label("+\(legend.count - index)")
            let isLast = index == legend.count - 1
            let end = x + swatch + gap + label.width
            guard end + (isLast ? 0 : 2 * em + more.width) <= plot.maxX else {
                return text.draw(more, on: canvas, x: x, y: y, color: theme.axisText)
            }
            canvas.rectangle(
                Rectangle(x: x.rounded(), y: (y - swatch / 2).rounded(), width: swatch, height: swatch),
                radius: swatch / 4)
            canvas.fill(entry.color)
            text.draw(label, on: canvas, x: x + swatch + gap, y: y, color: theme.text)
            x = end + 2 * em
        }
    }

    /// Draws values to the right of the lanes, each as close to its height as the others allow; drops the last ones if
    /// there is no room.
    package func drawEndLabels(
        _ labels: [(text: String, y: Double, color: RGBColor)], in lane: Rectangle, on canvas: PathCanvas
    ) throws(MediaError) {
        guard showsEndLabels else { return }
        let distance = em * 1.3
        let shown = labels.prefix(max(1, Int(lane.height / distance) + 1)).sorted { $0.y < $1.y }
        var positions = shown.map(\.y)
        let (top, bottom) = (max(lane.y, area.y + em / 2), min(lane.maxY, area.maxY - em / 2))
        // Moved down below the previous one, then up from the bottom.
        for i in positions.indices { positions[i] = max(positions[i], i == 0 ? top : positions[i - 1] + distance) }
        for i in positions.indices.reversed() {
            positions[i] = min(positions[i], i == positions.count - 1 ? bottom : positions[i + 1] - distance)
        }
        for (label, y) in zip(shown, positions) {
            text.draw(
                try text.label(label.text), on: canvas, x: plot.maxX + gap, y: y,
                color: label.color.legible(on: theme.background, towards: theme.text))
        }
    }
}
