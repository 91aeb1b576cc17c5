internal import WayreelCore
internal import WayreelCharts
internal import WayreelDrawing

extension LevelsDrawing {
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
}
