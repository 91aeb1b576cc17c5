internal import Glibc
internal import WayreelCore

/// Readings on their way from the thread that adds samples to the one that shows them: a ring that never refuses one. Where
/// it is full, its two oldest become one, so that a slow reader loses detail and no peak, and takes no memory.
///
/// Its lock is held for the copy of one reading, a fraction of a microsecond, so that neither side waits for the other in
/// earnest. A reading is several values that belong together, which atomics could not hand
/// over as one.
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
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let changed = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

    // Guarded by `mutex`.
    private var entries: [Entry]
    /// Those of an entry's channels begin at its place times `channelCount`.
    private var spans: [ChannelSpan]
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
    init(capacity: Int, format: AudioFormat) {
        let capacity = max(2, capacity)
        sampleRate = Double(format.sampleRate)
        channelCount = format.channels.count
        entries = Array(repeating: Entry(index: 0, start: 0, count: 0), count: capacity)
        spans = Array(repeating: ChannelSpan(), count: capacity * channelCount)
        pthread_mutex_init(mutex, nil)
        var attributes = pthread_condattr_t()
        pthread_condattr_init(&attributes)
        pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        pthread_cond_init(changed, &attributes)
        pthread_condattr_destroy(&attributes)
    }

    deinit {
        pthread_cond_destroy(changed)
        pthread_mutex_destroy(mutex)
        changed.deallocate()
        mutex.deallocate()
    }

    // MARK: The writing side

    /// Puts in what follows the last reading.
    func push(_ entry: Entry, _ channels: [ChannelSpan]) {
        let bells = locked {
            if filled == entries.count { mergeOldest() }
            let slot = place(filled)
            entries[slot] = entry
            for channel in 0..<channelCount { spans[slot * channelCount + channel] = channels[channel] }
            filled += 1
            pthread_cond_signal(changed)
            return self.bells
        }
        for bell in bells { bell.continuation.yield() }
    }

    /// No reading will follow.
    func close() {
        let bells = locked {
            isClosed = true
            pthread_cond_broadcast(changed)
            defer { self.bells = [] }
            return self.bells
        }
        for bell in bells { bell.continuation.finish() }
    }

    var isFinished: Bool { locked { isClosed } }

    // MARK: The reading side

    /// The oldest reading; nil where there is none yet.
    func pop() -> LiveReading? { locked { takeFirst() } }

    /// All readings as one; nil where there is none.
    func popAll() -> LiveReading? {
        locked {
            while filled > 1 { mergeOldest() }
            return takeFirst()
        }
    }

    /// The oldest reading, for which this thread waits as long as `seconds`; nil after that, and once the queue is closed
    /// and empty.
    func wait(seconds: Double) -> LiveReading? {
        let deadline = Clock.wall + max(0, min(seconds, 1e9))
        var time = timespec(tv_sec: Int(deadline), tv_nsec: Int((deadline - deadline.rounded(.down)) * 1e9))
        return locked {
            while filled == 0, !isClosed, pthread_cond_timedwait(changed, mutex, &time) == 0 {}
            return takeFirst()
        }
    }

    /// A bell that rings at the next reading and those that follow, and is silenced by ``remove(_:)``.
    func addBell() -> Bell {
        let bell = Bell()
        let isOver = locked {
            if !isClosed { bells.append(bell) }
            return isClosed
        }
        if isOver { bell.continuation.finish() }
        return bell
    }

    func remove(_ bell: Bell) {
        locked { bells.removeAll { $0 === bell } }
        bell.continuation.finish()
    }

    // MARK: Under the lock

    private func locked<Result>(_ body: () -> Result) -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return body()
    }

    private func place(_ offset: Int) -> Int { (first + offset) % entries.count }

    /// Joins the two oldest, of which the second then holds all.
    private func mergeOldest() {
        let (oldest, next) = (place(0), place(1))
        entries[next].index = entries[oldest].index
        entries[next].start = entries[oldest].start
        entries[next].count += entries[oldest].count
        entries[next].merged += entries[oldest].merged + 1
        for channel in 0..<channelCount {
            var span = spans[oldest * channelCount + channel]
            span.merge(spans[next * channelCount + channel])
            spans[next * channelCount + channel] = span
        }
        first = next
        filled -= 1
    }

    private func takeFirst() -> LiveReading? {
        guard filled > 0 else { return nil }
        let entry = entries[first]
        let levels = (0..<channelCount).map { spans[first * channelCount + $0].levels(count: entry.count) }
        first = place(1)
        filled -= 1
        return LiveReading(
            index: entry.index, time: Double(entry.start) / sampleRate, duration: Double(entry.count) / sampleRate,
            merged: entry.merged, isPartial: entry.isPartial, channels: levels)
    }
}
