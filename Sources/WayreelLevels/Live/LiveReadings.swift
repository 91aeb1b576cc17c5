/// The readings of a ``LevelMeter`` on a grid of time, each as soon as its last sample has been added.
///
/// Iterate over them in a task, ``wait(seconds:)`` for them on a thread, or ``poll()`` when it is time to draw; each
/// reading goes to one reader. As many seconds of readings are kept as were asked for; a reader that falls further behind
/// gets the oldest as one (``LiveReading/merged``), with all their peaks. They end, after those that are still kept, when the
/// meter is finished or gone, or when they are cancelled.
public final class LiveReadings: Sendable, AsyncSequence {
    private let queue: ReadingQueue

    init(_ queue: ReadingQueue) { self.queue = queue }

    deinit { queue.close() }

    /// The oldest reading that has not been taken yet, for which this thread waits; nil after `seconds`, or at the end.
    ///
    /// Blocks: not to be called in a task.
    public func wait(seconds: Double = .infinity) -> LiveReading? { queue.wait(seconds: seconds) }

    /// The oldest reading that has not been taken yet; nil where there is none.
    public func poll() -> LiveReading? { queue.pop() }

    /// Ends the readings: the meter makes no more of them, and who waits goes on.
    public func cancel() { queue.close() }

    /// Whether no reading will be added to those still kept.
    public var isFinished: Bool { queue.isFinished }

    public func makeAsyncIterator() -> Iterator { Iterator(self, queue) }

    public struct Iterator: AsyncIteratorProtocol {
        private let queue: ReadingQueue
        private let bell: Hanging
        private var rings: AsyncStream<Void>.Iterator
        /// Ends the readings when it goes, which must not be before the iteration does.
        private let readings: LiveReadings

        /// Takes the bell down with the last copy of its iterator.
        private final class Hanging: Sendable {
            let bell: ReadingQueue.Bell
            private let queue: ReadingQueue

            init(_ queue: ReadingQueue) {
                self.queue = queue
                bell = queue.addBell()
            }

            deinit { queue.remove(bell) }
        }

        fileprivate init(_ readings: LiveReadings, _ queue: ReadingQueue) {
            self.readings = readings
            self.queue = queue
            bell = Hanging(queue)
            rings = bell.bell.rings.makeAsyncIterator()
        }

        /// The next reading; nil at the end, or when the task is cancelled.
        public mutating func next() async -> LiveReading? { await next(isolation: nil) }

        public mutating func next(isolation actor: isolated (any Actor)?) async -> LiveReading? {
            while !Task.isCancelled {
                if let reading = queue.pop() { return reading }
                guard await rings.next(isolation: actor) != nil else { break }
            }
            return nil
        }
    }
}
