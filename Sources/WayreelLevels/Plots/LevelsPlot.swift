public import WayreelCore
internal import WayreelDrawing

/// A plot of levels over time.
///
/// nil selects a default that suits the style and size. No peak is lost at any width: each column of pixels, or each
/// bar, shows the extremes of all its readings.
public struct LevelsPlot: Hashable, Sendable, Codable {
    public enum Style: String, Hashable, Sendable, Codable, CaseIterable {
        /// The waveform, from the lowest to the highest sample.
        case waveform
        /// A row of rounded bars, as in media players.
        case bars
        /// A strip chart: a line with the latest reading at the right.
        case strip
    }

    /// Arrangement of the channels.
    public enum Layout: String, Hashable, Sendable, Codable, CaseIterable {
        /// Draws the first of each two channels upwards and the second downwards; a channel without a second one both
        /// ways.
        case mirrored
        /// One lane per channel.
        case split
        /// All channels in one lane.
        case overlaid
    }

    /// Meaning of heights.
    public enum Scale: String, Hashable, Sendable, Codable, CaseIterable {
        /// Amplitude: half the height is −6.02 dB.
        case linear
        /// dBFS between the lower and upper limit.
        case decibels
    }

    public enum Theme: String, Hashable, Sendable, Codable, CaseIterable {
        case light, dark
    }

    public enum FileType: String, Hashable, Sendable, Codable, CaseIterable {
        case png, svg
    }

    public var style: Style
    public var size: PixelSize
    public var theme: Theme
    /// One colour per channel, repeated if there are more channels; empty for the theme's colours.
    public var colors: [RGBColor]
    /// The background; the theme's if nil. May be transparent.
    public var background: RGBColor?
    /// By default mirrored for a waveform and two-sided bars, split for one-sided ones, overlaid for a strip.
    public var layout: Layout?
    /// By default linear for a waveform and bars, decibels for a strip.
    public var scale: Scale?
    /// In dBFS; lower levels are clamped. By default −60 for a waveform and bars, automatic for a strip. Not for the
    /// linear scale.
    public var lowerLimit: Double?
    /// In dBFS; higher levels are clamped. By default 0 for a waveform and bars, automatic for a strip.
    public var upperLimit: Double?
    /// Axes with time and dBFS ticks. By default shown with a waveform and a strip.
    public var showsAxes: Bool?
    /// Channel names and colours. By default shown with axes and several channels.
    public var showsLegend: Bool?
    /// A Pango font family list with style words, without size.
    public var font: String
    /// Font size (em) of all labels in pixels, 4 to 200.
    public var textSize: Double?
    /// Times in seconds at which a vertical line is drawn.
    public var separators: [Double]
    public var separatorColor: RGBColor?

    // MARK: Waveform

    /// Whether the root mean square is drawn in a softer tone, if measured. By default shown unless channels overlap.
    public var showsRMS: Bool?

    // MARK: Waveform and bars

    /// Whether magnitudes extend from the bottom of the lane instead of both ways from its middle.
    public var isOneSided: Bool?

    // MARK: Bars

    /// In pixels.
    public var barWidth: Double?
    /// In pixels.
    public var barGap: Double?
    /// Corner radius in pixels, at most half the width, which is the default.
    public var barRadius: Double?

    // MARK: Strip

    /// Number of latest readings in the strip; all if nil.
    public var capacity: Int?
    /// In pixels.
    public var lineWidth: Double?
    /// Whether the latest reading has a dot. By default shown.
    public var showsDot: Bool?
    /// Format of the latest reading in dBFS: text around one `%[0][width][.precision]f` or `%d`, as in `%.1f dB`; empty
    /// for no label. `%.1f` if nil.
    public var label: String?
    /// Level in dBFS of a horizontal line, which automatic limits include; none if nil.
    public var baseline: Double?
    public var baselineColor: RGBColor?
    /// The ballistics of a meter to draw instead of peaks.
    public var meter: MeterBallistics?

    public init(style: Style, size: PixelSize = PixelSize(width: 1200, height: 300), theme: Theme = .light) {
        self.style = style
        self.size = size
        self.theme = theme
        colors = []
        font = "DejaVu Sans"
        separators = []
    }

    /// Max pixels of a plot, which bounds its memory: 32 million.
    static let pixelLimit = 32_000_000

    /// Throws a `parameter` or `limit` error for invalid settings.
    package func check() throws(MediaError) {
        guard size.width > 0, size.height > 0 else {
            throw fault("a plot needs at least one pixel per side, not \(size)", "use a size such as 1200x300")
        }
        guard size.longerSide <= 32_767, size.pixels <= Self.pixelLimit else {
            throw MediaError(
                .limit, step: .plot,
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
            throw fault("\(separators.count) separators exceed the limit of 10000", "use fewer")
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
            throw fault("a mirrored plot cannot be one-sided", "use one of the two")
        }
        if baselineColor != nil, baseline == nil {
            throw fault("the baseline has a colour but no level", "set the level in dBFS")
        }
        if separatorColor != nil, separators.isEmpty {
            throw fault("separators have a colour but no times", "set the times in seconds")
        }
    }

    private func checkLimits() throws(MediaError) {
        try check("lower limit", lowerLimit, -160...60, "dBFS")
        try check("upper limit", upperLimit, -160...60, "dBFS")
        if scaleInUse == .linear, lowerLimit != nil {
            throw fault("the linear scale starts at silence and has no lower limit", "use decibels")
        }
        guard scaleInUse == .decibels else { return }
        // The limits that are not automatic.
        let lower = lowerLimit ?? (style == .strip ? nil : LevelScale.defaultLower)
        let upper = upperLimit ?? (style == .strip ? nil : 0)
        if let lower, let upper, upper - lower < 1 {
            throw fault(
                "the limits \(lower.shortDescription) to \(upper.shortDescription) dBFS are less than 1 dB apart",
                "raise the upper limit")
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

    private var fault: ErrorSite { ErrorSite(.parameter, step: .plot) }

    // MARK: Defaults by style

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
