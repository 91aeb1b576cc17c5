internal import ArgumentParser
internal import Wayreel
internal import WayreelCLI
internal import WayreelCore
internal import WayreelStory
internal import WayreelStreams

struct StreamsPlotCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "plot",
        abstract: "Draws a recording as strip charts, or an electrocardiogram on its paper.",
        discussion: """
            wayreel streams plot walk.ndjson -o walk.png --stream accuracy --stream 'heading.degrees:unit=°,range=0..360'
            wayreel streams plot ecg.csv -o ecg.pdf --paper ecg --stream 'ecg.*:unit=mV' --from 2s --for 10s
            wayreel streams plot walk.ndjson -o walk.svg --filter heading:smooth=0.5s --filter accuracy:max=50 --theme auto
            wayreel streams plot export.zip -o walk.svg --stream 'accelerometer.*:lane=acceleration' --stream speed
            recorder | wayreel streams plot - -o acceleration.svg --stream 'acceleration.*:lane=acceleration,unit=m/s²'

            --stream takes a stream (heading), a component of any stream (accuracy) or stream.component, with * for any characters, and \
            after a colon how its lane looks:
              unit=mV          draws in this unit; values in another one of the same quantity, such as µV, are converted
              label=Text       names the line
              lane=Name        puts all with this name into one lane
              range=-1..1      from the first to the second number; all (the default); or robust, which leaves out the most extreme \
            hundredth. What is beyond is marked at the edge.
              scale=log        logarithmic, or linear (the default)
              line=steps       each value holds until the next; points; or line (the default)
              color=#0b66c3    instead of the theme's
              threshold=0.5    a line across the lane; repeatable

            No peak is lost at any width: each column shows the lowest and the highest of its samples. With --filter, as in 'wayreel \
            streams replay', the filtered line is drawn over the grey line before it, and what filters drop as crosses.

            Beats that a filter finds are rings on their line, and times beyond a threshold are marked; their own streams are drawn if \
            they are named: --filter ecg.ii:peaks=200ms --stream ecg.ii --stream ecg-beats.bpm

            --paper ecg is the paper of an electrocardiograph at true size, 25 mm/s and 10 mm/mV: 10 s on A4, twelve leads as usual with \
            lead II below, others in rows. Print it without scaling. A PDF may have up to 300 s, 10 s a sheet:
            wayreel streams plot ecg.csv -o ecg.pdf --paper ecg --stream 'ecg.*:unit=mV' --for 1:00

            Exit status: 0 done, 1 failed, 2 wrong usage.
            """)

    @Argument(help: "The recording; - for standard input.", completion: .file())
    var recording: String

    @Option(
        name: [.short, .long],
        help: "A file that ends in .svg, .png or .pdf. Repeatable: the same picture in several kinds.",
        completion: .file())
    var output: [String] = []

    @Option(
        help: ArgumentHelp(
            "What to draw, as in 'ecg.*' or heading.degrees:unit=°. Repeatable, from the top. (default: all)",
            valueName: "stream"))
    var stream: [String] = []

    @Option(
        help: ArgumentHelp("A filter, as in heading:smooth=0.5s. Repeatable; applied in order.", valueName: "filter"),
        completion: .custom { _, _, _ in SensorFilterCatalog.all.map(\.example) })
    var filter: [String] = []

    @Flag(inversion: .prefixedNo, help: "With filters, draw the samples before them and those that they drop.")
    var raw = true

    @Option(
        parsing: .unconditional,
        help:
            "Where the plot begins: seconds since the first sample, as 2s, 1:30 or 500ms, or a date. (default: its start)"
    )
    var from: String?

    @Option(
        name: .customLong("for"),
        help: "How long it is: 10s, 500ms, 1:30, 2h; on paper in a PDF up to 5:00. (default: to the end; 10s on paper)")
    var length: String?

    @Option(help: "ecg: electrocardiograph paper at true size.")
    var paper: SensorPlot.Paper?

    @Option(help: "Width and height in pixels. (default: 1200 wide, as high as the lanes need)")
    var size: PixelSize?

    @Option(help: "light, dark, or auto: an SVG that follows its reader. (default: light)")
    var theme: SensorPlot.Theme?

    @Option(help: "The axis: seconds, clock or date. (default: seconds; clock or date for recordings with dates)")
    var time: SensorPlot.TimeAxis?

    @Option(help: "The time zone of clock times and dates.")
    var zone = "UTC"

    @Option(
        help: "Draw no line over a time without samples of more than this many usual intervals; never: over any time.")
    var gap = "5"

    @Option(
        name: .customLong("mark"), parsing: .unconditionalSingleValue,
        help: ArgumentHelp("A mark with a text, as in 3.2s=stumbled. Repeatable.", valueName: "time=text"))
    var marks: [String] = []

    @Option(help: "The title. (default: the recording's, or its file's name)")
    var title: String?

    @Option(help: "Whom the picture names below, such as a database and its licence. (default: the recording's credit)")
    var credit: String?

    @Option(help: "Label font: 'DejaVu Serif Bold'.")
    var font: String?

    @Option(help: "Label size in pixels.")
    var textSize: Double?

    @OptionGroup var damage: DamageOptions

    func validate() throws {
        guard !output.isEmpty, output.allSatisfy({ Self.type(of: $0) != nil }) else {
            throw ValidationError("--output takes a file that ends in .svg, .png or .pdf")
        }
        guard gap == "never" || Double(gap) != nil else {
            throw ValidationError("--gap takes a number of usual intervals, or never")
        }
        if let length, RecordingTimeText.seconds(length) == nil {
            throw ValidationError("--for takes a length of time as 10s, 500ms or 1:30, not '\(length)'")
        }
        if let from, Self.moment(from) == nil {
            throw ValidationError("--from takes a time as 2s, 1:30 or 2026-11-23T17:05:09Z, not '\(from)'")
        }
        for mark in marks where Self.mark(mark) == nil {
            throw ValidationError("--mark takes a time and a text, as in 3.2s=stumbled, not '\(mark)'")
        }
        if LocalClock(zone) == nil {
            let advice = TimeZones.fault(zone)?.advice ?? "use a name such as America/Los_Angeles"
            throw ValidationError("--zone takes a time zone, not '\(zone)'; \(advice)")
        }
        if zone != "UTC", time == .seconds { throw ValidationError("--zone has no effect on an axis of seconds") }
        guard paper != nil else { return }
        if size != nil { throw ValidationError("--paper has a size of its own; leave out --size") }
        if theme != nil { throw ValidationError("--paper has colours of its own; leave out --theme") }
        if textSize != nil { throw ValidationError("--paper has letters of its own size; leave out --text-size") }
    }

    private static func type(of path: String) -> SensorPlot.FileType? {
        path.split(separator: ".").last.flatMap { SensorPlot.FileType(rawValue: $0.lowercased()) }
    }

    func run() throws {
        for path in output { try OutputFile.check(path, isNoneOf: [recording]) }
        let plot = try self.plot()
        for path in output { try plot.check(as: Self.type(of: path) ?? .svg) }
        let filters = try filter.map { (text) throws(MediaError) in try SensorFilter(parsing: text) }
        let warnings = DamageWarnings()
        defer { warnings.finish() }
        let picture = try plot.picture(
            of: recording, filters: filters, cancellation: Interrupt.cancellation,
            onDamage: warnings.handler(damage.skipDamaged))
        for warning in picture.warnings { Console.error("warning: \(warning)".onOneLine) }
        for path in output { try Console.deliver(picture.draw(as: Self.type(of: path) ?? .svg), to: path) }
    }

    private func plot() throws -> SensorPlot {
        var plot = SensorPlot()
        if !stream.isEmpty {
            plot.streams = try stream.map { (text) throws(MediaError) in try SensorSelection(parsing: text) }
        }
        (plot.size, plot.paper, plot.time, plot.zone) = (size, paper, time, zone)
        if let theme { plot.theme = theme }
        plot.start = from.flatMap(Self.moment)
        plot.seconds = length.flatMap(RecordingTimeText.seconds)
        plot.gap = gap == "never" ? nil : Double(gap)
        plot.marks = marks.compactMap(Self.mark)
        (plot.title, plot.credit, plot.showsRaw, plot.textSize) = (title, credit, raw, textSize)
        if let font { plot.font = font }
        return plot
    }

    // MARK: Times

    private static func moment(_ text: String) -> SensorPlot.Moment? {
        if let date = SensorTime(date: text) { return .time(date) }
        return RecordingTimeText.seconds(text).map { .seconds($0) }
    }

    private static func mark(_ text: String) -> SensorPlot.Mark? {
        let sides = text.split(separator: "=", maxSplits: 1)
        guard sides.count == 2, let moment = moment(String(sides[0])) else { return nil }
        return SensorPlot.Mark(moment, String(sides[1]))
    }
}
