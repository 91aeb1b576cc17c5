package import WayreelCore

/// The filters of one viewer: each channel that they change has a filtered one beside it.
package struct SignalFilters: Sendable {
    /// A channel that a viewer's filters make.
    struct Channel: Sendable {
        /// The index of its source.
        var source: Int
        /// The filters that change it, as they were given.
        var filter: String
    }

    private let filters: [(text: String, filter: SensorFilter)]
    private var chain: SensorFilterChain
    /// The streams whose samples the filters need.
    private let streams: Set<String>
    private(set) var channels: [Channel] = []
    /// The index in ``channels`` of the filtered channel of a source.
    private var filtered: [Int: Int] = [:]
    /// The channels of the stream, as of the last head.
    private var sources: [SensorChannel] = []

    package static let most = 8
    /// The index of the first filtered channel: channels that come later keep theirs.
    static let firstIndex = 1000
    private static let maxBytes = 256

    /// Throws a `parameter` error for a text that is no filter, and for more than eight.
    package init(_ texts: [String] = []) throws(MediaError) {
        guard texts.count <= Self.most else {
            throw MediaError(
                .parameter, step: .filter, reason: "there are \(texts.count) filters; a viewer may have \(Self.most)")
        }
        filters = try texts.map { (text) throws(MediaError) in
            guard text.utf8.count <= Self.maxBytes else {
                throw MediaError(.parameter, step: .filter, reason: "a filter is longer than \(Self.maxBytes) bytes")
            }
            return (text, try SensorFilter(parsing: text))
        }
        chain = try SensorFilterChain(filters.map(\.filter))
        // A filter may read another stream, which it names as in gyro=rotation.z.
        streams = Set(
            filters.flatMap { $0.filter.arguments.values }.compactMap { value in
                let parts = value.split(separator: ".", omittingEmptySubsequences: false)
                return parts.count == 2 && parts.allSatisfy { SensorSample.isName($0) } ? String(parts[0]) : nil
            })
    }

    package var isEmpty: Bool { filters.isEmpty }

    /// Takes over the channels of a head. Filtered channels keep their index, and new ones come after them.
    mutating func describe(_ channels: [SensorChannel]) {
        sources = channels
        for (index, channel) in channels.enumerated() where filtered[index] == nil {
            let texts = filters.filter { $0.filter.target.includes(channel.component, of: channel.stream) }.map(\.text)
            guard !texts.isEmpty else { continue }
            filtered[index] = self.channels.count
            self.channels.append(Channel(source: index, filter: texts.joined(separator: " ")))
        }
    }

    /// Returns the filtered samples of runs as further runs.
    mutating func apply(_ pieces: [SignalBatch.Runs], from origin: SensorTime) -> SignalBatch.Runs {
        var made = SignalBatch.Runs()
        guard !channels.isEmpty else { return made }
        let targets = Set(channels.map { sources[$0.source].stream })
        let needed = sources.map { targets.contains($0.stream) || streams.contains($0.stream) }
        var gathered = GatheredSamples()
        for piece in pieces {
            // The hub wrote them: they are whole.
            try? piece.bytes.withBytes { (bytes) throws(MediaError) -> Void in
                try SignalBatch.read(bytes, runs: piece.count, from: origin) { channel, times, numbers in
                    guard channel < needed.count, needed[channel] else { return }
                    gathered.add(channel, times: times.span, values: numbers.span)
                }
            }
        }
        var columns = [(times: [Int64], values: [Float])](repeating: ([], []), count: channels.count)
        gathered.take(of: sources) { apply($0, &columns) }
        for (index, column) in columns.enumerated() where !column.times.isEmpty {
            made.add(Self.firstIndex + index, column.times, column.values, from: origin)
        }
        return made
    }

    private mutating func apply(_ sample: SensorSample, _ columns: inout [(times: [Int64], values: [Float])]) {
        guard let result = chain.apply(sample) else { return }
        for (index, channel) in channels.enumerated() {
            let source = sources[channel.source]
            guard source.stream == result.stream, let value = result.values[source.component] else { continue }
            columns[index].times.append(result.time.microseconds)
            columns[index].values.append(Float(value))
        }
    }
}
