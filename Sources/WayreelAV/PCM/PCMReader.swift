internal import WayreelCore

/// Reads samples that stand in a file one after another, in pieces as large as are there: the quick way for raw sound and
/// WAV files.
struct PCMReader {
    let file: InputFile
    let layout: PCMLayout
    let channelCount: Int
    /// Where the samples begin, in a file that can be seeked in.
    var offset = 0
    /// Bytes of samples; nil: up to the end of the file.
    var byteCount: Int?
    /// Beyond one, another thread reads ahead.
    var workers = 1

    struct Outcome {
        /// Samples per channel.
        var sampleCount = 0
        /// Floats that were no numbers and have become 0.
        var notFinite = 0

        fileprivate mutating func handOut(
            _ piece: PCMBuffer, to body: (AudioBlock) throws(MediaError) -> Void
        ) throws(MediaError) {
            try body(piece.block(start: sampleCount))
            sampleCount += piece.count
            notFinite += piece.notFinite
        }
    }

    /// Hands out all blocks in order. A pipe's samples are handed out as they come.
    func read(_ body: (AudioBlock) throws(MediaError) -> Void) throws(MediaError) -> Outcome {
        guard file.size != nil else { return try readInTurn(body) }
        file.seek(to: offset)
        return try workers > 1 ? readAhead(body) : readInTurn(body)
    }

    private func readInTurn(_ body: (AudioBlock) throws(MediaError) -> Void) throws(MediaError) -> Outcome {
        let piece = makePiece()
        var (left, rest) = (byteCount ?? .max, [UInt8]())
        var outcome = Outcome()
        while try piece.fill(from: file, left: &left, rest: &rest) { try outcome.handOut(piece, to: body) }
        return outcome
    }

    /// One piece is read, one waits, one is measured.
    private static let piecesAhead = 3

    /// Another thread copies the next piece out of the system's cache while one is measured.
    private func readAhead(_ body: (AudioBlock) throws(MediaError) -> Void) throws(MediaError) -> Outcome {
        let (empty, full) = (BoundedQueue<PCMBuffer>(limit: .max), BoundedQueue<PCMBuffer>(limit: .max))
        for _ in 0..<Self.piecesAhead { _ = empty.put(makePiece()) }
        let watch = file.watch.companion()
        let thread = try? WorkThread("read") { [file = Lent(file), byteCount] in
            defer { watch.countHelper() }
            var (left, rest) = (byteCount ?? .max, [UInt8]())
            do throws(MediaError) {
                while let piece = try empty.take() {
                    let isFilled = try watch.span("read") { () throws(MediaError) in
                        try piece.fill(from: file.value, left: &left, rest: &rest)
                    }
                    guard isFilled else { break }
                    _ = full.put(piece)
                }
                full.finish()
            } catch { full.finish(error) }
        }
        guard let thread else { return try readInTurn(body) }
        defer {
            empty.abandon()
            thread.join()
        }
        var outcome = Outcome()
        while let piece = try full.take() {
            try outcome.handOut(piece, to: body)
            _ = empty.put(piece)
        }
        return outcome
    }

    private func makePiece() -> PCMBuffer { PCMBuffer(layout, channelCount: channelCount) }

    /// Belongs to the thread that reads ahead until that has ended.
    private struct Lent: @unchecked Sendable {
        let value: InputFile
        init(_ value: InputFile) { self.value = value }
    }
}
