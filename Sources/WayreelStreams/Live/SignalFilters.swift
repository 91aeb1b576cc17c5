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

    /// Of these, `findsEvents`: those that leave samples as they are.
    private let filters: [(text: String, filter: SensorFilter, findsEvents: Bool)]
    private var chain: SensorFilterChain
    /// The same before any sample.
    private let unused: SensorFilterChain
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
    /// The streams that a filter changes, or finds events in.
    private var targets: Set<String> = []
    /// The time of the newest sample that was filtered.
    private var latest: SensorTime?
    private var found: [SensorEvent] = []

    package static let most = 8
    /// The index of the first filtered channel: channels that come later keep theirs.
    static let firstIndex = 1000
    private static let (maxBytes, mostAdded) = (256, 64)
    /// The most events that a viewer is told at once.
    package static let mostEvents = 500

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
            let filter = try SensorFilter(parsing: text)
            return (text, filter, try !SensorFilterChain([filter]).addedComponents.isEmpty)
        }
        unused = try SensorFilterChain(filters.map(\.filter))
        chain = unused
        // A filter may read another stream, which it names as in gyro=rotation.z.
        streams = Set(
            filters.flatMap { $0.filter.arguments.values }.compactMap { SensorChannel(named: $0)?.stream })
    }

    package var isEmpty: Bool { filters.isEmpty }

    /// As they were given.
    var texts: [String] { filters.map(\.text) }

    /// Takes over the channels of a head. Filtered channels keep their index, and new ones come after them.
    mutating func describe(_ channels: [SensorChannel]) {
        sources = channels
        for (index, channel) in channels.enumerated() where filtered[index] == nil {
            let own = filters.filter { $0.filter.target.includes(channel.component, of: channel.stream) }
            if !own.isEmpty { targets.insert(channel.stream) }
            let texts = own.filter { !$0.findsEvents }.map(\.text)
            guard !texts.isEmpty else { continue }
            filtered[index] = self.channels.count
            self.channels.append(Channel(source: index, channel: channel, filter: texts.joined(separator: " ")))
        }
    }

    /// Returns the filtered samples of runs as further runs. What filters add are channels from then on.
    mutating func apply(_ pieces: [SignalBatch.Runs], from origin: SensorTime) -> SignalBatch.Runs {
        var made = SignalBatch.Runs()
        guard !targets.isEmpty, failure == nil else { return made }
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
        var (filtered, count): ([SensorSample], Int) = ([], 0)
        var columns: [Int: (times: [Int64], values: [Float])] = [:]
        merge.join(sources)
        do throws(MediaError) {
            while let sample = merge.next() {
                // A recording that is played again from an earlier place begins anew. Whoever sends may make each sample
                // one of them, so that nothing is computed for that.
                if let latest, sample.time.seconds(since: latest) < -1 { chain = unused }
                latest = sample.time
                let before = chain.passed
                try chain.apply(sample, to: &filtered)
                count += chain.passed - before
                guard count <= SensorFilterChain.mostMade else { throw Self.tooMany }
                for sample in filtered { take(sample, into: &columns) }
                filtered.removeAll(keepingCapacity: true)
            }
        } catch {
            failure = error
            for sample in filtered { take(sample, into: &columns) }
        }
        for (index, column) in columns.sorted(by: { $0.key < $1.key }) {
            made.add(Self.firstIndex + index, column.times, column.values, from: origin)
        }
        // All runs of a message are counted in 16 bits.
        guard made.count + pieces.reduce(0, { $0 + $1.count }) <= Int(UInt16.max) else {
            failure = Self.tooMany
            return SignalBatch.Runs()
        }
        return made
    }

    private static let tooMany = MediaError(
        .limit, step: .filter, reason: "the filters make more samples than a viewer is sent at once",
        advice: "choose a lower rate")

    /// Adds the values of a filtered sample to those of their channels.
    private mutating func take(
        _ sample: SensorSample, into columns: inout [Int: (times: [Int64], values: [Float])]
    ) {
        let isEvent = takeEvent(sample)
        for component in sample.values.names where !isEvent || component == "bpm" {
            guard let value = sample.values[component], let index = index(of: component, in: sample.stream) else {
                continue
            }
            columns[index, default: ([], [])].times.append(sample.time.microseconds)
            columns[index]?.values.append(Float(value))
        }
    }

    /// Takes a sample of a stream of events, of which the rate is a channel. Returns whether it is one.
    private mutating func takeEvent(_ sample: SensorSample) -> Bool {
        guard !sources.contains(where: { $0.stream == sample.stream }),
            let event = SensorEvent(sample, of: sources + channels.filter { $0.source == nil }.map(\.channel))
        else { return false }
        found.append(event)
        return true
    }

    /// The newest events since the last time, at most ``mostEvents``.
    mutating func takeEvents() -> [SensorEvent] {
        defer { found.removeAll() }
        return found.suffix(Self.mostEvents)
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
        let unit = component == "bpm" ? component : nil
        channels.append(
            Channel(
                channel: SensorChannel(stream, component, unit: unit),
                filter: texts.joined(separator: " ")))
        return channels.count - 1
    }
}
