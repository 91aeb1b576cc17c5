internal import WayreelCore

/// A ring of readings between the thread that adds samples and the one that displays them. Adding never blocks: when
/// the ring is full, its two oldest readings are merged, so that a slow reader loses resolution but no peaks.
///
/// The lock is held while one reading is copied, a fraction of a microsecond without allocation. A reading consists of
/// several values that are merged in index, which atomics cannot do for both sides.
final class ReadingQueue: Sendable {
    /// A reading without its channels.
    struct Entry {
        var index: Int
        /// First sample, counted from the start of the meter.
        var start: Int
        var count: Int
        var merged = 0
        var isPartial = false
    }

    /// A task that waits for readings: a stream of at most one void value wakes it.
    final class Observer: Sendable {
        let arrivals: AsyncStream<Void>
        fileprivate let continuation: AsyncStream<Void>.Continuation

        fileprivate init() { (arrivals, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1)) }
    }

    private let sampleRate: Double
    private let ring: Monitor<Ring>

    /// Creates a queue for `capacity` readings, at least two.
    init(capacity: Int, channelCount: Int, sampleRate: Int) {
        self.sampleRate = Double(sampleRate)
        ring = Monitor(Ring(capacity: capacity, channelCount: channelCount), inheritsPriority: true)
    }

    // MARK: Writing

    /// Adds the next reading.
    func push(_ entry: Entry, _ readings: [ChannelReading]) {
        let observers = ring.withLock { ring in
            ring.append(entry, readings)
            return ring.observers
        }
        ring.wakeOne()
        for observer in observers { observer.continuation.yield() }
    }

    /// Ends the queue.
    func close() {
        let observers = ring.update { ring in
            ring.isClosed = true
            defer { ring.observers = [] }
            return ring.observers
        }
        for observer in observers { observer.continuation.finish() }
    }

    var isFinished: Bool { ring.withLock { $0.isClosed } }

    // MARK: Reading

    /// Removes and returns the oldest reading; nil if there is none.
    func pop() -> LiveReading? { ring.withLock { $0.popFirst(sampleRate) } }

    /// Removes all readings and returns them merged; nil if there are none.
    func popAll() -> LiveReading? {
        ring.withLock { ring in
            while ring.filled > 1 { ring.mergeOldest() }
            return ring.popFirst(sampleRate)
        }
    }

    /// Waits up to `seconds` for the oldest reading; nil after that, and once the queue is closed and empty.
    func wait(seconds: Double) -> LiveReading? {
        // Bounded to a valid number of seconds.
        let deadline = Clock.wall + max(0, min(seconds, 1e9))
        return ring.withLock(when: { $0.filled > 0 || $0.isClosed }, until: deadline) { $0.popFirst(sampleRate) }
    }

    /// Adds an observer that wakes with each new reading until ``remove(_:)``.
    func addObserver() -> Observer {
        let observer = Observer()
        let isOver = ring.withLock { ring in
            if !ring.isClosed { ring.observers.append(observer) }
            return ring.isClosed
        }
        if isOver { observer.continuation.finish() }
        return observer
    }

    func remove(_ observer: Observer) {
        ring.withLock { $0.observers.removeAll { $0 === observer } }
        observer.continuation.finish()
    }

    private struct Ring {
        private var entries: [Entry]
        /// The channels of entry i start at i · `channelCount`.
        private var channels: [ChannelReading]
        private let channelCount: Int
        private var first = 0
        private(set) var filled = 0
        var isClosed = false
        var observers: [Observer] = []

        init(capacity: Int, channelCount: Int) {
            self.channelCount = channelCount
            entries = Array(repeating: Entry(index: 0, start: 0, count: 0), count: capacity)
            channels = Array(repeating: ChannelReading(), count: capacity * channelCount)
        }

        private func index(_ offset: Int) -> Int { (first + offset) % entries.count }

        /// Merges the two oldest entries if the ring is full.
        mutating func append(_ entry: Entry, _ readings: [ChannelReading]) {
            if filled == entries.count { mergeOldest() }
            let slot = index(filled)
            entries[slot] = entry
            for channel in 0..<channelCount { channels[slot * channelCount + channel] = readings[channel] }
            filled += 1
        }

        /// Merges the two oldest entries into the second.
        mutating func mergeOldest() {
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

        mutating func popFirst(_ sampleRate: Double) -> LiveReading? {
            guard filled > 0 else { return nil }
            defer {
                first = index(1)
                filled -= 1
            }
            let entry = entries[first]
            let readings = channels[first * channelCount..<(first + 1) * channelCount]
            return LiveReading(
                index: entry.index, time: Double(entry.start) / sampleRate, duration: Double(entry.count) / sampleRate,
                merged: entry.merged, isPartial: entry.isPartial, channels: readings.map(LiveReading.Channel.init))
        }
    }
}
