internal import Glibc
package import WayreelCore
internal import WayreelCharts
package import WayreelDrawing

extension LevelsPlot {
    /// What has to be read of a sound for this plot; `rate` is that of a strip, in readings a second, 30 by default.
    ///
    /// Throws as ``check()`` does.
    package func measurement(rate: Rational? = nil) throws(MediaError) -> LevelMeasurement {
        try check()
        let frame = try frame(laneCount: 1)
        var measurement: LevelMeasurement
        switch style {
        case .waveform: measurement = LevelMeasurement(grid: .points(columnCount(frame, window: .max)))
        case .bars: measurement = LevelMeasurement(grid: .points(bars(in: frame.plot).count))
        case .strip: measurement = LevelMeasurement(grid: .rate(rate ?? 30))
        }
        measurement.readsRMS = drawsRMS
        measurement.meter = meter
        return measurement
    }

    /// What the author of the plot should know before it is drawn. Throws as ``check()`` does.
    package func warnings() throws(MediaError) -> [MediaWarning] {
        try check()
        let text = try ChartText(font: font, size: em)
        return text.warning.map { [MediaWarning(step: "plot", $0)] } ?? []
    }

    /// Draws `levels`, of any grid, and writes the picture to `sink`.
    ///
    /// Memory is bounded by the size of the picture. Throws as ``check()`` does, what `sink` throws, and a `parameter` error
    /// where the levels have no reading or not the ones that are to be drawn.
    package func draw(_ levels: Levels, as type: FileType, to sink: some ByteSink) throws(MediaError) {
        try check()
        switch type {
        case .svg:
            let canvas = try SVGCanvas(size: size, sink: sink)
            try paint(levels, on: canvas)
            try canvas.finish()
        case .png:
            let surface = try PixelSurface(size: size, format: backgroundInUse.alpha == 1 ? .rgb24 : .argb32)
            let canvas = Canvas(on: surface)
            try paint(levels, on: canvas)
            try canvas.finish()
            try surface.writePNG(to: sink)
        }
    }

    /// Draws `levels` on a canvas of the plot's size. Throws as ``draw(_:as:to:)`` does.
    package func draw(_ levels: Levels, on canvas: PathCanvas) throws(MediaError) {
        try check()
        try paint(levels, on: canvas)
    }

    private func paint(_ levels: Levels, on canvas: PathCanvas) throws(MediaError) {
        guard levels.bucketCount > 0, !levels.format.channels.isEmpty else {
            throw MediaError(.parameter, step: "plot", reason: "the levels hold no reading to draw")
        }
        let lanes = PlotLane.lanes(
            layoutInUse, channelCount: levels.format.channels.count, risesOnly: style == .strip || isOneSided == true)
        let hasLegend = showsLegend ?? (hasAxes && levels.format.channels.count > 1)
        let frame = try frame(laneCount: lanes.count, hasLegend: hasLegend)
        let window = capacity ?? levels.bucketCount
        let columns = try LevelColumns(
            levels, content, count: columnCount(frame, window: window), window: window)
        let drawing = LevelsDrawing(
            plot: self, frame: frame, lanes: lanes, columns: columns,
            scale: scale(for: columns, laneHeight: frame.lanes[0].height, frame: frame),
            time: PlotTime(levels, window: window), canvas: canvas)
        try drawing.draw(legend: hasLegend ? levels.format.channels.map(\.name) : [])
    }

    private var content: LevelColumns.Content {
        switch style {
        case .waveform: drawsRMS ? .extremesAndRMS : .extremes
        case .bars: .extremes
        case .strip: meter == nil ? .extremes : .meter
        }
    }

    var backgroundInUse: RGBColor { background ?? themeInUse.background }

    /// The em of the labels.
    private var em: Double { textSize ?? ChartFrame.textSize(for: size) }

    var lineWidthInUse: Double { lineWidth ?? max(1.5, em / 7) }

    var dotRadius: Double { showsDot == false ? 0 : lineWidthInUse * 1.5 + 1 }

    /// nil where there is to be no label.
    func labelFormat() throws(MediaError) -> LabelFormat? {
        guard style == .strip, label != "" else { return nil }
        return try LabelFormat(label ?? "%.1f")
    }

    private func frame(laneCount: Int, hasLegend: Bool = false) throws(MediaError) -> ChartFrame {
        var wishes = ChartFrame.Wishes()
        wishes.laneCount = laneCount
        wishes.hasAxes = hasAxes
        wishes.hasLegend = hasLegend
        // Where limits are automatic they are not known yet; no label of theirs is longer.
        wishes.valueLabels =
            fixedLimits.map { limits in
                LevelScale(kind: scaleInUse, limits: limits).axis(isMirrored: false, atMost: 9).ticks.map(\.label)
            } ?? ["\u{2212}88"]
        if let format = try labelFormat() { wishes.endLabels = [format.text(for: LevelScale.floor)] }
        if style == .strip { wishes.overhang = max(lineWidthInUse / 2, dotRadius) }
        return try ChartFrame(
            size: size, theme: themeInUse, text: try ChartText(font: font, size: em), wishes: wishes)
    }

    private func columnCount(_ frame: ChartFrame, window: Int) -> Int {
        style == .bars
            ? bars(in: frame.plot).count : max(1, min(Int(frame.plot.width), style == .strip ? window : .max))
    }

    /// The bars that fit into an area, and where the first begins.
    func bars(in area: Rectangle) -> (count: Int, x: Double, width: Double, gap: Double) {
        let width = min(barWidth ?? max(2, (em / 3).rounded()), area.width)
        let gap = barGap ?? max(1, (em / 6).rounded())
        let count = max(1, Int((area.width + gap) / (width + gap)))
        let rest = area.width - Double(count) * (width + gap) + gap
        return (count, area.x + (rest / 2).rounded(.down), width, gap)
    }

    /// The limits that do not depend on the sound.
    private var fixedLimits: ClosedRange<Double>? {
        let isFixed = style != .strip || (upperLimit != nil && (lowerLimit != nil || scaleInUse == .linear))
        guard isFixed else { return nil }
        let upper = upperLimit ?? 0
        return min(lowerLimit ?? LevelScale.defaultLower, upper - 1)...upper
    }

    private func scale(for columns: LevelColumns, laneHeight: Double, frame: ChartFrame) -> LevelScale {
        if let fixedLimits { return LevelScale(kind: scaleInUse, limits: fixedLimits) }
        let magnitudes = columns.channels.lazy.flatMap { channel in columns.filled.lazy.map(channel.magnitude) }
        let fitted = LevelScale.automaticLimits(
            for: magnitudes, including: baseline, tickCount: frame.valueTickCount(laneHeight: laneHeight))
        // One limit that is given wins over what the other comes out at.
        let upper = upperLimit ?? max(fitted.upperBound, (lowerLimit ?? fitted.lowerBound) + 12)
        let lower = lowerLimit ?? min(fitted.lowerBound, upper - 12)
        return LevelScale(kind: scaleInUse, limits: lower...upper)
    }
}

/// The time that a plot shows, in seconds from the beginning of the sound. A strip that is not full begins before it.
struct PlotTime {
    let range: ClosedRange<Double>
    /// The end of the sound.
    let end: Double

    init(_ levels: Levels, window: Int) {
        let sampleRate = Double(max(levels.format.sampleRate, 1))
        let reading =
            switch levels.grid {
            case .rate(let rate): 1 / rate.value
            case .samples(let count): Double(count) / sampleRate
            case .points(let count): Double(levels.sampleCount) / Double(count) / sampleRate
            }
        let end = Double(levels.bucketCount) * reading
        range = end - Double(window) * reading...max(end, 0)
        self.end = levels.duration
    }

    /// 0 where the plot begins to 1 where it ends; nil for moments that it does not show.
    func share(of second: Double) -> Double? {
        guard range.contains(second), range.upperBound > range.lowerBound else { return nil }
        return (second - range.lowerBound) / (range.upperBound - range.lowerBound)
    }
}
