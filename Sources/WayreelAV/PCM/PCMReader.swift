internal import WayreelCore

/// Reads PCM samples from a file in large blocks, without FFmpeg: for raw PCM and WAV files.
struct PCMReader {
    let file: InputFile
    let layout: PCMLayout
    let channelCount: Int
    /// The offset of the first sample, in a file that can be seeked.
    var offset = 0
    /// Bytes of samples; nil: up to the end of the file.
    var byteCount: Int?
    /// With more than one, another thread reads ahead.
    var workers = 1

    struct Outcome {
        /// Samples per channel.
        var sampleCount = 0
        /// NaN and infinite samples, which have become 0.
        var notFinite = 0

        fileprivate mutating func emit(
            _ buffer: PCMBuffer, to body: (AudioBlock) throws(MediaError) -> Void
        ) throws(MediaError) {
            try body(buffer.block(start: sampleCount))
            sampleCount += buffer.count
            notFinite += buffer.notFinite
        }
    }

    /// Emits all blocks in order. Samples of a pipe are emitted as they arrive.
    func read(_ body: (AudioBlock) throws(MediaError) -> Void) throws(MediaError) -> Outcome {
        guard file.size != nil else { return try readInline(body) }
        file.seek(to: offset)
        return try workers > 1 ? readAhead(body) : readInline(body)
    }

    private func readInline(_ body: (AudioBlock) throws(MediaError) -> Void) throws(MediaError) -> Outcome {
        let buffer = makeBuffer()
        var (left, rest) = (byteCount ?? .max, [UInt8]())
        var outcome = Outcome()
        while try buffer.fill(from: file, left: &left, rest: &rest) { try outcome.emit(buffer, to: body) }
        return outcome
    }

    /// One is being read, one waits, one is being processed.
    private static let buffersAhead = 3

    /// Copies the next buffer from the page cache on another thread while one is being processed.
    private func readAhead(_ body: (AudioBlock) throws(MediaError) -> Void) throws(MediaError) -> Outcome {
        let (empty, full) = (BoundedQueue<PCMBuffer>(limit: .max), BoundedQueue<PCMBuffer>(limit: .max))
        for _ in 0..<Self.buffersAhead { _ = empty.put(makeBuffer()) }
        let watch = file.watch.companion()
        let thread = try? WorkThread("read") { [file = Lent(file), byteCount] in
            defer { watch.countHelper() }
            var (left, rest) = (byteCount ?? .max, [UInt8]())
            do throws(MediaError) {
                while let buffer = try empty.take() {
                    let isFilled = try watch.span("read") { () throws(MediaError) in
                        try buffer.fill(from: file.value, left: &left, rest: &rest)
                    }
                    guard isFilled else { break }
                    _ = full.put(buffer)
                }
                full.finish()
            } catch { full.finish(error) }
        }
        guard let thread else { return try readInline(body) }
        defer {
            empty.abandon()
            thread.join()
        }
        var outcome = Outcome()
        while let buffer = try full.take() {
            try outcome.emit(buffer, to: body)
            _ = empty.put(buffer)
        }
        return outcome
    }

    private func makeBuffer() -> PCMBuffer { PCMBuffer(layout, channelCount: channelCount) }

    /// The file belongs to the thread that reads ahead until that has ended.
    private struct Lent: @unchecked Sendable {
        let value: InputFile
        init(_ value: InputFile) { self.value = value }
    }
}
