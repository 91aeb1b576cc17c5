internal import WayreelCore
internal import WayreelCharts
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
        for line in lines {
            canvas.addLine(line.points)
            canvas.stroke(line.color, width: plot.lineWidthInUse)
        }
        if plot.showsDot != false { drawDots(lines.map { ($0.points[$0.points.count - 1], $0.color) }) }
        guard let format = try plot.labelFormat() else { return }
        let labels = lane.voices.map { voice in
            let newest = columns.channels[voice.channel].newest
            let y = heights.y(Double(signs(voice.course)[0]) * scale.share(of: newest))
            return (text: format.text(for: LevelScale.decibels(newest)), y: y, color: color(of: voice.channel))
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

    private func drawBaseline(_ lane: PlotLane, _ heights: LaneHeights, in area: Rectangle) {
        guard let baseline = plot.baseline else { return }
        let share = scale.share(ofDecibels: baseline)
        for share in lane.isMirrored ? [share, -share] : [share] {
            let y = min(heights.y(share).rounded(.down), heights.bottom - 1)
            canvas.addHairline(atY: y, across: area)
        }
        canvas.fill(plot.baselineColor ?? frame.theme.axis)
    }

    private func drawDots(_ dots: [(position: (x: Double, y: Double), color: RGBColor)]) {
        for (position, color) in dots {
            // An outline separates the dot from the lines below.
            canvas.circle(centerX: position.x, centerY: position.y, radius: plot.dotRadius)
            canvas.fill(plot.backgroundInUse.alpha == 1 ? plot.backgroundInUse : color)
            canvas.circle(centerX: position.x, centerY: position.y, radius: plot.dotRadius - 1)
            canvas.fill(color)
        }
    }
}
