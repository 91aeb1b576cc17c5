internal import Glibc
package import WayreelCore
package import WayreelDrawing

/// Where the parts of a chart lie: the lanes that values are drawn in, one below the other over one time axis, and around them
/// the labels that there is room for.
package struct ChartFrame {
    /// What a chart wants to have around its lanes.
    package struct Wishes {
        package var hasAxes = true
        package var hasLegend = false
        /// Whether the unit of the values stands above the lanes, with the legend.
        package var hasTopRow = true
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
    /// The part of the picture that is the chart's.
    let area: Rectangle
    package let theme: ChartTheme
    package let text: ChartText
    /// From the top; whole pixels.
    package let lanes: [Rectangle]
    /// All lanes and what is between them.
    package let plot: Rectangle
    let showsTopRow: Bool
    let showsTimeLabels: Bool
    let showsValueLabels: Bool
    let showsEndLabels: Bool
    let hasAxes: Bool

    var em: Double { text.size }
    /// From labels to what they label.
    var gap: Double { (em * 0.5).rounded() }

    /// An em that suits a picture: 12 pixels on 1200 × 300, more on larger ones, at least 10.
    package static func textSize(for size: PixelSize) -> Double {
        min(max(12 * pow(Double(size.width) * Double(size.height) / 360_000, 0.25), 10), 64).rounded()
    }

    /// A chart in an area of a picture of `size`, or all over it.
    package init(
        size: PixelSize, area: Rectangle? = nil, theme: ChartTheme, text: ChartText, wishes: Wishes
    ) throws(MediaError) {
        let area = area ?? Rectangle(x: 0, y: 0, width: Double(size.width), height: Double(size.height))
        (self.size, self.area, self.theme, self.text) = (size, area, theme, text)
        let (width, height, em) = (area.width, area.height, text.size)
        let gap = (em * 0.5).rounded()
        let laneCount = max(wishes.laneCount, 1)
        // Rows and margins are left out where they would take more than their share.
        let hasTopRow = wishes.hasTopRow && (wishes.hasLegend || wishes.hasAxes) && height >= 8 * em && width >= 14 * em
        let hasTimes = wishes.hasAxes && height >= 4.5 * em && width >= 8 * em
        let hasValues =
            wishes.hasAxes && height >= max(4.5, 2.5 * Double(laneCount)) * em && width >= 14 * em
        let endWidth = try Self.width(of: wishes.endLabels, in: text)
        let hasEnds = endWidth > 0 && height >= 2.5 * em && width >= 3 * (endWidth + gap)
        let border = wishes.hasAxes && height >= 4.5 * em ? (em * 0.75).rounded() : 0
        let row = (em * 1.5).rounded()
        let valueWidth = hasValues ? try Self.width(of: wishes.valueLabels, in: text) + gap : 0
        let left = max(border + valueWidth, wishes.overhang).rounded(.up)
        let right = max(border + (hasEnds ? endWidth + gap : 0), wishes.overhang).rounded(.up)
        let top = max(border + (hasTopRow ? row : 0), wishes.overhang).rounded(.up)
        let bottom = max(border + (hasTimes ? row : 0), wishes.overhang).rounded(.up)
        // A picture too small for any margin is all plot.
        let fits = width - left - right >= 1 && height - top - bottom >= 1
        plot =
            fits
            ? Rectangle(
                x: area.x + left, y: area.y + top, width: width - left - right, height: height - top - bottom)
            : area
        lanes = Self.lanes(of: plot, count: laneCount, em: em)
        hasAxes = wishes.hasAxes
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

    /// How many labels find room above each other in a lane.
    package func valueTickCount(laneHeight: Double) -> Int { max(Int(laneHeight / (em * 2.4)) + 1, 2) }

    /// How many labels find room beside each other on the time axis.
    package var timeTickCount: Int { max(Int(plot.width / (em * 6)), 3) }
}
