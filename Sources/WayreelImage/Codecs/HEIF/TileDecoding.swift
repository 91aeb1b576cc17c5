internal import WayreelAV
internal import WayreelCore

/// Decodes the tiles of an image row by row on the calling thread and on the task's other threads, which work a few
/// tiles ahead of the reader.
///
/// Belongs to one thread. The result for damaged tiles does not depend on the number of threads.
final class TileDecoding {
    /// The coded data of a tile.
    enum Source {
        /// An independent image.
        case image(HEIFData)
        /// The last of several dependent samples.
        case frame([UnsafeRawBufferPointer])
    }

    /// A decoded tile, or an error.
    typealias Outcome = Result<CodedImage, MediaError>

    let tiles: HEIFTiles
    private let work: Work
    private let helpers: Int
    private var threads: [WorkThread] = []
    private let task: TaskContext
    /// The calling thread's.
    private var decoder: CodedImageDecoder?

    /// Uses up to `helpers` threads besides the calling one. `data` returns the source of the tile at an index; it is
    /// called from several threads.
    init(_ tiles: HEIFTiles, helpers: Int, task: TaskContext, data: @escaping @Sendable (Int) -> Source) {
        self.tiles = tiles
        self.helpers = min(helpers, tiles.columns * tiles.rows - 1)
        self.task = task
        work = Work(tiles, ahead: 2 * (helpers + 1), data)
    }

    deinit {
        work.close()
        for thread in threads { thread.join() }
    }

    /// Starts to decode the tiles of `row`, the first one that is requested, on the other threads. `skipsLoopFilters`:
    /// see ``CodedImageDecoder/decodeLast(_:skipsLoopFilters:task:)``.
    func start(row: Int, skipsLoopFilters: Bool) {
        work.want(row, skipsLoopFilters: skipsLoopFilters)
        startThreads()
    }

    /// Returns the tiles of `row`, from the left. Releases earlier rows; rows are requested in order and may be
    /// skipped.
    ///
    /// Throws if `task` does, or if the codec's decoder is unavailable or refuses the configuration.
    func tiles(ofRow row: Int) throws(MediaError) -> [Outcome] {
        work.want(row)
        startThreads()
        let decoder = try ownDecoder()
        try task.check()
        while let index = work.nextUnfinished(in: row) {
            work.finish(index, task.outcome { () throws(MediaError) in try work.decode(index, decoder, task) })
            try task.check()
        }
        return work.outcomes(ofRow: row)
    }

    /// Returns the decoder of the calling thread, created at the first call.
    private func ownDecoder() throws(MediaError) -> CodedImageDecoder {
        if let decoder { return decoder }
        let made = try work.makeDecoder()
        decoder = made
        return made
    }

    /// Starts the other threads unless they run.
    private func startThreads() {
        while threads.count < helpers {
            let (work, own) = (work, task.child())
            // With fewer threads, decoding only takes longer.
            guard let thread = try? WorkThread("decode", { work.help(own) }) else { break }
            threads.append(thread)
        }
    }

    /// Tiles to decode and decoded tiles.
    private final class Work: Sendable {
        private struct State {
            /// Tiles that may be decoded now and have not been started.
            var waiting: Range<Int> = 0..<0
            var finished: [Int: Outcome] = [:]
            var skipsLoopFilters = false
            var isClosed = false

            func isComplete(_ tiles: Range<Int>) -> Bool { tiles.allSatisfy { finished[$0] != nil } }
        }

        private let codec: CodedImageDecoder.Codec
        private let configuration: [UInt8]
        private let tileSize: PixelSize
        private let columns: Int
        private let rows: Int
        /// Max number of tiles of later rows decoded while a row is read. The reader helps to complete the next row
        /// when it needs it, so two per thread keep all threads busy with little memory.
        private let ahead: Int
        private let data: @Sendable (Int) -> Source
        private let state = Monitor(State())

        init(_ tiles: HEIFTiles, ahead: Int, _ data: @escaping @Sendable (Int) -> Source) {
            (codec, configuration, tileSize) = (tiles.codec, tiles.configuration, tiles.tileSize)
            (columns, rows) = (tiles.columns, tiles.rows)
            self.ahead = ahead
            self.data = data
        }

        func makeDecoder() throws(MediaError) -> CodedImageDecoder {
            // Codecs pad images to blocks of up to 64.
            let (width, height) = (tileSize.width + 63, tileSize.height + 63)
            let padded = PixelSize(width: width / 64 * 64, height: height / 64 * 64)
            return try CodedImageDecoder(
                codec, configuration: configuration, maxPixels: max(padded.pixels, 128 * 128))
        }

        func decode(
            _ index: Int, _ decoder: CodedImageDecoder, _ task: TaskContext
        ) throws(MediaError) -> CodedImage {
            let image =
                switch data(index) {
                case .image(let data):
                    try data.withBytes { (bytes) throws(MediaError) in
                        let skipsLoopFilters = state.withLock(\.skipsLoopFilters)
                        return try decoder.decodeLast([bytes], skipsLoopFilters: skipsLoopFilters, task: task)
                    }
                case .frame(let samples): try decoder.decodeLast(samples, task: task)
                }
            guard image.size == tileSize else {
                throw MediaError(
                    .decoding, step: .decode,
                    reason: "the header declares \(tileSize), but the coded image is \(image.size)")
            }
            return image
        }

        /// Schedules `row` and the tiles ahead of it, and drops earlier rows.
        func want(_ row: Int, skipsLoopFilters: Bool? = nil) {
            state.update { state in
                state.skipsLoopFilters = skipsLoopFilters ?? state.skipsLoopFilters
                let first = row * columns
                let end = min((row + 1) * columns + ahead, columns * rows)
                let start = max(state.waiting.lowerBound, first)
                state.waiting = start..<max(end, start)
                state.finished = state.finished.filter { $0.key >= first }
            }
        }

        /// Returns the next tile for the calling thread while `row` is incomplete; nil once it is complete. Waits while
        /// other threads decode its last tiles and nothing else is scheduled.
        func nextUnfinished(in row: Int) -> Int? {
            let row = tiles(ofRow: row)
            return state.withLock(when: { !$0.waiting.isEmpty || $0.isComplete(row) }) {
                $0.isComplete(row) ? nil : $0.waiting.popFirst()
            }
        }

        func finish(_ index: Int, _ outcome: Outcome) { state.update { $0.finished[index] = outcome } }

        func outcomes(ofRow row: Int) -> [Outcome] {
            state.withLock { state in tiles(ofRow: row).compactMap { state.finished[$0] } }
        }

        private func tiles(ofRow row: Int) -> Range<Int> { row * columns..<(row + 1) * columns }

        func close() { state.update { $0.isClosed = true } }

        /// Decodes scheduled tiles until the work is closed.
        func help(_ task: TaskContext) {
            defer { task.countThread() }
            var decoder: CodedImageDecoder?
            while let index = next() {
                let outcome = task.outcome { () throws(MediaError) in
                    if decoder == nil { decoder = try makeDecoder() }
                    return try decode(index, decoder!, task)
                }
                finish(index, outcome)
            }
        }

        private func next() -> Int? {
            state.withLock(when: { !$0.waiting.isEmpty || $0.isClosed }) {
                $0.isClosed ? nil : $0.waiting.popFirst()
            }
        }
    }
}

extension TaskContext {
    fileprivate func outcome(_ body: () throws(MediaError) -> CodedImage) -> TileDecoding.Outcome {
        TileDecoding.Outcome { () throws(MediaError) in try span("decode tile", body) }
    }
}

extension Range<Int> {
    fileprivate mutating func popFirst() -> Int? {
        guard let first else { return nil }
        self = first + 1..<upperBound
        return first
    }
}
