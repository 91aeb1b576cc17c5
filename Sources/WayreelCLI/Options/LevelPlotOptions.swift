internal import ArgumentParser
internal import WayreelMedia

/// Drawing of levels in image outputs.
struct LevelPlotOptions: ParsableArguments {
    @Option(help: "Plot style: waveform, bars or strip. (default: waveform)")
    var style: LevelsPlot.Style?

    @Option(help: "Image size: WIDTHxHEIGHT in pixels. (default: 1200x300)")
    var size: PixelSize?

    @Option(help: "Colour theme: light or dark. (default: light)")
    var theme: LevelsPlot.Theme?

    @Option(
        name: .customLong("color"), help: "Channel colour: #e06c00, teal, … Once per channel. (default: the theme's)",
        transform: RGBColor.parse)
    var colors: [RGBColor] = []

    @Option(help: "Background colour, or transparent. (default: the theme's)", transform: RGBColor.parse)
    var background: RGBColor?

    @Option(help: "Channel layout: mirrored, split or overlaid. (default: mirrored; overlaid for a strip)")
    var layout: LevelsPlot.Layout?

    @Option(help: "Amplitude scale: linear or decibels. (default: linear; decibels for a strip)")
    var scale: LevelsPlot.Scale?

    @Option(parsing: .unconditional, help: "Lower bound in dBFS. (default: -60; automatic for a strip)")
    var lowerLimit: Double?

    @Option(parsing: .unconditional, help: "Upper bound in dBFS. (default: 0; automatic for a strip)")
    var upperLimit: Double?

    @Flag(inversion: .prefixedNo, help: "Draw axes with time and dBFS ticks. (default: with a waveform and a strip)")
    var axes: Bool?

    @Flag(inversion: .prefixedNo, help: "Draw channel names. (default: with axes and several channels)")
    var legend: Bool?

    @Option(help: "Label font: 'DejaVu Serif Bold'. (default: DejaVu Sans)")
    var font: String?

    @Option(help: "Label size in pixels.")
    var textSize: Double?

    @Option(name: .customLong("separator"), help: "Draw a separator line at this time in seconds. Repeatable.")
    var separators: [Double] = []

    @Option(help: "Separator colour.", transform: RGBColor.parse)
    var separatorColor: RGBColor?

    @Flag(inversion: .prefixedNo, help: "Draw the RMS inside a waveform. (default: shown)")
    var rms: Bool?

    @Flag(help: "Draw the waveform or bars from the bottom.")
    var oneSided = false

    @Option(help: "Bar width in pixels.")
    var barWidth: Double?

    @Option(help: "Gap between bars in pixels.")
    var barGap: Double?

    @Option(help: "Corner radius of bars in pixels. (default: half the width)")
    var barRadius: Double?

    @Option(help: "Number of latest readings in a strip. (default: all)")
    var capacity: Int?

    @Option(help: "Line width of a strip in pixels.")
    var lineWidth: Double?

    @Flag(inversion: .prefixedNo, help: "Draw a dot on a strip's latest reading. (default: shown)")
    var dot: Bool?

    @Option(help: "Format of a strip's latest reading in dBFS: '%.1f dB'; '' for none. (default: %.1f)")
    var label: String?

    @Option(parsing: .unconditional, help: "Baseline of a strip in dBFS.")
    var baseline: Double?

    @Option(help: "Baseline colour.", transform: RGBColor.parse)
    var baselineColor: RGBColor?

    /// Returns the requested plot.
    func plot(meter: MeterBallistics?) -> LevelsPlot {
        var plot = LevelsPlot(
            style: style ?? .waveform, size: size ?? PixelSize(width: 1200, height: 300), theme: theme ?? .light)
        plot.colors = colors
        plot.background = background
        plot.layout = layout
        plot.scale = scale
        plot.lowerLimit = lowerLimit
        plot.upperLimit = upperLimit
        plot.showsAxes = axes
        plot.showsLegend = legend
        if let font { plot.font = font }
        plot.textSize = textSize
        plot.separators = separators
        plot.separatorColor = separatorColor
        plot.showsRMS = rms
        if oneSided { plot.isOneSided = true }
        plot.barWidth = barWidth
        plot.barGap = barGap
        plot.barRadius = barRadius
        plot.capacity = capacity
        plot.lineWidth = lineWidth
        plot.showsDot = dot
        plot.label = label
        plot.baseline = baseline
        plot.baselineColor = baselineColor
        plot.meter = meter
        return plot
    }

    /// The first given option, for an error if there is no image output.
    var firstGiven: String? {
        let given: [(String, Bool)] = [
            ("style", style != nil), ("size", size != nil), ("theme", theme != nil), ("color", !colors.isEmpty),
            ("background", background != nil), ("layout", layout != nil), ("scale", scale != nil),
            ("lower-limit", lowerLimit != nil), ("upper-limit", upperLimit != nil), ("axes", axes != nil),
            ("legend", legend != nil), ("font", font != nil), ("text-size", textSize != nil),
            ("separator", !separators.isEmpty), ("separator-color", separatorColor != nil), ("rms", rms != nil),
            ("one-sided", oneSided), ("bar-width", barWidth != nil), ("bar-gap", barGap != nil),
            ("bar-radius", barRadius != nil), ("capacity", capacity != nil), ("line-width", lineWidth != nil),
            ("dot", dot != nil), ("label", label != nil), ("baseline", baseline != nil),
            ("baseline-color", baselineColor != nil),
        ]
        return given.first(where: \.1)?.0
    }
}
