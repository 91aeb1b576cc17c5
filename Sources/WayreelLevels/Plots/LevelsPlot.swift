public import WayreelCore

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
}
