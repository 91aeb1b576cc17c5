internal import WayreelCore
internal import WayreelCharts
internal import WayreelDrawing

extension LevelsDrawing {
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
