internal import WayreelCore

/// The legend of a chart, in rows.
struct ChartLegend {
    /// The symbol before a name.
    enum Key {
        case area
        case line(dash: Int)
    }

    struct Entry {
        var name: String
        /// A number or remark after the name.
        var detail = ""
        var key: Key
        var color: RGBColor
    }

    private struct Item {
        let name: ChartText.Label
        let detail: ChartText.Label
        let key: Key
        let color: RGBColor
        var x = 0.0
        var y = 0.0
    }

    private let text: ChartText
    private var items: [Item] = []
    private var more: (label: ChartText.Label, x: Double, y: Double)?
    private(set) var rowCount = 0

    private var em: Double { text.size }
    private var gap: Double { (em * 0.5).rounded() }
    static func rowHeight(em: Double) -> Double { (em * 1.5).rounded() }

    /// Rows of entries, at most `rowLimit`, from the top left corner (`x`, `y`).
    init(
        rows entries: [Entry], x: Double, y: Double, width: Double, rowLimit: Int, text: ChartText
    ) throws(MediaError) {
        self.text = text
        guard !entries.isEmpty, rowLimit > 0 else { return }
        var (row, pen) = (0, x)
        let right = x + width
        for (index, entry) in entries.enumerated() {
            let isLast = index == entries.count - 1
            let rest = try text.label("+\(entries.count - index)")
            var item = try self.item(entry, width: min(width, (entries.count > 4 ? 16 : 30) * em))
            var end = pen + self.width(of: item)
            if pen > x, end > right, row + 1 < rowLimit { (row, pen, end) = (row + 1, x, x + self.width(of: item)) }
            // The last row also needs room for the number of hidden entries.
            let reserve = isLast || row + 1 < rowLimit ? 0 : 2 * em + rest.width
            if end + reserve > right {
                if pen == x, reserve < width / 2 {
                    item = try self.item(entry, width: width - reserve)
                    end = pen + self.width(of: item)
                }
                if end + reserve > right + 0.5 {
                    if pen + rest.width <= right { more = (rest, pen, self.y(of: row, from: y)) }
                    break
                }
            }
            (item.x, item.y) = (pen, self.y(of: row, from: y))
            items.append(item)
            pen = end + 2 * em
        }
        rowCount = row + 1
    }

    private func item(_ entry: Entry, width: Double) throws(MediaError) -> Item {
        let bare = Item(
            name: try text.label(""), detail: try text.label(entry.detail, within: max(0, width)), key: entry.key,
            color: entry.color)
        let room = width - self.width(of: bare)
        // The detail is dropped if there is no room for both.
        let detail = room >= 4 * em ? bare.detail : try text.label("")
        let short = Item(name: bare.name, detail: detail, key: entry.key, color: entry.color)
        let name = try text.label(entry.name, within: max(0, width - self.width(of: short)))
        return Item(name: name, detail: detail, key: entry.key, color: entry.color)
    }

    private func keyWidth(of item: Item) -> Double {
        switch item.key {
        case .area: (em * 0.75).rounded() + gap
        case .line: (em * 1.75).rounded() + gap
        }
    }

    private func width(of item: Item) -> Double {
        keyWidth(of: item) + item.name.width + (item.detail.width > 0 ? gap + item.detail.width : 0)
    }

    private func y(of row: Int, from y: Double) -> Double { y + (Double(row) + 0.5) * Self.rowHeight(em: em) }

    // MARK: Drawing

    func draw(on canvas: PathCanvas, _ theme: ChartTheme) {
        for item in items {
            drawKey(item, on: canvas)
            let x = item.x + keyWidth(of: item)
            text.draw(item.name, on: canvas, x: x, y: item.y, color: theme.text)
            text.draw(
                item.detail, on: canvas, x: x + item.name.width + gap, y: item.y, color: theme.axisText)
        }
        if let more { text.draw(more.label, on: canvas, x: more.x, y: more.y, color: theme.axisText) }
    }

    private func drawKey(_ item: Item, on canvas: PathCanvas) {
        let width = keyWidth(of: item) - gap
        switch item.key {
        case .area:
            canvas.rectangle(
                Rectangle(x: item.x.rounded(), y: (item.y - width / 2).rounded(), width: width, height: width),
                radius: width / 4)
            canvas.fill(item.color)
        case .line(let dash):
            let thickness = text.lineWidth
            let ends = [(x: item.x + thickness / 2, y: item.y), (x: item.x + width - thickness / 2, y: item.y)]
            canvas.addLine(ends, dash: dash, lineWidth: thickness)
            canvas.stroke(item.color, width: thickness)
        }
    }
}
