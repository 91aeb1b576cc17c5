internal import Synchronization
public import WayreelCore
public import WayreelLevels
public import WayreelVideo

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
                        guard channel.send(element) else { throw .cancelled(step: .iterate) }
                    }
                    channel.finish()
                } catch { channel.finish(error) }
            }
        }
    }
}

extension FramePipeline {
    /// Returns the frames of the video at `path`, or of standard input for `-`, in display order while they are
    /// decoded.
    ///
    ///     for try await frame in try FramePipeline().frames(of: "in.mp4") {
    ///         draw(frame.pixels, frame.width, frame.height)
    ///     }
    ///
    /// A frame of 1920 × 1080 takes 8 MB, and at most `bufferLimit` frames are held. `threads` is the number of decoder
    /// threads.
    ///
    /// Throws what opening the file throws, an `unsupported` error if it has no video, a `decoding` error if no frame
    /// can be decoded, and a `parameter` error if no frame begins in the range of the options.
    public func frames(of path: String, bufferLimit: Int = 4, threads: Int = 1) -> MediaSequence<VideoFrame> {
        MediaSequence(bufferLimit: bufferLimit) { (cancellation, emit) throws(MediaError) in
            let task = TaskContext(seconds: options.limits.seconds, cancellation: cancellation)
            try RereadableInput(path, task: task).read { (source) throws(MediaError) in
                try readFrames(of: source, threads: threads, task: task, emit)
            }
        }
    }
}

extension LevelsPipeline {
    /// Returns the levels of the audio at `path`, or of standard input for `-`, bucket by bucket while it is decoded.
    /// They have the grid, channels and meter of output number `output` of the options.
    ///
    ///     for try await reading in pipeline.levels(of: "radio.mp3") { show(reading.channels[0].peak) }
    ///
    /// The readings equal those that ``measure(_:on:)-(String,_)`` returns at the end. Memory does not depend on the
    /// length. Damage within the tolerance of the options is not reported; damage beyond it is thrown as an error at
    /// the end.
    ///
    /// Throws what ``measure(_:on:)-(String,_)`` throws, and a `parameter` error for a levels file or for a grid with a
    /// number of points, whose edges are known only at the end.
    public func levels(of path: String, output: Int = 0, bufferLimit: Int = 64) -> MediaSequence<LiveReading> {
        MediaSequence(bufferLimit: bufferLimit) { (cancellation, emit) throws(MediaError) in
            let task = TaskContext(seconds: self.options.limits.seconds, cancellation: cancellation)
            do throws(MediaError) {
                try self.readLevels(path, ofOutput: output, task: task, emit)
            } catch { throw error.naming(path == "-" ? "standard input" : path) }
        }
    }
}

extension TranscodePipeline {
    /// Returns the files of the HLS package of the video at `path`, or of standard input for `-`, each as soon as it is
    /// complete. Nothing is written to the disk.
    ///
    ///     for try await file in pipeline.hlsFiles(of: "in.mov") { try await store.put(file.bytes, at: file.name) }
    ///
    /// Files have the names and, unless they are encrypted, the bytes that ``transcode(_:to:poster:plan:ifExists:on:)``
    /// writes; the poster of the options is not included. Playlists come last, so that storing the files in order never
    /// stores a playlist that names a missing file. The share of missing video is known only after the segments: on an
    /// error, discard the whole package. The work cannot be resumed. `threads` is the number of decoder threads.
    ///
    /// Throws what transcoding throws, and a `parameter` error if the options do not request HLS.
    public func hlsFiles(of path: String, bufferLimit: Int = 4, threads: Int = 2) -> MediaSequence<HLSFile> {
        MediaSequence(bufferLimit: bufferLimit) { (cancellation, emit) throws(MediaError) in
            try readHLSFiles(of: path, threads: threads, cancellation: cancellation, emit)
        }
    }
}
