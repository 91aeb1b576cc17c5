internal import Glibc
package import WayreelCore

/// Where the parts of a chart lie: the lanes that values are drawn in, one below the other over one time axis, and around them
/// the labels that there is room for.
package struct ChartFrame {
    /// What a chart wants to have around its lanes.
    package struct Wishes {
        package var hasAxes = true
        package var hasLegend = false
        package var laneCount = 1
        /// What the value axis may have to write, of which the widest sets the margin on the left.
        package var valueLabels: [String] = []
        /// What is to stand to the right of the lanes.
        package var endLabels: [String] = []
        /// What lines and dots need outside the lanes, in pixels.
        package var overhang = 0.0

        package init() {}
    }

    package let size: PixelSize
    package let theme: ChartTheme
    package let text: ChartText
    /// From the top; whole pixels.
    package let lanes: [Rectangle]
    /// All lanes and what is between them.
    package let plot: Rectangle
    package let showsValueLabels: Bool
    package let showsTimeLabels: Bool
    package let showsTopRow: Bool
    package let showsEndLabels: Bool
    private let hasAxes: Bool

    private var em: Double { text.size }
    /// From labels to what they label.
    private var gap: Double { (em * 0.5).rounded() }

    /// An em that suits a picture: 12 pixels on 1200 × 300, more on larger ones, at least 10.
    package static func textSize(for size: PixelSize) -> Double {
        min(max(12 * pow(Double(size.width) * Double(size.height) / 360_000, 0.25), 10), 64).rounded()
    }

    package init(size: PixelSize, theme: ChartTheme, text: ChartText, wishes: Wishes) throws(MediaError) {
        (self.size, self.theme, self.text) = (size, theme, text)
        let (width, height, em) = (Double(size.width), Double(size.height), text.size)
        let gap = (em * 0.5).rounded()
        hasAxes = wishes.hasAxes
        // Rows and margins are left out where they would take more than their share.
        showsTopRow = (wishes.hasLegend || wishes.hasAxes) && height >= 8 * em && width >= 14 * em
        showsTimeLabels = wishes.hasAxes && height >= 4.5 * em && width >= 8 * em
        let laneRoom = height / Double(max(wishes.laneCount, 1))
        showsValueLabels = wishes.hasAxes && height >= 4.5 * em && laneRoom >= 2.5 * em && width >= 14 * em
        let endWidth = try Self.width(of: wishes.endLabels, in: text)
        showsEndLabels = endWidth > 0 && height >= 2.5 * em && width >= 3 * (endWidth + gap)

        let border = wishes.hasAxes && height >= 4.5 * em ? (em * 0.75).rounded() : 0
        let valueWidth = showsValueLabels ? try Self.width(of: wishes.valueLabels, in: text) : 0
        let left = max(border + (showsValueLabels ? valueWidth + gap : 0), wishes.overhang).rounded(.up)
        let right = max(border + (showsEndLabels ? endWidth + gap : 0), wishes.overhang).rounded(.up)
        let top = max(border + (showsTopRow ? (em * 1.5).rounded() : 0), wishes.overhang).rounded(.up)
        let bottom = max(border + (showsTimeLabels ? (em * 1.5).rounded() : 0), wishes.overhang).rounded(.up)
        // A picture too small for any margin is all plot.
        let fits = width - left - right >= 1 && height - top - bottom >= 1
        let plot =
            fits
            ? Rectangle(x: left, y: top, width: width - left - right, height: height - top - bottom)
            : Rectangle(x: 0, y: 0, width: width, height: height)
        self.plot = plot
        let count = Double(max(wishes.laneCount, 1))
        let between = min(em, plot.height / count * 0.15).rounded(.down)
        let laneHeight = (plot.height - between * (count - 1)) / count
        lanes = (0..<max(wishes.laneCount, 1)).map { lane in
            let y = (Double(lane) * (laneHeight + between)).rounded()
            let bottom = (Double(lane) * (laneHeight + between) + laneHeight).rounded()
            return Rectangle(x: plot.x, y: plot.y + y, width: plot.width, height: bottom - y)
        }
    }

    private static func width(of labels: [String], in text: ChartText) throws(MediaError) -> Double {
        var width = 0.0
        for label in labels { width = max(width, try text.label(label).width) }
        return width.rounded(.up)
    }

    /// How many labels of `width` pixels find room above each other in a lane.
    package func valueTickCount(laneHeight: Double) -> Int { max(Int(laneHeight / (em * 2.4)) + 1, 2) }

    /// How many labels find room beside each other on the time axis.
    package var timeTickCount: Int { max(Int(plot.width / (em * 6)), 3) }

    // MARK: Drawing

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
                for tick in axis.ticks { addHairline(atY: place(tick, in: lane), across: lane, to: canvas) }
            }
            for tick in time.ticks { addHairline(atX: place(tick), across: lane, to: canvas) }
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

    package func addHairline(atY y: Double, across lane: Rectangle, thickness: Double = 1, to canvas: PathCanvas) {
        canvas.rectangle(Rectangle(x: lane.x, y: y, width: lane.width, height: thickness))
    }

    package func addHairline(atX x: Double, across lane: Rectangle, thickness: Double = 1, to canvas: PathCanvas) {
        canvas.rectangle(Rectangle(x: x, y: lane.y, width: thickness, height: lane.height))
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
        var free = 0.0
        for tick in axis.ticks {
            let label = try text.label(tick.label)
            let x = max(place(tick) + 0.5, label.width / 2)
            guard x - label.width / 2 >= free, x + label.width / 2 <= plot.maxX - unit.width - em else { continue }
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
        let (top, bottom) = (max(lane.y, em / 2), min(lane.maxY, Double(size.height) - em / 2))
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
