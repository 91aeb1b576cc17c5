internal import WayreelCore
internal import WayreelKernels

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

    /// The samples in the file.
    ///
    /// Its sendability is unchecked: until the thread that reads ahead has ended, no other uses it.
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

/// The encoding of PCM (or G.711) samples in a file, and their conversion.
struct PCMLayout {
    typealias Unpacking = @Sendable (UnsafeRawPointer?, UnsafeMutableRawPointer?, Int) -> Void

    /// Bytes of a sample in the file.
    let byteCount: Int
    let type: AudioBlock.SampleType
    /// The conversion; nil if the bytes are the samples.
    let unpack: Unpacking?
    /// Significant bits of a sample.
    let bits: Int

    private init(_ byteCount: Int, _ type: AudioBlock.SampleType, _ unpack: Unpacking? = nil, bits: Int? = nil) {
        self.byteCount = byteCount
        self.type = type
        self.unpack = unpack
        self.bits = bits ?? 8 * byteCount
    }

    init(_ encoding: RawAudioFormat.Encoding) {
        self =
            switch encoding {
            case .s8: Self(1, .int16, wr_pcm_s8)
            case .u8: Self(1, .int16, wr_pcm_u8)
            case .s16le: Self(2, .int16)
            case .s16be: Self(2, .int16, wr_pcm_s16_swapped)
            case .s24le: Self(3, .int32, wr_pcm_s24le)
            case .s24be: Self(3, .int32, wr_pcm_s24be)
            case .s32le: Self(4, .int32)
            case .s32be: Self(4, .int32, wr_pcm_s32_swapped)
            case .f32le: Self(4, .float32)
            case .f32be: Self(4, .float32, wr_pcm_s32_swapped)
            case .f64le: Self(8, .float32, wr_pcm_f64)
            case .f64be: Self(8, .float32, wr_pcm_f64_swapped)
            case .mulaw: Self(1, .int16, wr_pcm_mulaw, bits: 14)
            case .alaw: Self(1, .int16, wr_pcm_alaw, bits: 13)
            }
    }
}

/// The `data` chunk of a RIFF, RF64 (EBU Tech 3306) or BW64 file (ITU-R BS.2088).
struct WAVDataChunk {
    /// The declared size, which may exceed the file.
    let byteCount: Int

    /// Returns nil unless the content starts at `offset` and no other `data` chunk follows.
    init?(_ file: InputFile, size: Int, samplesAt offset: Int) throws(MediaError) {
        let header = try file.bytes(at: 0, count: 36)
        guard header.count == 36, offset >= 20, header[8..<12].elementsEqual("WAVE".utf8) else { return nil }
        let isLong = header.withUnsafeBytes { Self.hasLongSize($0) }
        let is64 = header.withUnsafeBytes { isLong && !Self.hasUnknownLongSize($0) }
        guard isLong || header[..<4].elementsEqual("RIFF".utf8) else { return nil }
        let chunk = try file.bytes(at: offset - 8, count: 8)
        guard chunk.count == 8, chunk[..<4].elementsEqual("data".utf8) else { return nil }
        let short = Self.number(chunk[4...])
        let isUnknown = short == 0 || short == Int(UInt32.max)
        // The ds64 chunk holds the RIFF size, data size and sample count.
        let declared =
            is64 && short == Int(UInt32.max) ? Self.number(header[28..<36]) : isUnknown ? size - offset : short
        guard declared > 0, declared <= Int.max - offset - 1 else { return nil }
        byteCount = declared
        guard try Self.isOnlyData(file, after: offset + declared + declared % 2, size: size) else { return nil }
    }

    /// Returns whether a ds64 chunk begins the file, which holds the sizes of RF64 and BW64.
    private static func hasLongSize(_ header: UnsafeRawBufferPointer) -> Bool {
        header.count >= 36 && ["RF64", "BW64"].contains { header.matches($0.utf8, at: 0) }
            && header.matches("WAVE".utf8, at: 8) && header.matches("ds64".utf8, at: 12)
    }

    /// Returns the bytes of samples by the ds64 chunk; nil without one, and if they are unknown.
    static func longSize(_ header: UnsafeRawBufferPointer) -> Int? {
        hasLongSize(header) && !hasUnknownLongSize(header) ? Int(header.littleEndian64(at: 28)) : nil
    }

    /// Returns whether the size of the samples in the ds64 chunk was not known when the header was written.
    static func hasUnknownLongSize(_ header: UnsafeRawBufferPointer) -> Bool {
        hasLongSize(header) && !(1..<1 << 62).contains(header.littleEndian64(at: 28))
    }

    private static func isOnlyData(_ file: InputFile, after start: Int, size: Int) throws(MediaError) -> Bool {
        var position = start
        for _ in 0..<64 {
            guard position <= size - 8 else { return true }
            let chunk = try file.bytes(at: position, count: 8)
            guard chunk.count == 8 else { return true }
            if chunk[..<4].elementsEqual("data".utf8) { return false }
            let length = number(chunk[4...])
            position += 8 + length + length % 2
        }
        return false
    }

    /// Returns a little-endian number; 0 if it does not fit.
    private static func number(_ bytes: ArraySlice<UInt8>) -> Int {
        Int(exactly: bytes.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }) ?? 0
    }
}
