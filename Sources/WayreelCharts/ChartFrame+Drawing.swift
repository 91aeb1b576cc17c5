package import WayreelCore
package import WayreelDrawing

/// What is drawn behind and around the values.
extension ChartFrame {
    package func drawBackground(_ color: RGBColor, on canvas: PathCanvas) {
        guard color.alpha > 0 else { return }
        canvas.rectangle(Rectangle(x: 0, y: 0, width: Double(size.width), height: Double(size.height)))
        canvas.fill(color)
    }

    /// Draws the hairlines behind the values, and the labels around them.
    package func drawAxes(values: [ChartAxis], time: ChartAxis, on canvas: PathCanvas) throws(MediaError) {
        guard hasAxes else { return }
        for (lane, axis) in zip(lanes, values) {
            if showsValueLabels {
                for tick in axis.ticks { canvas.addHairline(atY: place(tick, in: lane), across: lane) }
            }
            for tick in time.ticks { canvas.addHairline(atX: place(tick), across: lane) }
        }
        canvas.fill(theme.grid)
        if showsValueLabels { try drawValueLabels(values, on: canvas) }
        if showsTimeLabels { try drawTimeLabels(time, on: canvas) }
    }

    /// The vertical place of a tick, on the row of pixels that its hairline fills.
    private func place(_ tick: ChartTick, in lane: Rectangle) -> Double {
        min((lane.maxY - tick.share * lane.height).rounded(.down), lane.maxY - 1)
    }

    private func place(_ tick: ChartTick) -> Double {
        min((plot.x + tick.share * plot.width).rounded(.down), plot.maxX - 1)
    }

    private func drawValueLabels(_ axes: [ChartAxis], on canvas: PathCanvas) throws(MediaError) {
        var free = -Double.infinity
        for (lane, axis) in zip(lanes, axes) {
            for tick in axis.ticks.sorted(by: { $0.share > $1.share }) {
                let y = place(tick, in: lane) + 0.5
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
            let x = max(place(tick) + 0.5, area.x + label.width / 2)
            guard x - label.width / 2 >= free, x + label.width / 2 <= end else { continue }
            text.draw(label, on: canvas, x: x, anchor: 0.5, y: y, color: theme.axisText)
            free = x + label.width / 2 + em
        }
    }

    /// Draws the unit of the values and the names of the series, as many as there is room for, in the row above the lanes.
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

    /// Writes values to the right of the lanes, each as near to its height as the others allow; those that there is no room
    /// for are left out, from the last.
    package func drawEndLabels(
        _ labels: [(text: String, y: Double, color: RGBColor)], in lane: Rectangle, on canvas: PathCanvas
    ) throws(MediaError) {
        guard showsEndLabels else { return }
        let distance = em * 1.3
        let shown = labels.prefix(max(1, Int(lane.height / distance) + 1)).sorted { $0.y < $1.y }
        var places = shown.map(\.y)
        let (top, bottom) = (max(lane.y, area.y + em / 2), min(lane.maxY, area.maxY - em / 2))
        // Pushed down off the ones above, and then up again from the bottom.
        for i in places.indices { places[i] = max(places[i], i == 0 ? top : places[i - 1] + distance) }
        for i in places.indices.reversed() {
            places[i] = min(places[i], i == places.count - 1 ? bottom : places[i + 1] - distance)
        }
        for (label, y) in zip(shown, places) {
            text.draw(
                try text.label(label.text), on: canvas, x: plot.maxX + gap, y: y,
                color: label.color.legible(on: theme.background, towards: theme.text))
        }
    }
}
