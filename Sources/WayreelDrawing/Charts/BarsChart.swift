package import WayreelCore

/// Horizontal bars from zero, with names on the left and values on the right.
package struct BarsChart: Chart, Hashable {
    /// Bars under one heading, such as those of a task.
    package struct Group: Hashable, Sendable {
        /// No heading if empty.
        package var name: String
        package var bars: [Bar]

        package init(name: String = "", bars: [Bar]) { (self.name, self.bars) = (name, bars) }
    }

    package struct Bar: Hashable, Sendable {
        package var name: String
        /// 0 or more; nil if there is no value.
        package var value: Double?
        /// Confidence interval, drawn as a whisker.
        package var interval: ClosedRange<Double>?
        /// Whether it is the reference for the others.
        package var isHighlighted: Bool
        /// Text shown instead of a nil value.
        package var note: String

        package init(
            name: String, value: Double?, interval: ClosedRange<Double>? = nil, isHighlighted: Bool = false,
            note: String = "–"
        ) {
            (self.name, self.value, self.interval) = (name, value, interval)
            (self.isHighlighted, self.note) = (isHighlighted, note)
        }
    }

    package var title: String
    package var measure: ChartMeasure
    package var groups: [Group]
    /// Value of a vertical reference line, such as 1 for ratios.
    package var reference: Double?

    package init(title: String = "", measure: ChartMeasure, groups: [Group], reference: Double? = nil) {
        (self.title, self.measure, self.groups, self.reference) = (title, measure, groups, reference)
    }

    /// `clip.mov: Wayreel 12.3 s, ffmpeg 14.1 s; radio.mp3: …`.
    package var summary: String {
        groups.map { group in
            let bars = group.bars.map { "\($0.name) \(text(of: $0, in: group))" }.joined(separator: ", ")
            return group.name.isEmpty ? bars : "\(group.name): \(bars)"
        }.joined(separator: "; ")
    }

    package func check() throws(MediaError) {
        let bars = groups.flatMap(\.bars)
        guard groups.count + bars.count <= Self.maxBars else {
            throw chartFault("\(bars.count) bars exceed the limit of \(Self.maxBars)", "draw fewer")
        }
        let values = bars.flatMap { bar in
            [bar.value, bar.interval?.lowerBound, bar.interval?.upperBound].map { (bar.name, $0) }
        }
        for case (let name, let value?) in values + [("reference", reference)] {
            guard (0...maxChartMagnitude).contains(value) else {
                throw chartFault("a value of '\(name)' must be a number, 0 or more, not \(value)", "remove it")
            }
        }
    }

    /// Max headings and bars.
    private static let maxBars = 1000

    /// The height that shows all bars, for images sized to their content.
    package func height(textSize em: Double) -> Int {
        let rows = BarRows.heights(groups, em: em).reduce(0, +)
        return Int((rows + (title.isEmpty ? 1.5 : 3.2) * em + 2.5 * em).rounded(.up))
    }

    package func paint(_ drawing: ChartDrawing) throws(MediaError) {
        let names = try shortened(groups.flatMap { $0.bars.map(\.name) }, share: 0.36, drawing)
        let values = try shortened(
            groups.flatMap { group in group.bars.map { text(of: $0, in: group) } }, share: 0.28, drawing)
        var requests = ChartFrame.Requests()
        (requests.title, requests.hasTopRow) = (title, false)
        (requests.valueLabels, requests.endLabels) = (names, values)
        let frame = try ChartFrame(
            size: drawing.image.size, theme: drawing.theme, text: drawing.text, requests: requests)
        frame.drawHead(on: drawing.canvas)
        guard groups.contains(where: { !$0.bars.isEmpty }) else {
            return try drawing.drawNote("no values", in: frame.plot)
        }
        let range = range
        let axis = measure.axis(range, atMost: max(2, min(frame.timeTickCount, 7))).withUnitOnLastTick(measure)
        try frame.drawAxes(values: [.none], time: axis, on: drawing.canvas)
        let rows = BarRows(groups, in: frame.plot, em: drawing.em)
        let painter = BarsPainter(chart: self, frame: frame, range: range, drawing: drawing)
        try painter.draw(rows, names: names, values: values)
    }

    /// From 0 to slightly above the max of bars, whiskers and reference.
    private var range: ClosedRange<Double> {
        let bars = groups.flatMap(\.bars)
        let ends = bars.flatMap { [$0.value, $0.interval?.upperBound] } + [reference]
        let longest = ends.compactMap(\.self).max() ?? 0
        return 0...(longest > 0 ? longest * 1.02 : measure.units[0].size)
    }

    /// In the unit of its group's largest value.
    private func text(of bar: Bar, in group: Group) -> String {
        bar.value.map { measure.text($0, besides: group.bars.compactMap(\.value).max()) } ?? bar.note
    }

    /// Labels shortened to a fraction of the image width.
    private func shortened(
        _ texts: [String], share: Double, _ drawing: ChartDrawing
    ) throws(MediaError) -> [String] {
        var shown: [String] = []
        for text in texts {
            shown.append(try drawing.text.label(text, within: drawing.bounds.width * share).text)
        }
        return shown
    }
}

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

struct BarsPainter {
    let chart: BarsChart
    let frame: ChartFrame
    let range: ClosedRange<Double>
    let drawing: ChartDrawing

    private var theme: ChartTheme { drawing.theme }
    private var canvas: PathCanvas { drawing.canvas }
    private var em: Double { drawing.em }
    private var hairline: Double { max(1, (em / 12).rounded()) }

    private func x(_ value: Double) -> Double { frame.plot.x + value / range.upperBound * frame.plot.width }

    func draw(_ rows: BarRows, names: [String], values: [String]) throws(MediaError) {
        for row in rows.rows {
            guard case .bar(let group, let bar, let index) = row.content else { continue }
            try draw(chart.groups[group].bars[bar], row, name: names[index], value: values[index])
            canvas.addHairline(atX: frame.plot.x, across: Rectangle(x: 0, y: row.y, width: 0, height: row.height))
            canvas.fill(theme.axis)
        }
        drawReference()
        let headings = try ChartText(font: drawing.image.font + " Bold", size: em)
        for row in rows.rows {
            guard case .heading(let group) = row.content else { continue }
            let label = try headings.label(chart.groups[group].name, within: frame.area.width - 2 * border)
            headings.draw(
                label, on: canvas, x: frame.area.x + border, y: row.y + row.height - 0.85 * em,
                color: theme.text, halo: theme.background)
        }
        guard rows.hiddenCount > 0 else { return }
        let label = try drawing.text.label("+\(rows.hiddenCount)")
        let y = rows.maxY + em * 0.7
        guard y + em * 0.6 <= frame.plot.maxY, label.width <= frame.plot.width else { return }
        drawing.text.draw(label, on: canvas, x: frame.plot.x + frame.gap, y: y, color: theme.axisText)
    }

    private func draw(_ bar: BarsChart.Bar, _ row: BarRows.Row, name: String, value: String) throws(MediaError) {
        if frame.showsValueLabels {
            drawing.text.draw(
                try drawing.text.label(name), on: canvas, x: frame.plot.x - frame.gap, anchor: 1, y: row.midY,
                color: theme.text)
        }
        if frame.showsEndLabels {
            drawing.text.draw(
                try drawing.text.label(value), on: canvas, x: frame.area.maxX - border, anchor: 1, y: row.midY,
                color: bar.value == nil ? theme.axisText : theme.text)
        }
        guard let value = bar.value else { return }
        let height = min(row.height * 0.64, 1.8 * em).rounded()
        let area = Rectangle(
            x: frame.plot.x, y: (row.midY - height / 2).rounded(), width: max(x(value) - frame.plot.x, 0),
            height: height)
        canvas.rectangle(area)
        canvas.fill(bar.isHighlighted ? theme.series[0] : theme.muted)
        if let interval = bar.interval { drawWhisker(interval, y: area.midY, halfHeight: height * 0.22) }
    }

    private var border: Double { (em * 0.75).rounded() }

    private func drawWhisker(_ interval: ClosedRange<Double>, y: Double, halfHeight: Double) {
        // On whole pixels: a hairline between two would be grey.
        let onPixel = { (position: Double) in
            hairline.truncatingRemainder(dividingBy: 2) == 1 ? position.rounded(.down) + 0.5 : position.rounded()
        }
        let (low, high, y) = (onPixel(x(interval.lowerBound)), onPixel(x(interval.upperBound)), onPixel(y))
        canvas.addLine([(x: low, y: y), (x: high, y: y)])
        for end in [low, high] { canvas.addLine([(x: end, y: y - halfHeight), (x: end, y: y + halfHeight)]) }
        canvas.stroke(theme.background, width: hairline + 2, keepingPath: true)
        canvas.stroke(theme.text, width: hairline)
    }

    private func drawReference() {
        guard let reference = chart.reference else { return }
        let left = min((x(reference) - hairline / 2).rounded(), frame.plot.maxX - hairline)
        canvas.addHairline(atX: left, across: frame.plot, thickness: hairline)
        canvas.fill(theme.text)
    }
}
