internal import Synchronization
public import WayreelCore

/// An asynchronous sequence of elements that one of Wayreel's threads produces during the iteration: frames, levels,
/// segments.
///
///     for try await frame in pipeline.frames(of: "in.mp4") { … }
///
/// Each iteration does the work anew, on a thread of its own, which starts when the first element is requested. At most
/// ``bufferLimit`` elements are in production or waiting to be read: the thread waits while its consumer is slow,
/// without occupying a thread of a ``WorkPool``. The time limit of the options includes that time.
///
/// Ending the iteration, or cancelling its task, stops the work and frees all resources; a cancelled task gets an error
/// of the kind `cancelled`. The work's own error is thrown after the preceding elements.
public struct MediaSequence<Element: Sendable>: AsyncSequence, Sendable {
    public typealias Failure = MediaError

    /// Produces the elements. `emit` waits for a slot, and throws `cancelled` once no more elements are wanted; any
    /// thread may call it.
    package typealias Work =
        @Sendable (
            _ cancellation: Cancellation, _ emit: @escaping @Sendable (Element) throws(MediaError) -> Void
        ) throws(MediaError) -> Void

    /// Max number of elements that are in production or waiting to be read.
    public let bufferLimit: Int
    private let work: Work

    /// `bufferLimit` is 1 or more.
    package init(bufferLimit: Int, _ work: @escaping Work) {
        self.bufferLimit = Swift.max(1, bufferLimit)
        self.work = work
    }

    public func makeAsyncIterator() -> Iterator { Iterator(run: MediaSequenceRun(limit: bufferLimit, work)) }

    /// One run of the work.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let run: MediaSequenceRun<Element>

        /// Returns the next element; nil at the end.
        public mutating func next() async throws(MediaError) -> Element? { try await next(isolation: nil) }

        public mutating func next(isolation actor: isolated (any Actor)?) async throws(MediaError) -> Element? {
            run.start()
            do throws(MediaError) {
                return try await run.channel.next(isolation: actor)
            } catch {
                run.cancellation.cancel()
                throw error
            }
        }
    }
}

/// The work behind an iterator; cancelled when the iterator is released.
private final class MediaSequenceRun<Element: Sendable>: Sendable {
    let channel: BoundedChannel<Element>
    let cancellation = Cancellation()
    private let work: MediaSequence<Element>.Work
    /// The pool of the work's thread, which ends when the pool is released.
    private let pool = Mutex<WorkPool?>(nil)

    init(limit: Int, _ work: @escaping MediaSequence<Element>.Work) {
        channel = BoundedChannel(limit: limit)
        self.work = work
    }

    deinit {
        cancellation.cancel()
        channel.cancel()
    }

    /// Starts the work on the first call.
    func start() {
        pool.withLock { pool in
            guard pool == nil else { return }
            let own = WorkPool(workers: 1)
            pool = own
            guard own.workers > 0 else { return channel.finish(WorkPool.noThread) }
            own.add { [channel, cancellation, work] in
                do throws(MediaError) {
                    try work(cancellation) { (element) throws(MediaError) in
                        guard channel.send(element) else { throw .cancelled(step: "iterate") }
                    }
                    channel.finish()
                } catch { channel.finish(error) }
            }
        }
    }
}
