/// The readings of a ``LevelMeter`` on a time grid, each as soon as its last sample is added.
///
/// Iterate over them in a task, ``wait(seconds:)`` on a thread, or ``poll()`` when drawing; each reading goes to one
/// reader. The requested duration of readings is kept; if a reader falls further behind, the oldest are merged
/// (``LiveReading/merged``) with all their peaks. The sequence ends, after the kept readings, when the meter is
/// finished or released, or on ``cancel()``.
public final class LiveReadings: Sendable, AsyncSequence {
    private let queue: ReadingQueue

    init(_ queue: ReadingQueue) { self.queue = queue }

    deinit { queue.close() }

    /// Waits for the oldest unread reading; nil after `seconds`, or at the end.
    ///
    /// Blocks the thread: do not call it from a task.
    @available(*, noasync, message: "it blocks its thread: use an async variant, or WorkPool.run")
    public func wait(seconds: Double = .infinity) -> LiveReading? { queue.wait(seconds: seconds) }

    /// Returns the oldest unread reading; nil if there is none.
    public func poll() -> LiveReading? { queue.pop() }

    /// Ends the readings and wakes waiting readers.
    public func cancel() { queue.close() }

    /// Whether no further readings will be added.
    public var isFinished: Bool { queue.isFinished }

    public func makeAsyncIterator() -> Iterator { Iterator(self, queue) }

    public struct Iterator: AsyncIteratorProtocol {
        private let queue: ReadingQueue
        private let observation: Observation
        private var arrivals: AsyncStream<Void>.Iterator
        /// Cancels the readings on release; iterators keep it alive.
        private let readings: LiveReadings

        /// Removes the observer when the last copy of its iterator is released.
        private final class Observation: Sendable {
            let observer: ReadingQueue.Observer
            private let queue: ReadingQueue

            init(_ queue: ReadingQueue) {
                self.queue = queue
                observer = queue.addObserver()
            }

            deinit { queue.remove(observer) }
        }

        fileprivate init(_ readings: LiveReadings, _ queue: ReadingQueue) {
            self.readings = readings
            self.queue = queue
            observation = Observation(queue)
            arrivals = observation.observer.arrivals.makeAsyncIterator()
        }

        /// Returns the next reading; nil at the end, or if the task is cancelled.
        public mutating func next() async -> LiveReading? { await next(isolation: nil) }

        public mutating func next(isolation actor: isolated (any Actor)?) async -> LiveReading? {
            while !Task.isCancelled {
                if let reading = queue.pop() { return reading }
                guard await arrivals.next(isolation: actor) != nil else { break }
            }
            return nil
        }
    }
}

/// Levels of a ``LevelMeter`` over some samples: a bucket of a grid, or everything since the last poll.
public struct LiveReading: Hashable, Sendable, Codable {
    /// The levels of one channel. All values are linear: full scale is 1.
    public struct Channel: Hashable, Sendable, Codable {
        /// The lowest sample, −1 to 1 (floating-point audio may exceed it).
        public var minimum: Float
        /// The highest sample.
        public var maximum: Float
        /// Root mean square of the samples.
        public var rms: Float
        /// Meter state at the end, or its maximum if it has fallen since.
        public var meter: Float
        /// The meter's peak hold.
        public var hold: Float

        /// The largest magnitude of any sample.
        public var peak: Float { max(-minimum, maximum) }

        init(_ reading: ChannelReading) {
            minimum = reading.minimum
            maximum = reading.maximum
            rms = reading.rms
            meter = reading.meter
            hold = reading.hold
        }
    }

    /// Index of the bucket or poll, from 0; the first one of merged buckets.
    public var index: Int
    /// Seconds from the start of the meter to the first sample.
    public var time: Double
    /// Duration of the samples in seconds.
    public var duration: Double
    /// Number of further buckets merged into this one because the reader was too slow; usually 0. Their peaks are kept.
    public var merged: Int
    /// Whether the audio ended before the bucket.
    public var isPartial: Bool
    /// The levels in the order of the meter's channels.
    public var channels: [Channel]
}
