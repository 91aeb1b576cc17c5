internal import WayreelCore
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

    func drawBars(_ lane: PlotLane, _ heights: LaneHeights, in area: Rectangle) {
        let bars = plot.bars(in: area)
        let radius = plot.barRadius ?? bars.width / 2
        // Silence is still visible as short bars.
        let minimum = min(bars.width / 2, (heights.bottom - heights.top) / 4)
        for voice in lane.voices {
            let channel = columns.channels[voice.channel]
            for bar in 0..<bars.count {
                let x = bars.x + Double(bar) * (bars.width + bars.gap)
                let share = scale.share(of: channel.magnitude(bar))
                if voice.course != .down {
                    let tip = min(heights.y(share), heights.zero - minimum)
                    canvas.addBar(x: x, width: bars.width, base: heights.zero, tip: tip, radius: radius)
                }
                if voice.course != .up {
                    let tip = max(heights.y(-share), heights.zero + minimum)
                    canvas.addBar(x: x, width: bars.width, base: heights.zero, tip: tip, radius: radius)
                }
            }
            let color = color(of: voice.channel)
            canvas.fill(color.withAlpha(color.alpha * opacity(in: lane)))
        }
    }

    func drawWaveform(_ lane: PlotLane, _ heights: LaneHeights, in area: Rectangle) {
        for voice in lane.voices {
            let channel = columns.channels[voice.channel]
            let color = color(of: voice.channel)
            add(outline(of: channel, voice.course, heights), in: area)
            canvas.fill(color.withAlpha(color.alpha * opacity(in: lane)))
            guard !channel.rms.isEmpty else { continue }
            add(core(of: channel, voice.course, heights), in: area)
            canvas.fill(color.mixed(with: frame.theme.background, share: 0.45).withAlpha(color.alpha))
        }
    }

    private func add(_ edges: (upper: [Double], lower: [Double]), in area: Rectangle) {
        canvas.addSteps(
            upper: edges.upper, lower: edges.lower, x: area.x, width: area.width / Double(edges.upper.count))
    }

    /// Draws the extremes of each column, at least one pixel high.
    private func outline(
        of channel: LevelColumns.Channel, _ course: PlotLane.Course, _ heights: LaneHeights
    ) -> (upper: [Double], lower: [Double]) {
        let zeros = [Double](repeating: heights.zero, count: channel.highs.count)
        let magnitudes = channel.highs.indices.lazy.map { scale.share(of: channel.magnitude($0)) }
        switch course {
        case .up: return (magnitudes.map { min(heights.y($0), heights.zero - 1) }, zeros)
        case .down: return (zeros, magnitudes.map { max(heights.y(-$0), heights.zero + 1) })
        case .both: break
        }
        var upper = channel.highs.map { heights.y(share(of: $0)) }
        var lower = channel.lows.map { heights.y(share(of: $0)) }
        for column in upper.indices {
            // Consecutive columns are connected.
            if column > 0 {
                upper[column] = min(upper[column], lower[column - 1])
                lower[column] = max(lower[column], upper[column - 1])
            }
            if lower[column] - upper[column] < 1 {
                upper[column] = min(((upper[column] + lower[column] - 1) / 2).rounded(), heights.bottom - 1)
                lower[column] = upper[column] + 1
            }
        }
        return (upper, lower)
    }

    /// Draws the root mean square of each column around the middle, as far as its samples reach.
    private func core(
        of channel: LevelColumns.Channel, _ course: PlotLane.Course, _ heights: LaneHeights
    ) -> (upper: [Double], lower: [Double]) {
        let shares = channel.rms.map(scale.share)
        guard course == .both else {
            return (
                shares.map { course == .down ? heights.zero : heights.y($0) },
                shares.map { course == .up ? heights.zero : heights.y(-$0) }
            )
        }
        let lows = channel.lows.map { share(of: $0) }
        let highs = channel.highs.map { share(of: $0) }
        return (
            shares.indices.map { heights.y(min(max(shares[$0], lows[$0]), highs[$0])) },
            shares.indices.map { heights.y(min(max(-shares[$0], lows[$0]), highs[$0])) }
        )
    }
}
