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

        fileprivate init(_ time: SensorTime) { (earliest, latest) = (time, time) }

        /// Adds the time of a sample.
        fileprivate mutating func add(_ time: SensorTime) {
            if samples > 0 {
                let seconds = time.seconds(since: latest)
                longestGap = max(longestGap, seconds)
                if seconds < 0 { outOfOrder += 1 }
                if seconds == 0 { repeatedTimes += 1 }
            }
            samples += 1
            earliest = min(earliest, time)
            latest = max(latest, time)
        }

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
        if let lines = try reader.rows() {
            var (rows, row) = (SummarizedRows(), SampleRow())
            while try lines.next(into: &row) { rows.add(row) }
            streams = rows.streams(reader.channels)
        } else {
            var columns = SummarizedColumns()
            while try reader.read(into: &columns) { columns.addTimes(reader.channels, to: &streams) }
            columns.addValues(reader.channels, to: &streams)
        }
        samples = streams.values.reduce(0) { $0 + $1.samples }
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
}

/// The values of a channel.
private struct SummarizedValues {
    private(set) var count = 0
    private var (least, greatest) = (Double.infinity, -Double.infinity)

    mutating func add(_ value: Double) {
        count += 1
        (least, greatest) = (min(least, value), max(greatest, value))
    }

    var component: SensorSummary.Stream.Component { .init(samples: count, minimum: least, maximum: greatest) }
}

/// The samples of a recording of lines that hold one each, of which no ``SensorSample`` is made.
private struct SummarizedRows {
    private var streams: [SensorSummary.Stream?] = []
    private var channels: [(stream: Int, values: SummarizedValues)] = []

    mutating func add(_ row: SampleRow) {
        while streams.count <= row.stream { streams.append(nil) }
        if streams[row.stream] == nil { streams[row.stream] = SensorSummary.Stream(row.time) }
        streams[row.stream]?.add(row.time)
        for (index, channel) in row.channels.enumerated() {
            // Of two columns for one channel, the last counts.
            guard !row.channels[(index + 1)...].contains(channel) else { continue }
            while channels.count <= channel { channels.append((row.stream, SummarizedValues())) }
            channels[channel].stream = row.stream
            channels[channel].values.add(row.values[index])
        }
    }

    /// The streams by name, with what is known of their values.
    func streams(_ names: [SensorChannel]) -> [String: SensorSummary.Stream] {
        var found: [String: SensorSummary.Stream] = [:]
        for (channel, name) in zip(channels, names) where channel.values.count > 0 {
            if found[name.stream] == nil { found[name.stream] = streams[channel.stream] }
            found[name.stream]?.components[name.component] = channel.values.component
        }
        return found
    }
}

/// The samples of a recording of columns, of which no sample is made. The values of a stream at one time are one sample, as
/// ``SampleMerge`` makes it.
private struct SummarizedColumns: SampleSink {
    private struct Column {
        /// The times of the piece.
        var times: [Int64] = []
        var values = SummarizedValues()
    }

    private var columns: [Column] = []

    mutating func add(_ channel: Int, times: Span<Int64>, values: Span<Double>) {
        while columns.count <= channel { columns.append(Column()) }
        for index in times.indices { columns[channel].times.append(times[index]) }
        var known = columns[channel].values
        for index in values.indices { known.add(values[index]) }
        columns[channel].values = known
    }

    /// Adds the times of a piece, and forgets them.
    mutating func addTimes(_ channels: [SensorChannel], to streams: inout [String: SensorSummary.Stream]) {
        let groups = Dictionary(grouping: columns.indices.filter { !columns[$0].times.isEmpty }) { channels[$0].stream }
        for (name, group) in groups {
            let first = columns[group[0]].times
            var stream = streams[name] ?? SensorSummary.Stream(SensorTime(microseconds: first[0]))
            if group.dropFirst().allSatisfy({ columns[$0].times == first }) {
                for time in first { stream.add(SensorTime(microseconds: time)) }
            } else {
                addJoined(group, to: &stream)
            }
            streams[name] = stream
        }
        for index in columns.indices { columns[index].times.removeAll(keepingCapacity: true) }
    }

    /// Adds always the earliest of the first times of the columns.
    private func addJoined(_ group: [Int], to stream: inout SensorSummary.Stream) {
        let times = group.map { columns[$0].times }
        var places = Array(repeating: 0, count: times.count)
        while true {
            var earliest: Int64?
            for index in times.indices where places[index] < times[index].count {
                earliest = min(earliest ?? .max, times[index][places[index]])
            }
            guard let earliest else { return }
            for index in times.indices where places[index] < times[index].count {
                if times[index][places[index]] == earliest { places[index] += 1 }
            }
            stream.add(SensorTime(microseconds: earliest))
        }
    }

    /// Adds what is known of the values.
    func addValues(_ channels: [SensorChannel], to streams: inout [String: SensorSummary.Stream]) {
        for (column, channel) in zip(columns, channels) where column.values.count > 0 {
            streams[channel.stream]?.components[channel.component] = column.values.component
        }
    }
}
