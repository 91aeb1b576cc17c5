internal import WayreelCore
internal import WayreelDrawing

extension LevelsDrawing {
    func drawStrip(_ lane: PlotLane, _ heights: LaneHeights, in area: Rectangle) throws(MediaError) {
        let lines = lane.voices.flatMap { voice in
            signs(voice.course).map { sign in
                (color: color(of: voice.channel), points: points(of: voice.channel, sign: sign, heights, in: area))
            }
        }
        // Overlapping areas would mix to a meaningless colour.
        for line in lines where plot.layoutInUse != .overlaid || lane.voices.count == 1 {
            let (first, last) = (line.points[0], line.points[line.points.count - 1])
            canvas.addLine([(first.x, heights.zero)] + line.points + [(last.x, heights.zero)])
            canvas.closePath()
            canvas.fill(line.color.withAlpha(line.color.alpha * 0.12))
        }
        drawBaseline(lane, heights, in: area)
        drawLines(lines)
        if plot.showsDot != false { drawDots(lines.map { ($0.points[$0.points.count - 1], $0.color) }) }
        guard let format = try plot.labelFormat() else { return }
        let labels = lane.voices.map { voice in
            let newest = columns.channels[voice.channel].newest
            let y = heights.y(Double(signs(voice.course)[0]) * scale.share(of: newest))
            return (text: LevelScale.text(for: newest, in: format), y: y, color: color(of: voice.channel))
        }
        try frame.drawEndLabels(labels, in: area, on: canvas)
    }

    private func signs(_ course: PlotLane.Course) -> [Int] {
        switch course {
        case .up: [1]
        case .down: [-1]
        case .both: [1, -1]
        }
    }

    /// Draws each reading at the right end of its interval; the first one extends to the start of its interval. The
    /// line ends at the latest reading, even if the last column contains a louder one.
    private func points(
        of channel: Int, sign: Int, _ heights: LaneHeights, in area: Rectangle
    ) -> [(x: Double, y: Double)] {
        let levels = columns.channels[channel]
        let width = area.width / Double(levels.highs.count)
        let position = { (column: Int) in
            (
                x: area.x + Double(column + 1) * width - 0.5,
                y: heights.y(Double(sign) * scale.share(of: levels.magnitude(column)))
            )
        }
        let first = position(columns.filled.lowerBound)
        let newest = (x: area.maxX - 0.5, y: heights.y(Double(sign) * scale.share(of: levels.newest)))
        return [(x: first.x - width + 1, y: first.y)] + columns.filled.map(position) + [newest]
    }

    /// Draws lines that have the same columns. Where some coincide, each is drawn in turn, so that all of their colours
    /// are visible.
    private func drawLines(_ lines: [(color: RGBColor, points: [(x: Double, y: Double)])]) {
        let points = lines.map(\.points)
        let groups = points[0].indices.dropLast().map { start in
            coinciding(points.map { ($0[start].y, $0[start + 1].y) })
        }
        for (index, line) in lines.enumerated() {
            addParts(of: index, line.points, groups)
            canvas.stroke(line.color, width: plot.lineWidthInUse)
        }
    }

    /// Returns for each section of a line, given by the heights of its ends, those that it cannot be told from, itself
    /// included.
    private func coinciding(_ sections: [(Double, Double)]) -> [[Int]] {
        var groups: [[Int]] = []
        for (index, section) in sections.enumerated() {
            let isNear = { (other: Int) in
                max(abs(sections[other].0 - section.0), abs(sections[other].1 - section.1)) < plot.lineWidthInUse / 2
            }
            let near = groups.filter { $0.contains(where: isNear) }
            groups.removeAll { $0.contains(where: isNear) }
            groups.append(near.flatMap(\.self) + [index])
        }
        return sections.indices.map { index in groups.first { $0.contains(index) }?.sorted() ?? [index] }
    }

    /// Adds the sections of line `index` in which it is alone or has its turn; `groups` are the lines that coincide with
    /// each other one, by section.
    private func addParts(of index: Int, _ points: [(x: Double, y: Double)], _ groups: [[[Int]]]) {
        let dash = 6 * plot.lineWidthInUse
        let origin = points[0].x
        var isDrawing = false
        for (section, groups) in groups.enumerated() {
            let (start, end, group) = (points[section], points[section + 1], groups[index])
            let parts = group.count == 1 ? 1 : max(1, Int(((end.x - start.x) / dash).rounded(.up)))
            for part in 0..<parts {
                let place = { (share: Double) in
                    (x: start.x + (end.x - start.x) * share, y: start.y + (end.y - start.y) * share)
                }
                let (from, to) = (place(Double(part) / Double(parts)), place(Double(part + 1) / Double(parts)))
                guard group[Int(max(0, (from.x + to.x) / 2 - origin) / dash) % group.count] == index else {
                    isDrawing = false
                    continue
                }
                if !isDrawing { canvas.move(toX: from.x, y: from.y) }
                isDrawing = true
                canvas.line(toX: to.x, y: to.y)
            }
        }
    }

    private func drawBaseline(_ lane: PlotLane, _ heights: LaneHeights, in area: Rectangle) {
        guard let baseline = plot.baseline else { return }
        let share = scale.share(ofDecibels: baseline)
        for share in lane.isMirrored ? [share, -share] : [share] {
            let y = min(heights.y(share).rounded(.down), heights.bottom - 1)
            canvas.addHairline(atY: y, across: area)
        }
        canvas.fill(plot.baselineColor ?? frame.theme.axis)
    }

    /// Dots at the same height become rings around each other.
    private func drawDots(_ dots: [(position: (x: Double, y: Double), color: RGBColor)]) {
        let groups = coinciding(dots.map { ($0.position.y, $0.position.y) })
        for (index, (position, color)) in dots.enumerated() {
            let inner = Double(groups[index].count { $0 < index }) / Double(groups[index].count)
            if inner == 0 {
                // An outline separates the dot from the lines below.
                canvas.circle(centerX: position.x, centerY: position.y, radius: plot.dotRadius)
                canvas.fill(plot.backgroundInUse.alpha == 1 ? plot.backgroundInUse : color)
            }
            canvas.circle(centerX: position.x, centerY: position.y, radius: (plot.dotRadius - 1) * (1 - inner))
            canvas.fill(color)
        }
    }
}
