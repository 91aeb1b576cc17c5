internal import WayreelCore
internal import WayreelCharts
internal import WayreelDrawing

/// A plot being drawn; the part common to all styles.
struct LevelsDrawing {
    let plot: LevelsPlot
    let frame: ChartFrame
    let lanes: [PlotLane]
    let columns: LevelColumns
    let scale: LevelScale
    let time: PlotTime
    let canvas: PathCanvas

    /// `legend` holds the channel names, if they are shown.
    func draw(legend: [String]) throws(MediaError) {
        frame.drawBackground(plot.backgroundInUse, on: canvas)
        let axes = zip(lanes, frame.lanes).map { lane, area in
            let height = lane.isMirrored ? area.height / 2 : area.height
            return scale.axis(isMirrored: lane.isMirrored, atMost: frame.valueTickCount(laneHeight: height))
        }
        try frame.drawAxes(
            values: axes, time: .time(time.range, end: time.end, atMost: frame.timeTickCount), on: canvas)
        for (lane, area) in zip(lanes, frame.lanes) {
            let heights = LaneHeights(area, isMirrored: lane.isMirrored)
            switch plot.style {
            case .waveform: drawWaveform(lane, heights, in: area)
            case .bars: drawBars(lane, heights, in: area)
            case .strip: try drawStrip(lane, heights, in: area)
            }
            markCuts(lane, in: area)
        }
        drawSeparators()
        let entries = legend.enumerated().map { (name: $1, color: color(of: $0)) }
        try frame.drawTopRow(unit: "dBFS", legend: entries, on: canvas)
    }

    func color(of channel: Int) -> RGBColor { frame.theme.color(ofSeries: channel) }

    /// Returns the opacity of areas in a lane; overlapping areas are translucent.
    func opacity(in lane: PlotLane) -> Double { plot.layoutInUse == .overlaid && lane.voices.count > 1 ? 0.6 : 1 }

    /// Returns the position of a value in a lane: 1 is the top, −1 the bottom of a mirrored lane.
    func share(of value: Float) -> Double {
        value < 0 ? -scale.share(of: -value) : scale.share(of: value)
    }

    /// Marks the columns whose levels exceed the upper limit at the edge that cuts them.
    private func markCuts(_ lane: PlotLane, in area: Rectangle) {
        let edge = max(3, (frame.text.size / 4).rounded())
        let bars = plot.style == .bars ? plot.bars(in: area) : nil
        let width = area.width / Double(columns.channels[0].highs.count)
        // A line in the background's colour separates the mark from a similar colour below.
        for (thickness, color) in [(edge + 1, plot.backgroundInUse), (edge, frame.theme.excess)] {
            for voice in lane.voices {
                let channel = columns.channels[voice.channel]
                for column in columns.filled {
                    let (top, bottom) = cuts(of: channel, column, voice.course)
                    let x = bars.map { $0.x + Double(column) * ($0.width + $0.gap) } ?? area.x + Double(column) * width
                    let mark = Rectangle(x: x, y: area.y, width: bars?.width ?? width, height: thickness)
                    if top { canvas.rectangle(mark) }
                    if bottom {
                        canvas.rectangle(
                            Rectangle(x: x, y: area.maxY - thickness, width: mark.width, height: thickness))
                    }
                }
            }
            canvas.fill(color)
        }
    }

    /// Returns whether a column is cut at the top and at the bottom of its lane.
    private func cuts(
        of channel: LevelColumns.Channel, _ column: Int, _ course: PlotLane.Course
    ) -> (top: Bool, bottom: Bool) {
        let isCut = scale.isCut(channel.magnitude(column))
        switch course {
        case .up: return (isCut, false)
        case .down: return (false, isCut)
        case .both where plot.style == .waveform:
            return (scale.isCut(channel.highs[column]), scale.isCut(-channel.lows[column]))
        case .both: return (isCut, isCut)
        }
    }

    private func drawSeparators() {
        let thickness = max(1, (frame.text.size / 12).rounded())
        for share in plot.separators.compactMap(time.share) {
            let x = min((frame.plot.x + share * frame.plot.width).rounded(.down), frame.plot.maxX - thickness)
            canvas.addHairline(atX: x, across: frame.plot, thickness: thickness)
        }
        if !plot.separators.isEmpty { canvas.fill(plot.separatorColor ?? frame.theme.axisText) }
    }
}
