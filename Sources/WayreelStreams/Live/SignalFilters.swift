package import WayreelCore

/// The filters of one viewer: each channel that they change has a filtered one beside it.
package struct SignalFilters: Sendable {
    /// A channel that a viewer's filters make.
    struct Channel: Sendable {
        /// The index of its source; nil for what filters add, such as events.
        var source: Int?
        var channel: SensorChannel
        /// The filters that change it, as they were given.
        var filter: String
    }

    private let filters: [(text: String, filter: SensorFilter)]
    private var chain: SensorFilterChain
    /// The streams whose samples the filters need.
    private let streams: Set<String>
    private(set) var channels: [Channel] = []
    /// Why the filters do not fit the samples; they do nothing more then.
    private var failure: MediaError?
    private var isFailureTold = false
    /// The index in ``channels`` of the filtered channel of a source.
    private var filtered: [Int: Int] = [:]
    /// The channels of the stream, as of the last head.
    private var sources: [SensorChannel] = []

    package static let most = 8
    /// The index of the first filtered channel: channels that come later keep theirs.
    static let firstIndex = 1000
    private static let (maxBytes, mostAdded) = (256, 64)

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
            self.channels.append(Channel(source: index, channel: channel, filter: texts.joined(separator: " ")))
        }
    }

    /// Returns the filtered samples of runs as further runs. What filters add are channels from then on.
    mutating func apply(_ pieces: [SignalBatch.Runs], from origin: SensorTime) -> SignalBatch.Runs {
        var made = SignalBatch.Runs()
        guard !channels.isEmpty, failure == nil else { return made }
        let targets = Set(channels.map(\.channel.stream))
        let needed = sources.map { targets.contains($0.stream) || streams.contains($0.stream) }
        var merge = SampleMerge()
        for piece in pieces {
            // The hub wrote them: they are whole.
            try? piece.bytes.withBytes { (bytes) throws(MediaError) -> Void in
                try SignalBatch.read(bytes, runs: piece.count, from: origin) { channel, times, numbers in
                    guard channel < needed.count, needed[channel] else { return }
                    merge.addFinite(channel, times.span, numbers.span)
                }
            }
        }
        var filtered: [SensorSample] = []
        merge.join(sources)
        do throws(MediaError) {
            while let sample = merge.next() { try chain.apply(sample, to: &filtered) }
        } catch { failure = error }
        var columns: [Int: (times: [Int64], values: [Float])] = [:]
        for sample in filtered {
            for component in sample.values.names {
                guard let value = sample.values[component], let index = index(of: component, in: sample.stream) else {
                    continue
                }
                columns[index, default: ([], [])].times.append(sample.time.microseconds)
                columns[index]?.values.append(Float(value))
            }
        }
        for (index, column) in columns.sorted(by: { $0.key < $1.key }) {
            made.add(Self.firstIndex + index, column.times, column.values, from: origin)
        }
        return made
    }

    /// Why the filters do not fit the samples, once.
    mutating func takeFailure() -> MediaError? {
        defer { isFailureTold = failure != nil }
        return isFailureTold ? nil : failure
    }

    /// The index of the filtered channel of a component, which is added if filters have made it; nil if none changes it.
    private mutating func index(of component: String, in stream: String) -> Int? {
        let known = channels.firstIndex { $0.channel.component == component && $0.channel.stream == stream }
        if let known { return known }
        guard !sources.contains(where: { $0.component == component && $0.stream == stream }),
            channels.count - filtered.count < Self.mostAdded
        else { return nil }
        channels.append(
            Channel(
                channel: SensorChannel(stream, component), filter: filters.map(\.text).joined(separator: " ")))
        return channels.count - 1
    }
}
