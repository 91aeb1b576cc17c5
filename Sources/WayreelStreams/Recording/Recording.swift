package import WayreelCore

/// One component of a stream, as a lane of a plot shows it.
public struct SensorChannel: Hashable, Sendable {
    /// The name of the stream: `ecg`.
    public var stream: String
    /// The name of the component: `ii`.
    public var component: String
    /// The unit of the values as it is written, such as `mV` or `°`; nil if the recording does not say it.
    public var unit: String?
    /// Samples a second, if the recording says that they are even.
    public var rate: Double?

    public init(_ stream: String, _ component: String, unit: String? = nil, rate: Double? = nil) {
        (self.stream, self.component, self.unit, self.rate) = (stream, component, unit, rate)
    }

    /// The channel of a ``name``; nil for any other text.
    package init?(named text: some StringProtocol) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ SensorSample.isName($0) }) else { return nil }
        self.init(String(parts[0]), String(parts[1]))
    }

    /// `stream.component`, as filters and plots name it: `ecg.ii`.
    public var name: String { "\(stream).\(component)" }
}

/// An annotation: a text at a time of a recording.
public struct SensorMark: Hashable, Sendable {
    public var time: SensorTime
    /// 0 for a moment.
    public var seconds: Double
    public var text: String
    /// The name of the channel that it belongs to; nil for all.
    public var channel: String?

    public init(_ time: SensorTime, seconds: Double = 0, text: String, channel: String? = nil) {
        (self.time, self.seconds, self.text, self.channel) = (time, seconds, text, channel)
    }

    /// Those of its texts.
    var textBytes: Int { text.utf8.count + (channel?.utf8.count ?? 0) }
}

/// What a recording says about itself and its channels.
///
/// Formats with a header know all of it before the first sample; of others it grows while they are read. Channels keep
/// their index.
public struct RecordingHead: Sendable {
    public var channels: [SensorChannel] = []
    /// How the recording writes its times; nil before the first sample. ``SensorTime/Notation/seconds`` for times from an
    /// arbitrary start.
    public var notation: SensorTime.Notation?
    public var marks: [SensorMark] = []
    /// The bytes of the texts of the marks that were read.
    var markBytes = 0
    /// Units that the recording says of channels by name, also of those that have not come yet.
    package var units: [String: String] = [:]
    /// What the recording is of; nil if it does not say it.
    public var title: String?
    /// Whom a picture of it has to name, such as the database and its licence; nil if the recording does not say it.
    public var credit: String?
    /// The number of damaged lines that were left out.
    public var skipped = 0

    public init() {}

    /// This head with what a file beside the recording says: its marks, and what the recording itself leaves open.
    package func completed(by notes: RecordingHead) -> RecordingHead {
        var head = self
        head.marks += notes.marks
        head.title = title ?? notes.title
        head.credit = credit ?? notes.credit
        for index in channels.indices where channels[index].unit == nil {
            head.channels[index].unit = notes.units[channels[index].name]
        }
        return head
    }
}

/// Receives the samples of a recording.
package protocol SampleSink {
    /// Adds samples of a channel, in the order of the recording: times in microseconds (``SensorTime``), which may go
    /// backwards, and as many finite values.
    mutating func add(_ channel: Int, times: Span<Int64>, values: Span<Double>)

    /// Adds even samples: number `i` of `values` has the time `start` + (`first` + `i`) / `rate` seconds. A value that is
    /// not a number is a gap.
    mutating func add(_ channel: Int, start: SensorTime, rate: Double, first: Int, values: Span<Double>)
}

extension SampleSink {
    package mutating func add(_ channel: Int, start: SensorTime, rate: Double, first: Int, values: Span<Double>) {
        var (times, numbers): ([Int64], [Double]) = ([], [])
        times.reserveCapacity(values.count)
        numbers.reserveCapacity(values.count)
        for index in values.indices where values[index].isFinite {
            times.append(start.microseconds + Int64((Double(first + index) / rate * 1e6).rounded()))
            numbers.append(values[index])
        }
        add(channel, times: times.span, values: numbers.span)
    }
}

/// A recording of any format, from a file or while a recorder writes it. Belongs to one thread.
package protocol RecordingSource: AnyObject {
    /// What is known so far.
    var head: RecordingHead { get }

    /// Whether ``read(into:)`` does not wait for a recorder.
    var hasNext: Bool { get }

    /// Reads the next piece, and adds its samples to `sink`. Returns false at the end.
    ///
    /// Throws a `decoding` error that names the place if the recording is damaged, an `io` error if it cannot be read,
    /// and a `cancelled` error.
    func read(into sink: inout some SampleSink) throws(MediaError) -> Bool
}
