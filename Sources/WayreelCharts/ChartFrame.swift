internal import Glibc
package import WayreelCore
package import WayreelDrawing

/// The layout of a chart: lanes stacked over one time axis, with labels around them where they fit.
package struct ChartFrame {
    /// Requested parts around the lanes.
    package struct Requests {
        package var hasAxes = true
        package var hasLegend = false
        /// Whether the unit and the legend are above the lanes.
        package var hasTopRow = true
        package var laneCount = 1
        /// Labels of the value axis; the widest sets the left margin.
        package var valueLabels: [String] = []
        /// Labels to the right of the lanes.
        package var endLabels: [String] = []
        /// Pixels that lines and dots need outside the lanes.
        package var overhang = 0.0

        package init() {}
    }

    package let size: PixelSize
    /// Area of the chart within the image.
    let area: Rectangle
    package let theme: ChartTheme
    package let text: ChartText
    /// From the top, on whole pixels.
    package let lanes: [Rectangle]
    /// All lanes and the gaps between them.
    package let plot: Rectangle
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

    /// The layout in an area of an image of `size`, or the whole image.
    package init(
        size: PixelSize, area: Rectangle? = nil, theme: ChartTheme, text: ChartText, requests: Requests
    ) throws(MediaError) {
        let area = area ?? Rectangle(x: 0, y: 0, width: Double(size.width), height: Double(size.height))
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
        lanes = Self.lanes(of: plot, count: laneCount, em: em)
        hasAxes = requests.hasAxes
        showsTopRow = fits && hasTopRow
        showsTimeLabels = fits && hasTimes
        showsValueLabels = fits && hasValues
        showsEndLabels = fits && hasEnds
    }

    private static func lanes(of plot: Rectangle, count: Int, em: Double) -> [Rectangle] {
        let between = min(em, plot.height / Double(count) * 0.15).rounded(.down)
        let height = (plot.height - between * Double(count - 1)) / Double(count)
        return (0..<count).map { lane in
            let top = Double(lane) * (height + between)
            return Rectangle(
                x: plot.x, y: plot.y + top.rounded(), width: plot.width,
                height: (top + height).rounded() - top.rounded())
        }
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
}
