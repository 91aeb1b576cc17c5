package import WayreelCore
internal import WayreelDrawing

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
        try ChartLimits.check(count: groups.count + groups.reduce(0) { $0 + $1.bars.count }, of: "bars")
        let bars = groups.flatMap(\.bars)
        for bar in bars {
            for value in [bar.value, bar.interval?.lowerBound, bar.interval?.upperBound].compactMap(\.self) {
                try ChartLimits.check(value, of: bar.name, in: 0...ChartLimits.magnitude)
            }
        }
        if let reference { try ChartLimits.check(reference, of: "reference", in: 0...ChartLimits.magnitude) }
    }

    /// The height that shows all bars, for images sized to their content.
    package func height(textSize em: Double) -> Int {
        let rows = BarRows.heights(groups, em: em).reduce(0, +)
        return Int((rows + (title.isEmpty ? 1.5 : 3.2) * em + 2.5 * em).rounded(.up))
    }

    package func paint(_ drawing: ChartDrawing) throws(MediaError) {
        let head = try ChartHead(title: title, in: drawing.bounds, drawing)
        head.draw(drawing)
        guard groups.contains(where: { !$0.bars.isEmpty }) else {
            return try drawing.drawNote("no values", in: head.rest)
        }
        let names = try shortened(groups.flatMap { $0.bars.map(\.name) }, share: 0.36, drawing)
        let values = try shortened(
            groups.flatMap { group in group.bars.map { text(of: $0, in: group) } }, share: 0.28, drawing)
        var requests = ChartFrame.Requests()
        requests.hasTopRow = false
        (requests.valueLabels, requests.endLabels) = (names, values)
        // The axis is below the last row.
        var area = head.rest
        area.height = min(area.height, 2 * BarRows.heights(groups, em: drawing.em).reduce(0, +) + 4 * drawing.em)
        let frame = try ChartFrame(
            size: drawing.image.size, area: area, theme: drawing.theme, text: drawing.text, requests: requests)
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
