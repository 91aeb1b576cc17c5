public import WayreelCore

/// Statistics of the contents of a recording of sensor streams.
public struct SensorSummary: Sendable, Encodable {
    public struct Stream: Sendable, Encodable {
        public struct Component: Sendable, Encodable {
            public var samples: Int
            public var minimum: Double
            public var maximum: Double
            /// The unit as the recording writes it; nil if it does not say it.
            public var unit: String?
        }

        public var samples = 0
        /// The time from the earliest to the latest sample, in seconds.
        public var seconds = 0.0
        /// The samples per second between the earliest and the latest; nil for a single moment.
        public var rate: Double?
        /// The longest interval without a sample, in seconds.
        public var longestGap = 0.0
        /// The number of samples that are earlier than one before them in the file.
        public var outOfOrder = 0
        /// The number of samples that have the time of the latest one before them.
        public var repeatedTimes = 0
        public var components: [String: Component] = [:]

        fileprivate var earliest: SensorTime
        fileprivate var latest: SensorTime

        private enum CodingKeys: CodingKey {
            case samples, seconds, rate, longestGap, outOfOrder, repeatedTimes, components
        }
    }

    /// An annotation.
    public struct Mark: Sendable, Encodable {
        /// A date or a number of seconds, as the recording writes times.
        public var time: String
        /// 0 for a moment.
        public var seconds: Double
        public var text: String
        /// The name of a channel; nil for all.
        public var channel: String?
    }

    /// The streams by name.
    public var streams: [String: Stream] = [:]
    public var samples = 0
    /// The time from the earliest to the latest sample, in seconds.
    public var seconds = 0.0
    public var notation: SensorTime.Notation?
    /// The number of damaged lines that were skipped.
    public var skipped = 0
    public var marks: [Mark] = []
    /// What the recording is of, and whom to credit; nil if it does not say it.
    public var title: String?
    public var credit: String?

    /// Reads a recording to its end. Throws the errors of the reader.
    public init(_ reader: SensorReader) throws(MediaError) {
        while let sample = try reader.next() { add(sample) }
        let head = reader.head
        notation = head.notation
        skipped = head.skipped
        (title, credit) = (head.title, head.credit)
        marks = head.marks.map {
            Mark(time: $0.time.text(notation ?? .seconds), seconds: $0.seconds, text: $0.text, channel: $0.channel)
        }
        for channel in head.channels { streams[channel.stream]?.components[channel.component]?.unit = channel.unit }
        let times = streams.values.map { ($0.earliest, $0.latest) }
        if let first = times.map(\.0).min(), let last = times.map(\.1).max() { seconds = last.seconds(since: first) }
        for (name, stream) in streams {
            let seconds = stream.latest.seconds(since: stream.earliest)
            streams[name]?.seconds = seconds
            if seconds > 0 { streams[name]?.rate = Double(stream.samples - 1) / seconds }
        }
    }

    /// The names of the components of all streams, sorted.
    public var components: [String] { Set(streams.values.flatMap(\.components.keys)).sorted() }

    private mutating func add(_ sample: SensorSample) {
        samples += 1
        var stream = streams[sample.stream] ?? Stream(earliest: sample.time, latest: sample.time)
        if stream.samples > 0 {
            let seconds = sample.time.seconds(since: stream.latest)
            stream.longestGap = max(stream.longestGap, seconds)
            if seconds < 0 { stream.outOfOrder += 1 }
            if seconds == 0 { stream.repeatedTimes += 1 }
        }
        stream.samples += 1
        stream.earliest = min(stream.earliest, sample.time)
        stream.latest = max(stream.latest, sample.time)
        for name in sample.values.names {
            guard let value = sample.values[name] else { continue }
            var component = stream.components[name] ?? .init(samples: 0, minimum: value, maximum: value)
            component.samples += 1
            component.minimum = min(component.minimum, value)
            component.maximum = max(component.maximum, value)
            stream.components[name] = component
        }
        streams[sample.stream] = stream
    }
}
