internal import WayreelCore
internal import WayreelDrawing

/// Where the headings and bars of a chart lie, from the top, as many as there is room for.
struct BarRows {
    struct Row {
        enum Content {
            case heading(group: Int)
            /// `index` counts the bars of all groups.
            case bar(group: Int, bar: Int, index: Int)
        }

        let content: Content
        /// From the top of the row to its end.
        let y: Double
        let height: Double

        var midY: Double { y + height / 2 }
    }

    let rows: [Row]
    /// Bars that there was no room for.
    let hiddenCount: Int

    /// Rows take what there is: from 0.7 to 2 times their natural height.
    init(_ groups: [BarsChart.Group], in plot: Rectangle, em: Double) {
        let contents = Self.contents(groups)
        let natural = Self.heights(groups, em: em)
        let scale = min(max(plot.height / natural.reduce(0, +), 0.7), 2)
        var rows: [Row] = []
        var y = plot.y
        // Where not all find room, the last row that does is left for the number of those that do not.
        for (content, height) in zip(contents, natural) {
            guard y + height * scale <= plot.maxY + 0.5 else { break }
            rows.append(Row(content: content, y: y, height: height * scale))
            y += height * scale
        }
        if rows.count < contents.count, rows.count > 1 { rows.removeLast() }
        if case .heading = rows.last?.content, rows.count < contents.count { rows.removeLast() }
        self.rows = rows
        let count = { (contents: [Row.Content]) in
            contents.reduce(0) { if case .bar = $1 { $0 + 1 } else { $0 } }
        }
        hiddenCount = count(contents) - count(rows.map(\.content))
    }

    /// The end of the last row.
    var maxY: Double { rows.last.map { $0.y + $0.height } ?? 0 }

    static func heights(_ groups: [BarsChart.Group], em: Double) -> [Double] {
        contents(groups).enumerated().map { index, content in
            if case .heading = content { index == 0 ? 1.7 * em : 2.2 * em } else { 1.7 * em }
        }
    }

    private static func contents(_ groups: [BarsChart.Group]) -> [Row.Content] {
        var index = 0
        return groups.enumerated().flatMap { place, group in
            let heading = group.name.isEmpty ? [] : [Row.Content.heading(group: place)]
            return heading
                + group.bars.indices.map { bar in
                    defer { index += 1 }
                    return .bar(group: place, bar: bar, index: index)
                }
        }
    }
}
