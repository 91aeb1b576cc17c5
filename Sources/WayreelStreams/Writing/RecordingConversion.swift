package import WayreelCore

/// A conversion of a recording to another format.
///
/// The recording is read two or three times, so that the formats with a header know what follows it.
package struct RecordingConversion {
    /// The formats that are written.
    package enum Format: String, Sendable, CaseIterable {
        case csv, ndjson, edf, dicom

        /// Determines the format by the extension of a file's name; NDJSON for `-`.
        package init?(path: String) {
            switch path == "-" ? "ndjson" : path.fileExtension?.lowercased() {
            case "csv": self = .csv
            case "ndjson", "jsonl": self = .ndjson
            case "edf": self = .edf
            case "dcm": self = .dicom
            default: return nil
            }
        }
    }

    /// Which channels: streams (`ecg`), channels (`ecg.ii`), or either with `*` for any characters (`ecg.v*`). All if
    /// empty.
    package var streams: [String] = []
    /// Seconds after the first sample of the recording.
    package var from = 0.0
    /// Seconds; nil for all that follows.
    package var length: Double?
    /// Whether CSV has a row for each sample of a stream, instead of one for each time.
    package var isTidy = false

    package init() {}

    /// Converts the recording at `input`. The file at `output` is complete or absent.
    ///
    /// Throws an `io` error for a file that cannot be read or written, a `decoding` error for a damaged recording, a
    /// `parameter` error if nothing is chosen, and an `encoding` error for what the format cannot hold.
    package func convert(
        _ input: String, to output: String, as format: Format, cancellation: Cancellation = Cancellation(),
        onDamage: ((MediaError) -> Void)? = nil
    ) throws(MediaError) {
        var told = false
        let open = { () throws(MediaError) -> any RecordingSource in
            // What is damaged is told once.
            let isFirst = !told
            told = true
            return try RecordingFiles.open(
                input, cancellation: cancellation, onDamage: onDamage.map { tell in { if isFirst { tell($0) } } })
        }
        var measured = RecordingMeasure()
        let head = try measured.read(try open())
        guard let earliest = measured.channels.compactMap({ $0?.first }).min() else {
            throw MediaError(.decoding, step: .read, subject: input, reason: "the recording has no samples")
        }
        let selection = try select(head.channels, earliest, input)
        let parts = ConvertedRecording(head, selection, measured) { () throws(MediaError) in try open() }
        let sink = try AtomicOutput(output)
        switch format {
        case .ndjson: guard try RowWriter.writeNDJSON(parts, to: sink) else { throw nothing(in: input) }
        case .csv:
            guard try RowWriter.writeCSV(parts, isTidy: isTidy, to: sink) else { throw nothing(in: input) }
            // CSV has no place for marks.
            let marks = output + RecordingFiles.marksEnding
            if output != "-", !parts.marks.isEmpty || RegularFile.byteCount(marks) != nil {
                let beside = try AtomicOutput(marks)
                try RowWriter.writeMarks(parts, to: beside)
                return try OutputGroup.publish([sink, beside])
            }
        case .edf, .dicom:
            let measured = try parts.measured()
            guard measured.measures.contains(where: { $0 != nil }) else { throw nothing(in: input) }
            if format == .edf {
                try EDFWriter(measured, output).write(to: sink)
            } else {
                try DICOMWriter(output).write(measured, to: sink)
            }
        }
        try sink.finish()
    }

    private func nothing(in input: String) -> MediaError {
        MediaError(
            .parameter, step: .read, subject: input, reason: "the streams have no samples in the chosen time",
            advice: "choose another; it counts from the first sample")
    }

    private func select(
        _ channels: [SensorChannel], _ earliest: Int64, _ input: String
    ) throws(MediaError) -> SampleSelection {
        let from = SensorTime(microseconds: earliest).advanced(by: from)
        let selection = SampleSelection(
            channels: channels.map { channel in
                streams.isEmpty || streams.contains { channel.matches($0) }
            }, begin: from.microseconds,
            end: length.map { from.advanced(by: $0).microseconds } ?? .max)
        for pattern in streams where !channels.contains(where: { $0.matches(pattern) }) {
            let names = channels.prefix(20).map(\.name).joined(separator: ", ")
            throw MediaError(
                .parameter, step: .read, subject: input, reason: "the recording has no '\(pattern)'",
                advice: "it has \(names)\(channels.count > 20 ? ", …" : "")")
        }
        return selection
    }
}

/// Which samples are chosen.
struct SampleSelection {
    /// By the index of a channel.
    var channels: [Bool]
    /// Microseconds.
    var begin: Int64
    var end: Int64

    /// The index of a chosen channel among those that are chosen.
    var places: [Int?] {
        var count = 0
        return channels.map { isChosen in
            guard isChosen else { return nil }
            count += 1
            return count - 1
        }
    }
}

/// Passes on the samples of a selection.
struct SelectingSink<Base: SampleSink>: SampleSink {
    var base: Base
    private let places: [Int?]
    private let selection: SampleSelection

    init(_ base: Base, _ selection: SampleSelection) {
        (self.base, places, self.selection) = (base, selection.places, selection)
    }

    mutating func add(_ channel: Int, times: Span<Int64>, values: Span<Double>) {
        guard channel < places.count, let place = places[channel] else { return }
        var index = 0
        while index < times.count {
            while index < times.count, !contains(times[index]) { index += 1 }
            let first = index
            while index < times.count, contains(times[index]) { index += 1 }
            if first < index {
                base.add(place, times: times.extracting(first..<index), values: values.extracting(first..<index))
            }
        }
    }

    private func contains(_ time: Int64) -> Bool { time >= selection.begin && time < selection.end }
}

/// What the formats with a header need to know of the samples.
struct RecordingMeasure: SampleSink {
    struct Channel {
        var count = 0
        var first: Int64
        var last: Int64
        var least: Double
        var most: Double
        /// The first intervals between samples, in microseconds.
        var intervals: [Int64] = []
    }

    /// The most intervals that are kept of a channel.
    private static let sampled = 1001

    private(set) var channels: [Channel?] = []

    mutating func add(_ channel: Int, times: Span<Int64>, values: Span<Double>) {
        guard !times.isEmpty else { return }
        while channels.count <= channel { channels.append(nil) }
        var found = channels[channel] ?? Channel(first: times[0], last: times[0], least: values[0], most: values[0])
        found.count += times.count
        for index in times.indices {
            if index > 0, found.intervals.count < Self.sampled {
                found.intervals.append(times[index] &- times[index - 1])
            }
            found.first = min(found.first, times[index])
            found.last = max(found.last, times[index])
            found.least = min(found.least, values[index])
            found.most = max(found.most, values[index])
        }
        channels[channel] = found
    }

    /// Reads a recording to its end. Returns what it says about itself.
    mutating func read(_ source: any RecordingSource) throws(MediaError) -> RecordingHead {
        while try source.read(into: &self) {}
        return source.head
    }
}

/// The chosen samples of a recording, which can be read again.
struct ConvertedRecording {
    let channels: [SensorChannel]
    let marks: [SensorMark]
    let notation: SensorTime.Notation
    let title: String?
    let credit: String?
    private let selection: SampleSelection
    private let open: () throws(MediaError) -> any RecordingSource

    init(
        _ head: RecordingHead, _ selection: SampleSelection, _ measure: RecordingMeasure,
        _ open: @escaping () throws(MediaError) -> any RecordingSource
    ) {
        channels = zip(head.channels, selection.channels).filter(\.1).map(\.0)
        let names = Set(channels.map(\.name))
        marks = head.marks.filter { mark in
            mark.time.microseconds >= selection.begin && mark.time.microseconds < selection.end
                && mark.channel.map(names.contains) ?? true
        }
        .sorted { $0.time < $1.time }
        (notation, title, credit) = (head.notation ?? .seconds, head.title, head.credit)
        (self.selection, self.open) = (selection, open)
    }

    /// Passes the samples to `sink`, and calls `each` after each piece of the recording.
    func read<Sink: SampleSink>(
        into sink: inout Sink, each: (inout Sink) throws(MediaError) -> Void = { (_) throws(MediaError) in }
    ) throws(MediaError) {
        let source = try open()
        var selecting = SelectingSink(sink, selection)
        while try source.read(into: &selecting) { try each(&selecting.base) }
        sink = selecting.base
    }

    /// The recording with measures of the channels that have samples.
    func measured() throws(MediaError) -> MeasuredRecording {
        var measure = RecordingMeasure()
        try read(into: &measure)
        return MeasuredRecording(recording: self, measures: measure.channels)
    }
}

struct MeasuredRecording {
    var recording: ConvertedRecording
    /// By the index of a channel; nil, and absent at the end, for a channel without samples.
    var measures: [RecordingMeasure.Channel?]
}
