public import WayreelCore

/// Reads a recording of sensor streams sample by sample, from a file of any format, or while a recorder writes it as NDJSON
/// or CSV.
///
/// The content of a file determines its format. Samples of NDJSON and of CSV with the columns `time,stream,…` are returned in
/// the order of the lines, even if time goes backwards; of other formats, in the order of their times, and the values of
/// a stream at one time as one sample. A reader must be used from a single thread.
public final class SensorReader {
    /// The notation of times in the recording; nil before the first sample.
    public private(set) var notation: SensorTime.Notation?

    private let source: any RecordingSource
    private let notes: RecordingHead?
    /// ``source``, if each of its lines holds a sample, once that is known.
    private var lines: (any SampleSource)?
    private var merge = SampleMerge()
    let cancellation: Cancellation
    /// Makes ``next()``, which may wait on another thread, throw a `cancelled` error.
    let stopping = Cancellation()

    /// Opens the file at `path`, or standard input for `-`.
    ///
    /// - Parameter onDamage: Is called with the error of each damaged line, which is then skipped. nil: a damaged
    ///   line is an error.
    /// - Throws: An `io` error if the file cannot be read, a `decoding` error if it is damaged.
    public init(
        _ path: String, cancellation: Cancellation = Cancellation(), onDamage: ((MediaError) -> Void)? = nil
    ) throws(MediaError) {
        self.cancellation = cancellation
        let input = RecordingInput(path: path, cancellation: cancellation, stopping: stopping, onDamage: onDamage)
        source = try RecordingFiles.open(input)
        notes = try RecordingFiles.notes(beside: input)
    }

    /// What is known of the recording so far: channels with their units, marks, whom to credit.
    public var head: RecordingHead { notes.map(source.head.completed) ?? source.head }

    /// The number of damaged lines that were skipped.
    public var skipped: Int { source.head.skipped }

    /// Whether the next sample is buffered, so that ``next()`` does not block.
    public var hasNext: Bool { merge.hasNext || source.hasNext }

    /// Returns the next sample, or nil at the end.
    ///
    /// Throws a `decoding` error that names the line if a line is damaged, an `io` error if the input cannot be read,
    /// and a `cancelled` error.
    public func next() throws(MediaError) -> SensorSample? {
        if let rows = try rows() {
            let sample = try rows.nextSample()
            notation = rows.notation
            return sample
        }
        while !merge.hasNext {
            guard try read(into: &merge) else { return nil }
            merge.join(channels)
        }
        return merge.next()
    }

    /// The recording as one of lines that hold a sample each; nil for one of columns. May wait for a recorder.
    func rows() throws(MediaError) -> (any SampleSource)? {
        if lines == nil { lines = try ((source as? TextRecording)?.content() ?? source) as? any SampleSource }
        return lines
    }

    /// Passes the next piece of a recording of columns to `sink`. Returns false at the end. Throws as ``next()``.
    func read(into sink: inout some SampleSink) throws(MediaError) -> Bool {
        guard !cancellation.isCancelled, !stopping.isCancelled else { throw .cancelled(step: .read) }
        guard try source.read(into: &sink) else { return false }
        notation = source.head.notation
        return true
    }

    /// The channels that are known so far.
    var channels: [SensorChannel] { source.head.channels }
}

/// A recording of lines that hold a sample each.
protocol SampleSource: RecordingSource {
    var notation: SensorTime.Notation? { get }

    /// Reads the next sample into `row`, whose stream and channels are indices. Returns false at the end.
    func next(into row: inout SampleRow) throws(MediaError) -> Bool

    /// Returns the next sample, or nil at the end.
    func nextSample() throws(MediaError) -> SensorSample?
}

/// Joins the values of channels that have one time to samples.
struct SampleMerge: SampleSink {
    private var pieces: [(times: [Int64], values: [Double])] = []
    private var samples: [SensorSample] = []
    private var first = 0

    var hasNext: Bool { first < samples.count }

    mutating func next() -> SensorSample? {
        guard first < samples.count else { return nil }
        first += 1
        return samples[first - 1]
    }

    mutating func add(_ channel: Int, times: Span<Int64>, values: Span<Double>) {
        while pieces.count <= channel { pieces.append(([], [])) }
        for index in times.indices {
            pieces[channel].times.append(times[index])
            pieces[channel].values.append(values[index])
        }
    }

    /// Adds samples of a channel without its gaps, which are not finite.
    mutating func addFinite(_ channel: Int, _ times: Span<Int64>, _ values: Span<Double>) {
        while pieces.count <= channel { pieces.append(([], [])) }
        for index in times.indices where values[index].isFinite {
            pieces[channel].times.append(times[index])
            pieces[channel].values.append(values[index])
        }
    }

    /// Makes samples of what was added: of the first times of the channels, always the earliest. Channels whose times go
    /// backwards together stay together.
    mutating func join(_ channels: [SensorChannel]) {
        samples.removeAll(keepingCapacity: true)
        first = 0
        var places = Array(repeating: 0, count: pieces.count)
        while true {
            var earliest: Int64?
            for (channel, place) in places.enumerated() where place < pieces[channel].times.count {
                earliest = min(earliest ?? .max, pieces[channel].times[place])
            }
            guard let earliest else { break }
            var open: [String: Int] = [:]
            for (channel, place) in places.enumerated()
            where place < pieces[channel].times.count && pieces[channel].times[place] == earliest {
                let (name, value) = (channels[channel], pieces[channel].values[place])
                places[channel] += 1
                if let index = open[name.stream] {
                    samples[index].values[name.component] = value
                } else {
                    open[name.stream] = samples.count
                    samples.append(
                        SensorSample(
                            SensorTime(microseconds: earliest), stream: name.stream, values: [name.component: value]))
                }
            }
        }
        for channel in pieces.indices {
            pieces[channel].times.removeAll(keepingCapacity: true)
            pieces[channel].values.removeAll(keepingCapacity: true)
        }
    }
}

extension MediaError.Step {
    public static let wait = MediaError.Step(rawValue: "wait")
}

extension OptionName {
    public static let skipDamaged = OptionName(rawValue: "SensorReader.onDamage")

    /// All of this module.
    package static let ofStreams: [OptionName] = [.skipDamaged]
}
