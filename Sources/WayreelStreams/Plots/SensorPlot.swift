public import WayreelCore
internal import WayreelDrawing
internal import WayreelEngine

/// A plot of a recording: lanes of strip charts over one time axis, or an electrocardiogram on its paper.
///
///     var plot = SensorPlot(streams: [try SensorSelection(parsing: "heading.degrees:unit=°")])
///     let picture = try plot.picture(of: "walk.ndjson")
///     let svg = try picture.draw(as: .svg)
///
/// No peak is lost at any width: each column of pixels shows the extremes of its samples.
public struct SensorPlot: Hashable, Sendable {
    public enum TimeAxis: String, Hashable, Sendable, Codable, CaseIterable {
        /// Seconds since the first sample of the recording.
        case seconds
        /// Times of the day.
        case clock
        /// Dates and times of the day.
        case date
    }

    public enum Theme: String, Hashable, Sendable, Codable, CaseIterable {
        case light, dark
        /// An SVG follows its reader; other files are light.
        case auto
    }

    public enum FileType: String, Hashable, Sendable, Codable, CaseIterable {
        case png, svg, pdf
    }

    public enum Paper: String, Hashable, Sendable, Codable, CaseIterable {
        /// The paper of an electrocardiograph: 25 mm/s, 10 mm/mV, at true size, 10 s a sheet.
        case ecg
    }

    /// A moment of a recording.
    public enum Moment: Hashable, Sendable {
        /// Seconds since its first sample.
        case seconds(Double)
        case time(SensorTime)
    }

    /// A mark beside those of the recording.
    public struct Mark: Hashable, Sendable {
        public var moment: Moment
        public var text: String

        public init(_ moment: Moment, _ text: String) { (self.moment, self.text) = (moment, text) }
    }

    /// The channels, from the top; a channel that several select is drawn as the first of them says.
    public var streams: [SensorSelection]
    /// In pixels; nil for one that suits the lanes. Not for paper, which has its own.
    public var size: PixelSize?
    public var theme = Theme.light
    /// By default seconds or, for a recording with dates, clock times or, for more than a day and a half, dates.
    public var time: TimeAxis?
    /// The time zone of clock times and dates: a name of the IANA database.
    public var zone = "UTC"
    /// Where the plot begins; at the first sample if nil.
    public var start: Moment?
    /// How long it is in seconds; to the last sample if nil, or 10 s on paper, which may have up to 300 s in a PDF.
    public var seconds: Double?
    /// No line is drawn over a time without samples of more than this many usual intervals of a channel; nil: over any
    /// time.
    public var gap: Double? = 5
    /// The recording's title if nil.
    public var title: String?
    /// Whom the picture names below: the recording's credit if nil.
    public var credit: String?
    public var marks: [Mark] = []
    public var paper: Paper?
    /// Whether filtered samples are drawn over what they were before, and what filters drop as crosses.
    public var showsRaw = true
    /// A Pango font family list with style words, without size.
    public var font = "DejaVu Sans"
    /// Font size (em) of all labels in pixels, 4 to 200; nil for one that suits the size.
    public var textSize: Double?

    public init(streams: [SensorSelection] = [SensorSelection("*")]) { self.streams = streams }

    /// The most channels of a plot, which bounds its memory.
    public static let channelLimit = 128

    /// Reads the recording at `path`, or standard input for `-`, to its end, and reduces it to what the plot shows.
    ///
    /// Throws a `parameter` error for wrong settings and filters and for streams that the recording does not have, a
    /// `limit` error for more than ``channelLimit`` channels, and the errors of reading.
    ///
    /// - Parameter onDamage: Is called with the error of each damaged line, which is then left out. nil: a damaged line
    ///   is an error.
    public func picture(
        of path: String, filters: [SensorFilter] = [], cancellation: Cancellation = Cancellation(),
        onDamage: ((MediaError) -> Void)? = nil
    ) throws(MediaError) -> SensorPicture {
        try check()
        _ = try SensorFilterChain(filters)
        return try picture(
            of: RecordingFiles.open(path, cancellation: cancellation, onDamage: onDamage), named: path, filters: filters
        )
    }

    /// The same for a recording that is open. `name` is its name in errors and, without another one, its title.
    package func picture(
        of source: any RecordingSource, named name: String, filters: [SensorFilter] = []
    ) throws(MediaError) -> SensorPicture {
        try check()
        var reading = PlotReading(self, filters: try SensorFilterChain(filters))
        try reading.read(source)
        return try SensorPicture(self, reading, source.head, name: name, filters: filters)
    }

    /// Throws a `parameter` error for invalid settings.
    package func check() throws(MediaError) {
        let fault = ErrorSite(.parameter, step: .plot)
        guard !streams.isEmpty, streams.count <= 1000 else { throw fault("a plot has 1 to 1000 selections of streams") }
        if let size {
            guard paper == nil else { throw fault("paper has its own size", "leave out the size") }
            guard size.width >= 1, size.height >= 1, size.longerSide <= 32_767, size.pixels <= 32_000_000 else {
                throw fault(
                    .limit, "a plot of \(size) is impossible: at most 32767 pixels per side and 32 million in total",
                    "use another size")
            }
        }
        if let seconds, !(seconds >= 0.001 && seconds <= 1e12) {
            throw fault("the length is 0.001 to 1e12 seconds, not \(seconds.shortDescription)")
        }
        let most = PaperSheet.seconds * Double(PaperSheet.limit)
        if paper != nil, let seconds, seconds > most {
            throw fault(
                "\(PaperSheet.limit) sheets hold \(most.shortDescription) s at 25 mm/s, not \(seconds.shortDescription) s",
                "choose a shorter part, or leave out the paper")
        }
        if let gap, !(gap >= 1 && gap <= 1e9) {
            throw fault("a gap is 1 to 1e9 usual intervals, not \(gap.shortDescription)")
        }
        if let textSize, !(4...200).contains(textSize) {
            throw fault("the text size is 4 to 200 pixels, not \(textSize.shortDescription)")
        }
        for moment in [start].compactMap(\.self) + marks.map(\.moment) {
            let seconds =
                switch moment {
                case .seconds(let seconds): seconds
                case .time(let time): Double(time.microseconds) / 1e6
                }
            guard seconds.magnitude <= 1e12 else { throw fault("\(seconds) s is no time of a recording") }
        }
        guard marks.count <= 10_000 else { throw fault("\(marks.count) marks exceed the limit of 10000") }
        guard LocalClock(zone) != nil else { throw fault("the time zone '\(zone)' is unknown") }
        for selection in streams where selection.scale == .log {
            if case .fixed(let range) = selection.range, range.lowerBound <= 0 {
                throw fault(
                    "the range of '\(selection.pattern)' begins at \(range.lowerBound.shortDescription)",
                    "a logarithmic scale begins above 0")
            }
        }
        try TextLimits.check(text: "0", font: font)
    }

    /// Throws a `parameter` error for several sheets of paper in a file of one page.
    package func check(as type: FileType) throws(MediaError) {
        guard paper != nil, type != .pdf, let seconds, seconds > PaperSheet.seconds else { return }
        throw MediaError(
            .parameter, step: .plot,
            reason:
                "a sheet holds \(PaperSheet.seconds.shortDescription) s at 25 mm/s, not \(seconds.shortDescription) s",
            advice: "write a PDF, which has several sheets, or choose a shorter part")
    }

    /// The most parts of a channel that are kept: four of a column of pixels or more; of several sheets of paper, one for
    /// each 2.5 ms.
    var traceCapacity: Int {
        let width = paper == nil ? size?.width ?? Self.defaultWidth : 2500
        let one = min(max(4 * width, 4096), 32_768)
        guard paper != nil, let seconds, seconds > PaperSheet.seconds else { return one }
        return max(one, Int((seconds / 0.0025).rounded(.up)))
    }

    static let defaultWidth = 1200
}
