internal import WayreelCore
internal import WayreelDrawing

/// Vertical layout of headings and bars, as many as fit.
struct BarRows {
    struct Row {
        enum Content {
            case heading(group: Int)
            /// `index` counts the bars of all groups.
            case bar(group: Int, bar: Int, index: Int)
        }

        let content: Content
        /// Top of the row.
        let y: Double
        let height: Double

        var midY: Double { y + height / 2 }
    }

    let rows: [Row]
    /// Number of bars that do not fit.
    let hiddenCount: Int

    /// Rows share the available height, 0.7 to 2 times their natural height.
    init(_ groups: [BarsChart.Group], in plot: Rectangle, em: Double) {
        let contents = Self.contents(groups)
        let natural = Self.heights(groups, em: em)
        let scale = min(max(plot.height / natural.reduce(0, +), 0.7), 2)
        var rows: [Row] = []
        var y = plot.y
        // If rows do not fit, the last one shows how many are hidden.
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

    /// Bottom of the last row.
    var maxY: Double { rows.last.map { $0.y + $0.height } ?? 0 }

    static func heights(_ groups: [BarsChart.Group], em: Double) -> [Double] {
        contents(groups).enumerated().map { index, content in
            if case .heading = content { index == 0 ? 1.7 * em : 2.2 * em } else { 1.7 * em }
        }
    }

    private static func contents(_ groups: [BarsChart.Group]) -> [Row.Content] {
        var index = 0
        return groups.enumerated().flatMap { groupIndex, group in
            let heading = group.name.isEmpty ? [] : [Row.Content.heading(group: groupIndex)]
            return heading
                + group.bars.indices.map { bar in
                    defer { index += 1 }
                    return .bar(group: groupIndex, bar: bar, index: index)
                }
        }
    }
}
