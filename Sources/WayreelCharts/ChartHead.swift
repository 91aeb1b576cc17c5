internal import WayreelCore
internal import WayreelDrawing

/// The title of a chart and the legend below it, if they fit.
struct ChartHead {
    /// The remaining area for the chart.
    let rest: Rectangle
    private let title: ChartText.Label?
    private let titlePlace: (x: Double, y: Double)
    private let titleText: ChartText
    private let legend: ChartLegend

    /// A panel has a plainer title than the chart.
    init(
        title: String, legend entries: [ChartLegend.Entry] = [], in area: Rectangle, isPart: Bool = false,
        _ drawing: ChartDrawing
    ) throws(MediaError) {
        let em = drawing.em
        let border = (em * 0.75).rounded()
        let width = area.width - 2 * border
        titleText = isPart ? drawing.text : try ChartText(font: drawing.image.font + " Bold", size: em)
        let start = area.y + (isPart ? (em * 0.35).rounded() : border)
        var y = start
        let hasTitle = !title.isEmpty && area.height >= 6.5 * em && area.width >= 8 * em
        self.title = hasTitle ? try titleText.label(title, within: width) : nil
        titlePlace = (area.x + border, y + em * 0.6)
        if hasTitle { y += (em * 1.7).rounded() }
        // At least two thirds of the rest are left for the chart.
        let row = ChartLegend.rowHeight(em: em)
        let room = (area.maxY - y - 5 * em) / 3
        let limit = area.width < 8 * em || area.height < 8 * em ? 0 : max(room >= -0.5 * em ? 1 : 0, Int(room / row))
        legend = try ChartLegend(
            rows: entries, x: area.x + border, y: y, width: width, rowLimit: limit, text: drawing.text)
        y += Double(legend.rowCount) * row
        // The frame has a border of its own.
        let top = y > start ? y : area.y
        rest = Rectangle(x: area.x, y: top, width: area.width, height: area.maxY - top)
    }

    func draw(_ drawing: ChartDrawing) {
        if let title {
            titleText.draw(
                title, on: drawing.canvas, x: titlePlace.x, y: titlePlace.y, color: drawing.theme.text)
        }
        legend.draw(drawing)
    }
}
