internal import WayreelCore

/// A ring of readings between the thread that adds samples and the one that displays them. Adding never blocks: when
/// the ring is full, its two oldest readings are merged, so that a slow reader loses resolution but no peaks.
///
/// The lock is held while one reading is copied, a fraction of a microsecond without allocation. A reading consists of
/// several values that are merged in index, which atomics cannot do for both sides.
final class ReadingQueue: @unchecked Sendable {
    /// A reading without its channels.
    struct Entry {
        var index: Int
        /// In samples from the start of the meter.
        var start: Int
        var count: Int
        var merged = 0
        var isPartial = false
    }

    private let sampleRate: Double
    private let channelCount: Int
    private let monitor = Monitor()

    // Guarded by `monitor`.
    private var entries: [Entry]
    /// The channels of entry i start at i · `channelCount`.
    private var channels: [ChannelReading]
    private var first = 0
    private var filled = 0
    private var isClosed = false
    private var bells: [Bell] = []

    /// Wakes a task that waits for a reading: a stream of at most one void value.
    final class Bell: Sendable {
        let rings: AsyncStream<Void>
        fileprivate let continuation: AsyncStream<Void>.Continuation

        fileprivate init() { (rings, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1)) }
    }

    /// A queue for `capacity` readings, at least two.
    init(capacity: Int, channelCount: Int, sampleRate: Int) {
        self.sampleRate = Double(sampleRate)
        self.channelCount = channelCount
        entries = Array(repeating: Entry(index: 0, start: 0, count: 0), count: capacity)
        channels = Array(repeating: ChannelReading(), count: capacity * channelCount)
    }

    // MARK: Writing

    /// Adds the next reading.
    func push(_ entry: Entry, _ readings: [ChannelReading]) {
        let bells = monitor.locked {
            if filled == entries.count { mergeOldest() }
            let slot = index(filled)
            entries[slot] = entry
            for channel in 0..<channelCount { channels[slot * channelCount + channel] = readings[channel] }
            filled += 1
            return self.bells
        }
        monitor.signal()
        for bell in bells { bell.continuation.yield() }
    }

    /// Ends the queue.
    func close() {
        let bells = monitor.locked {
            isClosed = true
            defer { self.bells = [] }
            return self.bells
        }
        monitor.signalAll()
        for bell in bells { bell.continuation.finish() }
    }

    var isFinished: Bool { monitor.locked { isClosed } }

    // MARK: Reading

    /// The oldest reading; nil if there is none.
    func pop() -> LiveReading? { take {} }

    /// All readings merged; nil if there are none.
    func popAll() -> LiveReading? {
        take { while filled > 1 { mergeOldest() } }
    }

    /// Waits up to `seconds` for the oldest reading; nil after that, and once the queue is closed and empty.
    func wait(seconds: Double) -> LiveReading? {
        // Bounded to a valid number of seconds.
        let deadline = Clock.wall + max(0, min(seconds, 1e9))
        return take { while filled == 0, !isClosed, monitor.wait(until: deadline) {} }
    }

    /// Adds a bell that rings with each new reading until ``remove(_:)``.
    func addBell() -> Bell {
        let bell = Bell()
        let isOver = monitor.locked {
            if !isClosed { bells.append(bell) }
            return isClosed
        }
        if isOver { bell.continuation.finish() }
        return bell
    }

    func remove(_ bell: Bell) {
        monitor.locked { bells.removeAll { $0 === bell } }
        bell.continuation.finish()
    }

    /// The oldest reading after `prepare`, which runs under the lock.
    private func take(_ prepare: () -> Void) -> LiveReading? {
        var readings: [ChannelReading] = []
        readings.reserveCapacity(channelCount)
        let entry: Entry? = monitor.locked {
            prepare()
            guard filled > 0 else { return nil }
            defer {
                first = index(1)
                filled -= 1
            }
            readings.append(contentsOf: channels[first * channelCount..<(first + 1) * channelCount])
            return entries[first]
        }
        return entry.map { entry in
            LiveReading(
                index: entry.index, time: Double(entry.start) / sampleRate, duration: Double(entry.count) / sampleRate,
                merged: entry.merged, isPartial: entry.isPartial, channels: readings.map(LiveReading.Channel.init))
        }
    }

    // MARK: With the lock held

    private func index(_ offset: Int) -> Int { (first + offset) % entries.count }

    /// Merges the two oldest entries into the second.
    private func mergeOldest() {
        let (oldest, next) = (index(0), index(1))
        entries[next].index = entries[oldest].index
        entries[next].start = entries[oldest].start
        entries[next].count += entries[oldest].count
        entries[next].merged += entries[oldest].merged + 1
        for channel in 0..<channelCount {
            var reading = channels[oldest * channelCount + channel]
            reading.join(channels[next * channelCount + channel])
            channels[next * channelCount + channel] = reading
        }
        first = next
        filled -= 1
    }
}
