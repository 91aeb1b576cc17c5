internal import ArgumentParser
internal import Wayreel

/// How levels are drawn, where an output is a picture.
struct PictureOptions: ParsableArguments {
    @Option(help: "waveform, bars or strip. (default: waveform)")
    var style: LevelsPlot.Style?

    @Option(help: "WIDTHxHEIGHT in pixels. (default: 1200x300)")
    var size: PixelSize?

    @Option(help: "light or dark. (default: light)")
    var theme: LevelsPlot.Theme?

    @Option(
        name: .customLong("color"), help: "Of a channel: #e06c00, teal, … Once for each channel. (default: the theme's)"
    )
    var colors: [RGBColor] = []

    @Option(help: "A colour, or transparent. (default: the theme's)")
    var background: RGBColor?

    @Option(help: "mirrored, split or overlaid. (default: mirrored; overlaid for a strip)")
    var layout: LevelsPlot.Layout?

    @Option(help: "linear or decibels. (default: linear; decibels for a strip)")
    var scale: LevelsPlot.Scale?

    @Option(parsing: .unconditional, help: "dBFS at the bottom. (default: -60; automatic for a strip)")
    var lowerLimit: Double?

    @Option(parsing: .unconditional, help: "dBFS at the top. (default: 0; automatic for a strip)")
    var upperLimit: Double?

    @Flag(inversion: .prefixedNo, help: "Ticks in time and dBFS. (default: with a waveform and a strip)")
    var axes: Bool?

    @Flag(inversion: .prefixedNo, help: "The channels' names. (default: with axes and several channels)")
    var legend: Bool?

    @Option(help: "The font of labels: 'DejaVu Serif Bold'. (default: DejaVu Sans)")
    var font: String?

    @Option(help: "The size of labels, in pixels.")
    var textSize: Double?

    @Option(name: .customLong("separator"), help: "A line at this moment, in seconds. As often as wanted.")
    var separators: [Double] = []

    @Option(help: "The colour of separators.")
    var separatorColor: RGBColor?

    @Flag(inversion: .prefixedNo, help: "The RMS as the core of a waveform. (default: shown)")
    var rms: Bool?

    @Flag(help: "Waveform or bars that rise from the bottom.")
    var oneSided = false

    @Option(help: "Width of a bar, in pixels.")
    var barWidth: Double?

    @Option(help: "Space between bars, in pixels.")
    var barGap: Double?

    @Option(help: "Radius of a bar's ends, in pixels. (default: half its width)")
    var barRadius: Double?

    @Option(help: "Readings that a strip holds, the newest. (default: all of the sound)")
    var capacity: Int?

    @Option(help: "Width of a strip's lines, in pixels.")
    var lineWidth: Double?

    @Flag(inversion: .prefixedNo, help: "A dot on a strip's newest reading. (default: shown)")
    var dot: Bool?

    @Option(help: "How a strip's newest reading is written, in dBFS: '%.1f dB'; '' for not at all. (default: %.1f)")
    var label: String?

    @Option(parsing: .unconditional, help: "dBFS of a strip's baseline.")
    var baseline: Double?

    @Option(help: "The colour of the baseline.")
    var baselineColor: RGBColor?

    /// The plot that was asked for.
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

    /// The first option that was given, which has no meaning where nothing is drawn.
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
