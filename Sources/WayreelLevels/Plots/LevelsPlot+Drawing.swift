internal import Glibc
package import WayreelCore
package import WayreelDrawing

extension LevelsPlot {
    /// Returns the measurement for this plot; `rate` is that of a strip in readings per second, 30 by default.
    ///
    /// Throws the errors of ``check()``.
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

    /// Returns warnings known before drawing. Throws the errors of ``check()``.
    package func warnings() throws(MediaError) -> [MediaWarning] {
        try check()
        let text = try ChartText(font: font, size: em)
        return text.warning.map { [MediaWarning(step: .plot, $0)] } ?? []
    }

    /// Draws `levels` of any grid and writes the image to `sink`.
    ///
    /// Memory is bounded by the image size. Throws the errors of ``check()`` and `sink`, and a `parameter` error if the
    /// levels are empty or lack a drawn field.
    package func draw(_ levels: Levels, as type: FileType, to sink: some ByteSink) throws(MediaError) {
        try check()
        var file = DrawingFile(type == .svg ? .svg : .png, size: size)
        file.isOpaque = backgroundInUse.alpha == 1
        try file.write(to: sink) { (canvas) throws(MediaError) in try paint(levels, on: canvas) }
    }

    /// Draws `levels` on a canvas of the plot's size. Throws the errors of ``draw(_:as:to:)``.
    package func draw(_ levels: Levels, on canvas: PathCanvas) throws(MediaError) {
        try check()
        try paint(levels, on: canvas)
    }

    private func paint(_ levels: Levels, on canvas: PathCanvas) throws(MediaError) {
        guard levels.bucketCount > 0, !levels.format.channels.isEmpty else {
            throw MediaError(.parameter, step: .plot, reason: "the levels are empty")
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

    /// Font size (em) of the labels.
    private var em: Double { textSize ?? ChartFrame.textSize(for: size) }

    var lineWidthInUse: Double { lineWidth ?? max(1.5, em / 7) }

    var dotRadius: Double { showsDot == false ? 0 : lineWidthInUse * 1.5 + 1 }

    /// Returns the format of the label; nil for no label.
    func labelFormat() throws(MediaError) -> LabelFormat? {
        guard style == .strip, label != "" else { return nil }
        return try LabelFormat(label ?? "%.1f")
    }

    private func frame(laneCount: Int, hasLegend: Bool = false) throws(MediaError) -> ChartFrame {
        var requests = ChartFrame.Requests()
        requests.laneCount = laneCount
        requests.hasAxes = hasAxes
        requests.hasLegend = hasLegend
        // Automatic limits are not known yet; this is their longest label.
        requests.valueLabels =
            fixedLimits.map { limits in
                LevelScale(kind: scaleInUse, limits: limits).axis(isMirrored: false, atMost: 9).ticks.map(\.label)
            } ?? [scaleInUse == .linear ? "\u{2212}88" : LevelScale.atMost + "\u{2212}88"]
        if let format = try labelFormat() { requests.endLabels = [format.text(for: LevelScale.floor)] }
        if style == .strip { requests.overhang = max(lineWidthInUse / 2, dotRadius) }
        return try ChartFrame(
            size: size, theme: themeInUse, text: try ChartText(font: font, size: em), requests: requests)
    }

    private func columnCount(_ frame: ChartFrame, window: Int) -> Int {
        style == .bars
            ? bars(in: frame.plot).count : max(1, min(Int(frame.plot.width), style == .strip ? window : .max))
    }

    /// Returns the number of bars that fit into an area, and their geometry.
    func bars(in area: Rectangle) -> (count: Int, x: Double, width: Double, gap: Double) {
        let width = min(barWidth ?? max(2, (em / 3).rounded()), area.width)
        let gap = barGap ?? max(1, (em / 6).rounded())
        let count = max(1, Int((area.width + gap) / (width + gap)))
        let rest = area.width - Double(count) * (width + gap) + gap
        return (count, area.x + (rest / 2).rounded(.down), width, gap)
    }

    /// The limits that do not depend on the audio.
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
        // A given limit takes precedence over the fitted one.
        let upper = upperLimit ?? max(fitted.upperBound, (lowerLimit ?? fitted.lowerBound) + 12)
        let lower = lowerLimit ?? min(fitted.lowerBound, upper - 12)
        var scale = LevelScale(kind: scaleInUse, limits: lower...upper)
        scale.isCutBelow = lowerLimit == nil && magnitudes.contains { LevelScale.decibels($0) < lower }
        return scale
    }
}

/// The time range of a plot in seconds from the start of the audio. A partially filled strip starts before it.
struct PlotTime {
    let range: ClosedRange<Double>
    /// End of the audio.
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

    /// Returns 0 at the start of the plot to 1 at its end; nil for times outside.
    func share(of second: Double) -> Double? {
        guard range.contains(second), range.upperBound > range.lowerBound else { return nil }
        return (second - range.lowerBound) / (range.upperBound - range.lowerBound)
    }
}
