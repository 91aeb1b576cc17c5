internal import WayreelCore
internal import WayreelDrawing

/// A legend to the right of a chart, in the vertical order of the data.
struct LegendColumn {
    /// Including the gap to the chart.
    let width: Double
    private let entries: [ChartLegend.Entry]

    /// nil if it would take too much of the image.
    init?(_ entries: [ChartLegend.Entry], title: String, _ drawing: ChartDrawing) throws(MediaError) {
        let em = drawing.em
        let height = Double(entries.count) * ChartLegend.rowHeight(em: em)
        guard !entries.isEmpty, drawing.bounds.width >= 38 * em,
            drawing.bounds.height >= height + (title.isEmpty ? 4 : 6) * em
        else { return nil }
        self.entries = entries
        width =
            try em
            + ChartLegend.columnWidth(entries, limit: min(20 * em, drawing.bounds.width / 3), text: drawing.text)
    }

    func draw(beside plot: Rectangle, _ drawing: ChartDrawing) throws(MediaError) {
        // The frame has a border on its right, and so does the image.
        let border = (drawing.em * 0.75).rounded()
        let legend = try ChartLegend(
            column: entries, x: drawing.bounds.maxX - border - width + drawing.em,
            y: plot.y - (drawing.em * 0.5).rounded(), width: width - drawing.em, text: drawing.text)
        legend.draw(drawing)
    }
}
