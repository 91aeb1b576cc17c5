internal import Glibc
package import WayreelCore

/// The layout of a chart: a title and a legend above lanes that are stacked over one time axis, with labels around them
/// where they fit.
package struct ChartFrame {
    /// Requested parts around the lanes.
    package struct Requests {
        /// No title if empty.
        package var title = ""
        /// The entries of a legend of several rows below the title.
        var legend: [ChartLegend.Entry] = []
        /// Pixels between the head and what is laid out, and below it, for what the chart itself draws there.
        var (roomAbove, roomBelow) = (0.0, 0.0)
        package var hasAxes = true
        /// Whether the row above the lanes has a legend.
        package var hasLegend = false
        /// Whether the unit and a legend of one row are above the lanes.
        package var hasTopRow = true
        package var laneCount = 1
        /// Whether each lane has a row above it for its name.
        package var hasLaneHeads = false
        /// Labels of the value axis; the widest sets the left margin.
        package var valueLabels: [String] = []
        /// Labels to the right of the lanes.
        package var endLabels: [String] = []
        /// Pixels that lines and dots need outside the lanes.
        package var overhang = 0.0

        package init() {}
    }

    package let size: PixelSize
    private let head: ChartHead
    /// Area below the head, without the rooms that were asked for.
    let area: Rectangle
    package let theme: ChartTheme
    package let text: ChartText
    /// From the top, on whole pixels.
    package let lanes: [Rectangle]
    /// All lanes and the gaps between them.
    package let plot: Rectangle
    /// The row above each lane, with the lane's width; none if there is no room.
    package let laneHeads: [Rectangle]
    let showsTopRow: Bool
    let showsTimeLabels: Bool
    let showsValueLabels: Bool
    let showsEndLabels: Bool
    let hasAxes: Bool

    var em: Double { text.size }
    /// Distance between labels and what they label.
    var gap: Double { (em * 0.5).rounded() }

    /// Font size (em) for an image: 12 pixels for 1200 × 300, more for larger ones, at least 10.
    package static func textSize(for size: PixelSize) -> Double {
        min(max(12 * pow(Double(size.width) * Double(size.height) / 360_000, 0.25), 10), 64).rounded()
    }

    /// The layout of an image of `size`.
    package init(
        size: PixelSize, theme: ChartTheme, text: ChartText, requests: Requests
    ) throws(MediaError) {
        let image = Rectangle(x: 0, y: 0, width: Double(size.width), height: Double(size.height))
        head = try ChartHead(title: requests.title, legend: requests.legend, in: image, text: text)
        var area = head.rest
        area.y += requests.roomAbove
        area.height -= requests.roomAbove + requests.roomBelow
        (self.size, self.area, self.theme, self.text) = (size, area, theme, text)
        let (width, height, em) = (area.width, area.height, text.size)
        let gap = (em * 0.5).rounded()
        let laneCount = max(requests.laneCount, 1)
        // Rows and margins are dropped if they would take too much of the chart.
        let hasTopRow =
            requests.hasTopRow && (requests.hasLegend || requests.hasAxes) && height >= 8 * em && width >= 14 * em
        let hasTimes = requests.hasAxes && height >= 4.5 * em && width >= 8 * em
        let hasValues =
            requests.hasAxes && height >= max(4.5, 2.5 * Double(laneCount)) * em && width >= 14 * em
        let endWidth = try Self.width(of: requests.endLabels, in: text)
        let hasEnds = endWidth > 0 && height >= 2.5 * em && width >= 3 * (endWidth + gap)
        let border = requests.hasAxes && height >= 4.5 * em ? (em * 0.75).rounded() : 0
        let row = (em * 1.5).rounded()
        let valueWidth = hasValues ? try Self.width(of: requests.valueLabels, in: text) + gap : 0
        let left = max(border + valueWidth, requests.overhang).rounded(.up)
        let right = max(border + (hasEnds ? endWidth + gap : 0), requests.overhang).rounded(.up)
        let top = max(border + (hasTopRow ? row : 0), requests.overhang).rounded(.up)
        let bottom = max(border + (hasTimes ? row : 0), requests.overhang).rounded(.up)
        // An image too small for margins is all plot.
        let fits = width - left - right >= 1 && height - top - bottom >= 1
        plot =
            fits
            ? Rectangle(
                x: area.x + left, y: area.y + top, width: width - left - right, height: height - top - bottom)
            : area
        let hasHeads = requests.hasLaneHeads && fits && plot.height >= 3.5 * em * Double(laneCount) && width >= 8 * em
        (lanes, laneHeads) = Self.lanes(of: plot, count: laneCount, em: em, head: hasHeads ? row : 0)
        hasAxes = requests.hasAxes
        showsTopRow = fits && hasTopRow
        showsTimeLabels = fits && hasTimes
        showsValueLabels = fits && hasValues
        showsEndLabels = fits && hasEnds
    }

    /// With rows of the height `head` above them, or else with gaps between them.
    private static func lanes(
        of plot: Rectangle, count: Int, em: Double, head: Double
    ) -> (lanes: [Rectangle], heads: [Rectangle]) {
        let between = head > 0 ? head : min(em, plot.height / Double(count) * 0.15).rounded(.down)
        let height = (plot.height - between * Double(count - 1) - head) / Double(count)
        let lanes = (0..<count).map { lane in
            let top = head + Double(lane) * (height + between)
            return Rectangle(
                x: plot.x, y: plot.y + top.rounded(), width: plot.width,
                height: (top + height).rounded() - top.rounded())
        }
        let heads = lanes.map { Rectangle(x: $0.x, y: $0.y - head, width: $0.width, height: head) }
        return (lanes, head > 0 ? heads : [])
    }

    private static func width(of labels: [String], in text: ChartText) throws(MediaError) -> Double {
        var width = 0.0
        for label in labels { width = max(width, try text.label(label).width) }
        return width.rounded(.up)
    }

    /// Number of labels that fit vertically into a lane.
    package func valueTickCount(laneHeight: Double) -> Int { max(Int(laneHeight / (em * 2.4)) + 1, 2) }

    /// Number of labels that fit on the time axis.
    package var timeTickCount: Int { max(Int(plot.width / (em * 6)), 3) }

    // MARK: Draws background, grid lines and labels

    package func drawBackground(_ color: RGBColor, on canvas: PathCanvas) {
        guard color.alpha > 0 else { return }
        canvas.rectangle(Rectangle(x: 0, y: 0, width: Double(size.width), height: Double(size.height)))
        canvas.fill(color)
    }

    /// Draws the title and the legend below it.
    package func drawHead(on canvas: PathCanvas) { head.draw(on: canvas, theme) }

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
        var x = plot.x
        if showsValueLabels {
            let label = try text.label(unit)
            let right = max(plot.x - gap, label.width + gap)
            text.draw(label, on: canvas, x: right, anchor: 1, y: y, color: theme.axisText)
            x = max(x, right + 2 * gap)
        }
        try ChartLegend(
            rows: legend.map { ChartLegend.Entry(name: $0.name, key: .area, color: $0.color) }, x: x,
            y: y - ChartLegend.rowHeight(em: em) / 2, width: plot.maxX - x, rowLimit: 1, text: text
        ).draw(on: canvas, theme)
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

/// The title of a chart and the legend below it, if they fit.
private struct ChartHead {
    /// The remaining area for the chart.
    let rest: Rectangle
    private let title: (label: ChartText.Label, text: ChartText, x: Double, y: Double)?
    private let legend: ChartLegend

    init(title: String, legend entries: [ChartLegend.Entry], in area: Rectangle, text: ChartText) throws(MediaError) {
        let em = text.size
        let border = (em * 0.75).rounded()
        let width = area.width - 2 * border
        let start = area.y + border
        var y = start
        if !title.isEmpty, area.height >= 6.5 * em, area.width >= 8 * em {
            let bold = try ChartText(font: text.font + " Bold", size: em)
            self.title = (try bold.label(title, within: width), bold, area.x + border, y + em * 0.6)
            y += (em * 1.7).rounded()
        } else {
            self.title = nil
        }
        // At least two thirds of the rest are left for the chart.
        let row = ChartLegend.rowHeight(em: em)
        let room = (area.maxY - y - 5 * em) / 3
        let limit = area.width < 8 * em || area.height < 8 * em ? 0 : max(room >= -0.5 * em ? 1 : 0, Int(room / row))
        legend = try ChartLegend(rows: entries, x: area.x + border, y: y, width: width, rowLimit: limit, text: text)
        y += Double(legend.rowCount) * row
        // The frame has a border of its own.
        let top = y > start ? y : area.y
        rest = Rectangle(x: area.x, y: top, width: area.width, height: area.maxY - top)
    }

    func draw(on canvas: PathCanvas, _ theme: ChartTheme) {
        if let title { title.text.draw(title.label, on: canvas, x: title.x, y: title.y, color: theme.text) }
        legend.draw(on: canvas, theme)
    }
}
