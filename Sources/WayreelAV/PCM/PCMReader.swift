internal import WayreelCore

/// Reads PCM samples from a file in large blocks, without FFmpeg: for raw PCM and WAV files.
///
/// Belongs to one thread at a time.
final class PCMReader {
    /// Samples per channel that were returned.
    private(set) var sampleCount = 0
    /// NaN and infinite samples that became 0.
    private(set) var notFinite = 0
    private let source: Source
    private let makeBuffer: () -> PCMBuffer
    private let workers: Int
    private let task: TaskContext
    /// The buffer of the last block.
    private var current: PCMBuffer?
    /// Opened for the first block, if another thread reads.
    private var ahead: ReadAhead?
    private var isStarted = false

    /// Reads samples from `offset`, in a seekable file, up to `byteCount` bytes or the end of the file. With more than
    /// one worker, another thread reads ahead.
    init(
        file: InputFile, layout: PCMLayout, channelCount: Int, offset: Int = 0, byteCount: Int? = nil, workers: Int
    ) {
        source = Source(file, offset: offset, byteCount: byteCount)
        makeBuffer = { PCMBuffer(layout, channelCount: channelCount) }
        // Samples of a pipe are returned as they arrive.
        self.workers = file.size == nil ? 1 : workers
        task = file.task
    }

    deinit { stop() }

    /// Returns the next block; nil at the end. Valid until the next call.
    func next() throws(MediaError) -> AudioBlock? {
        if !isStarted {
            isStarted = true
            if workers > 1 { ahead = ReadAhead(source, (0..<Self.buffersAhead).map { _ in makeBuffer() }, task) }
        }
        guard let buffer = try nextBuffer() else {
            stop()
            return nil
        }
        current = buffer
        let block = buffer.block(start: sampleCount)
        sampleCount += buffer.count
        notFinite += buffer.notFinite
        return block
    }

    /// Ends the thread that reads ahead.
    func stop() {
        ahead?.stop()
        ahead = nil
    }

    /// One buffer is being read, one waits, and one is being processed.
    private static let buffersAhead = 3

    private func nextBuffer() throws(MediaError) -> PCMBuffer? {
        if let ahead { return try ahead.next(returning: current) }
        let buffer = current ?? makeBuffer()
        return try source.fill(buffer) ? buffer : nil
    }

    /// The samples in the file. Used only by the thread that reads ahead until that thread has ended.
    private final class Source: @unchecked Sendable {
        private let file: InputFile
        private let offset: Int
        /// Bytes that remain to be read.
        private var left: Int
        /// The start of an incomplete sample frame.
        private var rest: [UInt8] = []
        private var isStarted = false

        init(_ file: InputFile, offset: Int, byteCount: Int?) {
            self.file = file
            self.offset = offset
            left = byteCount ?? .max
        }

        /// Returns false at the end.
        func fill(_ buffer: PCMBuffer) throws(MediaError) -> Bool {
            if !isStarted, file.size != nil { file.seek(to: offset) }
            isStarted = true
            return try buffer.fill(from: file, left: &left, rest: &rest)
        }
    }

    /// Copies the next buffers from the page cache on another thread.
    private final class ReadAhead {
        private let empty = BoundedQueue<PCMBuffer>(limit: .max)
        private let full = BoundedQueue<PCMBuffer>(limit: .max)
        private let thread: WorkThread

        /// Returns nil if the system refuses a thread.
        init?(_ source: Source, _ buffers: [PCMBuffer], _ task: TaskContext) {
            for buffer in buffers { _ = empty.put(buffer) }
            let own = task.child()
            let thread = try? WorkThread("read") { [empty, full] in
                defer { own.countThread() }
                do throws(MediaError) {
                    while let buffer = try empty.take() {
                        let isFilled = try own.span("read") { () throws(MediaError) in try source.fill(buffer) }
                        guard isFilled else { break }
                        _ = full.put(buffer)
                    }
                    full.finish()
                } catch { full.finish(error) }
            }
            guard let thread else { return nil }
            self.thread = thread
        }

        /// Reuses `buffer`, whose samples have been processed.
        func next(returning buffer: PCMBuffer?) throws(MediaError) -> PCMBuffer? {
            if let buffer { _ = empty.put(buffer) }
            return try full.take()
        }

        func stop() {
            empty.abandon()
            thread.join()
        }
    }
}
