package import WayreelCore
internal import WayreelCharts
internal import WayreelDrawing

extension LevelsPlot {
    /// Max pixels of a plot, which bounds its memory: 32 million.
    static let pixelLimit = 32_000_000

    /// Throws a `parameter` or `limit` error for invalid settings.
    package func check() throws(MediaError) {
        guard size.width > 0, size.height > 0 else {
            throw fault("a plot needs at least one pixel per side, not \(size)", advice: "use a size such as 1200x300")
        }
        guard size.longerSide <= 32_767, size.pixels <= Self.pixelLimit else {
            throw MediaError(
                .limit, step: "plot",
                reason: "a plot of \(size) is too large: at most 32767 pixels per side and 32 million in total",
                advice: "use a smaller size")
        }
        try checkStyle()
        try checkLimits()
        for (name, color) in colorsAsked {
            for component in [color.red, color.green, color.blue, color.alpha] where !(0...1).contains(component) {
                throw fault("a component of the \(name) is 0 to 1, not \(component.shortDescription)")
            }
        }
        try check("text size", textSize, 4...200, "pixels")
        try check("bar width", barWidth, 1...1000, "pixels")
        try check("gap between bars", barGap, 0...1000, "pixels")
        try check("radius of bars", barRadius, 0...1000, "pixels")
        try check("line width", lineWidth, 0.25...100, "pixels")
        try check("capacity", capacity.map(Double.init), 1...1e9, "readings")
        try check("baseline", baseline, -160...60, "dBFS")
        for second in separators { try check("separator", second, 0...1e9, "seconds") }
        guard separators.count <= 10_000 else {
            throw fault("\(separators.count) separators exceed the limit of 10000", advice: "use fewer")
        }
        if let label, !label.isEmpty { _ = try LabelFormat(label) }
        try TextLimits.check(text: "0", font: font)
    }

    private func checkStyle() throws(MediaError) {
        let requests: [(name: String, isAsked: Bool, styles: Set<Style>)] = [
            ("the RMS core", showsRMS != nil, [.waveform]),
            ("one-sidedness", isOneSided != nil, [.waveform, .bars]),
            ("a bar width", barWidth != nil, [.bars]),
            ("a gap between bars", barGap != nil, [.bars]),
            ("a radius of bars", barRadius != nil, [.bars]),
            ("a capacity", capacity != nil, [.strip]),
            ("a line width", lineWidth != nil, [.strip]),
            ("a dot", showsDot != nil, [.strip]),
            ("a label", label != nil, [.strip]),
            ("a baseline", baseline != nil || baselineColor != nil, [.strip]),
            ("a meter", meter != nil, [.strip]),
        ]
        for request in requests where request.isAsked && !request.styles.contains(style) {
            let styles = request.styles.map(\.rawValue).sorted().joined(separator: " and ")
            throw fault("\(request.name) is for the style \(styles), not for \(style.rawValue)")
        }
        if isOneSided == true, layout == .mirrored {
            throw fault("a mirrored plot cannot be one-sided", advice: "use one of the two")
        }
        if baselineColor != nil, baseline == nil {
            throw fault("the baseline has a colour but no level", advice: "set the level in dBFS")
        }
        if separatorColor != nil, separators.isEmpty {
            throw fault("separators have a colour but no times", advice: "set the times in seconds")
        }
    }

    private func checkLimits() throws(MediaError) {
        try check("lower limit", lowerLimit, -160...60, "dBFS")
        try check("upper limit", upperLimit, -160...60, "dBFS")
        if scaleInUse == .linear, lowerLimit != nil {
            throw fault("the linear scale starts at silence and has no lower limit", advice: "use decibels")
        }
        guard scaleInUse == .decibels else { return }
        // The limits that are not automatic.
        let lower = lowerLimit ?? (style == .strip ? nil : LevelScale.defaultLower)
        let upper = upperLimit ?? (style == .strip ? nil : 0)
        if let lower, let upper, upper - lower < 1 {
            throw fault(
                "the limits \(lower.shortDescription) to \(upper.shortDescription) dBFS are less than 1 dB apart",
                advice: "raise the upper limit")
        }
        if let baseline, baseline < lowerLimit ?? baseline || baseline > upperLimit ?? baseline {
            throw fault("the baseline of \(baseline.shortDescription) dBFS is outside the limits")
        }
    }

    private var colorsAsked: [(name: String, color: RGBColor)] {
        colors.map { ("channels' colours", $0) }
            + [
                ("background", background), ("separators' colour", separatorColor),
                ("baseline's colour", baselineColor),
            ]
            .compactMap { name, color in color.map { (name, $0) } }
    }

    private func check(
        _ name: String, _ value: Double?, _ range: ClosedRange<Double>, _ unit: String
    ) throws(MediaError) {
        guard let value, !range.contains(value) else { return }
        let (from, to) = (range.lowerBound.shortDescription, range.upperBound.shortDescription)
        throw fault("the \(name) is \(from) to \(to) \(unit), not \(value.shortDescription)")
    }

    private func fault(_ reason: String, advice: MediaError.Advice? = nil) -> MediaError {
        MediaError(.parameter, step: "plot", reason: reason, advice: advice)
    }
}

// MARK: Defaults by style

extension LevelsPlot {
    var scaleInUse: Scale { scale ?? (style == .strip ? .decibels : .linear) }

    var layoutInUse: Layout { layout ?? (style == .strip ? .overlaid : isOneSided == true ? .split : .mirrored) }

    var drawsRMS: Bool { showsRMS ?? (style == .waveform && layoutInUse != .overlaid) }

    var hasAxes: Bool { showsAxes ?? (style != .bars) }

    var themeInUse: ChartTheme {
        var theme: ChartTheme = theme == .light ? .light : .dark
        if !colors.isEmpty { theme.series = colors }
        // Labels are made legible on the background; behind a translucent one, the theme's background is assumed.
        if let background, background.alpha == 1 { theme.background = background }
        return theme
    }
}
