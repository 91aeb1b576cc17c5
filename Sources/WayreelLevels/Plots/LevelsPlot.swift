public import WayreelCore

/// A picture of levels over time.
///
/// Everything that is nil is chosen to suit the style and the size. However narrow the picture, no peak is lost: where there
/// are more readings than pixels, each column of pixels, or each bar, shows the extremes of all its readings.
public struct LevelsPlot: Hashable, Sendable, Codable {
    public enum Style: String, Hashable, Sendable, Codable, CaseIterable {
        /// The sound's outline, from its lowest to its highest sample.
        case waveform
        /// A row of rounded bars, as players show.
        case bars
        /// A strip chart: a line with the newest reading at the right.
        case strip
    }

    /// Where the channels are drawn.
    public enum Layout: String, Hashable, Sendable, Codable, CaseIterable {
        /// The first of each two channels upwards and the second downwards; one without a second both ways.
        case mirrored
        /// A lane for each channel.
        case split
        /// All in one lane.
        case overlaid
    }

    /// What heights stand for.
    public enum Scale: String, Hashable, Sendable, Codable, CaseIterable {
        /// The amplitude: half as high is 6.02 dB less.
        case linear
        /// dBFS, from the lower to the upper limit.
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
    /// One for each channel in turn, from the first again where there are more channels; none: the theme's.
    public var colors: [RGBColor]
    /// The theme's where nil; may be transparent.
    public var background: RGBColor?
    /// Mirrored for a waveform and for bars that go both ways, split for those that do not, overlaid for a strip.
    public var layout: Layout?
    /// Linear for a waveform and bars, decibels for a strip.
    public var scale: Scale?
    /// dBFS; what is quieter lies on the edge. −60 for a waveform and bars, automatic for a strip. Not for the linear scale.
    public var lowerLimit: Double?
    /// dBFS; what is louder lies on the edge. 0 for a waveform and bars, automatic for a strip.
    public var upperLimit: Double?
    /// Ticks in time and dBFS. Shown with a waveform and a strip.
    public var showsAxes: Bool?
    /// The channels' names and colours. Shown with the axes where there are several channels.
    public var showsLegend: Bool?
    /// A Pango font family list with style words, without a size.
    public var font: String
    /// The em of all labels, in pixels, 4 to 200.
    public var textSize: Double?
    /// Moments at which a line is drawn from top to bottom, in seconds from the beginning of the sound.
    public var separators: [Double]
    public var separatorColor: RGBColor?

    // MARK: Waveform

    /// Whether a core in a softer tone shows the root mean square, where the levels hold it. Shown unless channels overlie.
    public var showsRMS: Bool?

    // MARK: Waveform and bars

    /// Whether magnitudes rise from the bottom of the lane instead of both ways from its middle.
    public var isOneSided: Bool?

    // MARK: Bars

    /// Pixels from a bar's left to its right.
    public var barWidth: Double?
    /// Pixels between two bars.
    public var barGap: Double?
    /// Of a bar's ends, in pixels, at most half its width, which is what nil means.
    public var barRadius: Double?

    // MARK: Strip

    /// How many readings the strip holds: the newest ones, up to the right edge. All of the sound where nil.
    public var capacity: Int?
    /// Pixels.
    public var lineWidth: Double?
    /// Whether there is a dot on the newest reading. Shown.
    public var showsDot: Bool?
    /// How the newest reading is written beside the strip, in dBFS: text around one `%[0][width][.precision]f` or `%d`, as
    /// `%.1f dB`; empty for no label. `%.1f` where nil.
    public var label: String?
    /// dBFS; a horizontal line there, and a part of automatic limits. None where nil.
    public var baseline: Double?
    public var baselineColor: RGBColor?
    /// The needle of this meter is drawn instead of the peaks.
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
