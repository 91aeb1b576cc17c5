public import WayreelCore
internal import WayreelDrawing
internal import WayreelEngine

/// A recording as a plot shows it, reduced to what can be seen; to be drawn as files of several kinds.
public struct SensorPicture: Sendable {
    /// What a reader of the picture should know, and does not see in it.
    public private(set) var warnings: [String] = []

    let plot: SensorPlot
    let head: RecordingHead
    let title: String
    let filters: [SensorFilter]
    /// The times beyond thresholds that filters have found.
    let spans: [SensorMark]
    /// The shown channels in the order of the plot, of which at least one has samples.
    let channels: [PlottedChannel]
    /// The time of the recording's first sample.
    let origin: Int64
    /// The times of the plot's ends, at least a millisecond apart.
    let window: ClosedRange<Int64>

    init(
        _ plot: SensorPlot, _ reading: PlotReading, _ head: RecordingHead, name: String, filters: [SensorFilter]
    ) throws(MediaError) {
        let fault = ErrorSite(.parameter, step: .plot, subject: name)
        (self.plot, self.head, self.filters) = (plot, head, filters)
        let sink = reading.sink
        let names = head.channels.map(\.name)
        let added = sink.added.map { one in plot.streams.firstIndex { $0.names(one.channel) } }
        for (index, selection) in plot.streams.enumerated()
        where !sink.selections.contains(index) && !added.contains(index) {
            guard !head.channels.contains(where: selection.includes) else { continue }
            if names.isEmpty { throw fault(.decoding, "the recording has no samples") }
            throw fault("no channel matches '\(selection.pattern)'", Self.advice(selection.pattern, head.channels))
        }
        channels = plot.streams.indices.flatMap { selection in
            sink.selections.indices.filter { sink.selections[$0] == selection }.map { index in
                PlottedChannel(
                    head.channels[index], plot.streams[selection], sink, index,
                    isFiltered: filters.contains {
                        $0.target.includes(head.channels[index].component, of: head.channels[index].stream)
                    })
            }
                + zip(sink.added, added).filter { $1 == selection }.map { one, _ in
                    PlottedChannel(one.channel, plot.streams[selection], one.trace, sink)
                }
        }
        let times = channels.compactMap(\.times)
        guard let origin = sink.origin, let earliest = times.map(\.lowerBound).min(),
            let latest = times.map(\.upperBound).max()
        else {
            if sink.origin == nil { throw fault(.decoding, "the recording has no samples") }
            throw fault(
                "the streams have no samples in the chosen time", "choose another; it counts from the first sample")
        }
        self.origin = origin
        let start = plot.start == nil && plot.seconds == nil ? earliest : sink.window.lowerBound
        let end = sink.window.upperBound == .max ? latest : sink.window.upperBound - 1
        // A single moment is in the middle.
        let missing = end == start ? 1_000_000 : max(0, 1000 - (end - start))
        window = start - missing / 2...end + missing / 2
        spans = sink.spans(until: end)
        let file = name == "-" ? "" : String(name.split(separator: "/").last ?? "")
        title = plot.title ?? head.title ?? file
        warnings = try warnings(reading.idle)
    }

    private static func advice(_ pattern: String, _ channels: [SensorChannel]) -> MediaError.Advice {
        let names = channels.map(\.name)
        let parts = channels.flatMap { [$0.stream, $0.component] }
        if let near = nearestName(to: pattern, in: names + parts) { return "did you mean '\(near)'?" }
        let some = names.prefix(8).joined(separator: ", ")
        return "it has \(some)\(names.count > 8 ? " and \(names.count - 8) more" : "")"
    }

    private static func names(_ channels: [PlottedChannel]) -> String {
        let names = channels.prefix(3).map(\.channel.name).joined(separator: ", ")
        return channels.count > 3 ? "\(names) and \(channels.count - 3) more" : names
    }

    private func warnings(_ idle: [SensorFilter]) throws(MediaError) -> [String] {
        var warnings = idle.map { "the recording has no '\($0.target)': the filter '\($0.name)' has done nothing" }
        let late = channels.filter { $0.lateCount > 0 }
        if !late.isEmpty {
            let count = late.reduce(0) { $0 + $1.lateCount }
            warnings.append(
                "\(count.counted("value")) of \(Self.names(late)) came after a later one; each is drawn at its time")
        }
        let cut = channels.filter { $0.selection.scale == .log && $0.parts.contains { $0.lowest.value <= 0 } }
        if !cut.isEmpty {
            warnings.append(
                "values of \(Self.names(cut)) that are not above 0 have no place on the logarithmic scale")
        }
        if plot.time ?? .seconds != .seconds, head.notation != .date, window.lowerBound.magnitude < 100_000_000_000_000
        {
            throw MediaError(
                .parameter, step: .plot, reason: "the recording's times are seconds from an unknown start, not dates",
                advice: "leave the axis in seconds")
        }
        let text = try ChartText(font: plot.font, size: 12)
        if let warning = text.warning { warnings.append(warning) }
        if plot.paper != nil { warnings += try PaperSheet(self).warnings }
        return warnings
    }

    /// Draws the picture and returns the file. Equal pictures give equal bytes. On paper, each 10 s are a page of a PDF.
    ///
    /// Throws a `parameter` error for more than 10 s of paper in another file than a PDF, a `limit` error for a size that
    /// cannot be drawn, and an `unsupported` error if no font is installed.
    public func draw(as type: SensorPlot.FileType) throws(MediaError) -> [UInt8] {
        try plot.check(as: type)
        let sink = MemorySink()
        let kind: DrawingFile.Kind =
            switch type {
            case .png: .png
            case .svg: .svg
            case .pdf: .pdf
            }
        if plot.paper != nil {
            let sheet = try PaperSheet(self)
            var file = DrawingFile(kind, size: sheet.size)
            file.title = title.isEmpty ? "Electrocardiogram" : title
            file.summary = "Electrocardiogram at 25 mm/s and 10 mm/mV; \(summary)"
            file.unitsPerMillimetre = PaperSheet.millimetre
            try file.write(to: sink, pages: PaperSheet.count(self)) { (canvas, number) throws(MediaError) in
                try PaperSheet(self, number: number).paint(on: canvas)
            }
        } else {
            let chart = try chart()
            try chart.write(image(for: chart, kind), as: kind, to: sink)
        }
        return sink.bytes
    }

    private func image(for chart: LaneChart, _ kind: DrawingFile.Kind) -> ChartImage {
        let em = plot.textSize ?? 12
        let size =
            plot.size
            ?? PixelSize(width: SensorPlot.defaultWidth, height: min(chart.height(textSize: em), 20_000))
        let theme: ChartImage.Theme =
            switch plot.theme {
            case .light: .light
            case .dark: .dark
            case .auto: kind == .svg ? .followingReader : .light
            }
        var image = ChartImage(size: size, theme: theme)
        image.font = plot.font
        image.textSize = plot.textSize ?? (plot.size == nil ? em : nil)
        return image
    }

    /// The position of a time between the ends of the plot: 0 to 1.
    func share(of time: Int64) -> Double {
        (Double(time) - Double(window.lowerBound)) / Double(window.upperBound - window.lowerBound)
    }

    var credit: String { plot.credit ?? head.credit ?? "" }
}

/// A channel with what is drawn of it.
struct PlottedChannel: Sendable {
    let channel: SensorChannel
    let selection: SensorSelection
    /// In the unit of the plot: the samples that are drawn, those before filters (none if they are the same), and those
    /// that filters dropped.
    private(set) var parts: [SensorTrace.Part]
    private(set) var raw: [SensorTrace.Part] = []
    private(set) var dropped: [SensorTrace.Part] = []
    /// The beats that a filter has found.
    let beats: [SensorTrace.Part]
    let beatCount: Int
    let usualInterval: Double?
    /// The number of samples before filters.
    let count: Int
    let lateCount: Int
    let unit: String?
    /// From the recording's unit to this one.
    private let factor: Double

    fileprivate init(
        _ channel: SensorChannel, _ selection: SensorSelection, _ sink: PlotSink, _ index: Int, isFiltered: Bool
    ) {
        self.init(channel, selection, sink.traces[index], sink)
        let dropped = sink.dropped[index].finished().map { $0.scaled(by: factor) }
        let passed = sink.filtered[index].finished().map { $0.scaled(by: factor) }
        // Filters that find events leave the samples as they are.
        guard !dropped.isEmpty || !passed.isEmpty && isFiltered && passed != parts else { return }
        (parts, raw, self.dropped) = (passed, parts, dropped)
    }

    /// A channel that filters have added.
    fileprivate init(_ channel: SensorChannel, _ selection: SensorSelection, _ trace: SensorTrace, _ sink: PlotSink) {
        (self.channel, self.selection) = (channel, selection)
        (count, lateCount) = (trace.count, trace.lateCount)
        usualInterval = trace.usualInterval
        unit = selection.unit ?? channel.unit
        let factor =
            channel.unit.flatMap { from in selection.unit.flatMap { SensorUnit.factor(from: from, to: $0) } } ?? 1
        self.factor = factor
        parts = trace.finished().map { $0.scaled(by: factor) }
        let stream = SensorEvent.Kind.beats.stream(of: channel.stream)
        let found = sink.added.first { $0.channel.stream == stream && $0.channel.component == channel.component }
        beats = found?.trace.finished().map { $0.scaled(by: factor) } ?? []
        beatCount = found?.trace.count ?? 0
    }

    /// The times of the first and the last sample, before filters too.
    var times: ClosedRange<Int64>? {
        let all = [parts, raw, dropped]
        guard let first = all.compactMap(\.first?.first.time).min(), let last = all.compactMap(\.last?.last.time).max()
        else { return nil }
        return first...max(first, last)
    }

    var name: String { selection.label ?? channel.name }

    /// The samples with the least and the greatest value.
    var extremes: (lowest: SensorTrace.Sample, highest: SensorTrace.Sample)? {
        guard let lowest = parts.map(\.lowest).min(by: { $0.value < $1.value }),
            let highest = parts.map(\.highest).max(by: { $0.value < $1.value })
        else { return nil }
        return (lowest, highest)
    }
}
