internal import WayreelCore

/// Readings on their way from the thread that adds samples to the one that shows them: a ring that never refuses one. Where
/// it is full, its two oldest become one, so that a slow reader loses detail and no peak, and takes no memory.
///
/// Its lock is held for the copy of one reading, a fraction of a microsecond in which nothing is allocated, so that neither
/// side waits for the other in earnest. It has one since a reading is several values that belong together, and that are
/// joined in place: what atomics could not do for both sides at once.
final class ReadingQueue: @unchecked Sendable {
    /// A reading but for its channels.
    struct Entry {
        var index: Int
        /// In samples from the meter's beginning.
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
    /// Those of an entry's channels begin at its place times `channelCount`.
    private var channels: [ChannelReading]
    private var first = 0
    private var filled = 0
    private var isClosed = false
    private var bells: [Bell] = []

    /// What wakes a task that waits for a reading: a stream of at most one void value.
    final class Bell: Sendable {
        let rings: AsyncStream<Void>
        fileprivate let continuation: AsyncStream<Void>.Continuation

        fileprivate init() { (rings, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1)) }
    }

    /// A queue for so many readings, two at least.
    init(capacity: Int, channelCount: Int, sampleRate: Int) {
        self.sampleRate = Double(sampleRate)
        self.channelCount = channelCount
        entries = Array(repeating: Entry(index: 0, start: 0, count: 0), count: capacity)
        channels = Array(repeating: ChannelReading(), count: capacity * channelCount)
    }

    // MARK: The writing side

    /// Puts in what follows the last reading.
    func push(_ entry: Entry, _ readings: [ChannelReading]) {
        let bells = monitor.locked {
            if filled == entries.count { mergeOldest() }
            let slot = place(filled)
            entries[slot] = entry
            for channel in 0..<channelCount { channels[slot * channelCount + channel] = readings[channel] }
            filled += 1
            return self.bells
        }
        monitor.signal()
        for bell in bells { bell.continuation.yield() }
    }

    /// No reading will follow.
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

    // MARK: The reading side

    /// The oldest reading; nil where there is none yet.
    func pop() -> LiveReading? { take {} }

    /// All readings as one; nil where there is none.
    func popAll() -> LiveReading? {
        take { while filled > 1 { mergeOldest() } }
    }

    /// The oldest reading, for which this thread waits as long as `seconds`; nil after that, and once the queue is closed
    /// and empty.
    func wait(seconds: Double) -> LiveReading? {
        // Farther away than any sound is long, and still a number of seconds.
        let deadline = Clock.wall + max(0, min(seconds, 1e9))
        return take { while filled == 0, !isClosed, monitor.wait(until: deadline) {} }
    }

    /// A bell that rings at the next reading and those that follow, and is silenced by ``remove(_:)``.
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

    /// The oldest reading after what `prepare` does under the lock.
    private func take(_ prepare: () -> Void) -> LiveReading? {
        var readings: [ChannelReading] = []
        readings.reserveCapacity(channelCount)
        let entry: Entry? = monitor.locked {
            prepare()
            guard filled > 0 else { return nil }
            defer {
                first = place(1)
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

    // MARK: Under the lock

    private func place(_ offset: Int) -> Int { (first + offset) % entries.count }

    /// Joins the two oldest, of which the second then holds all.
    private func mergeOldest() {
        let (oldest, next) = (place(0), place(1))
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
