internal import WayreelCore

/// Decodes the stretches of a track on other threads and hands them out in order, as one decoder would have made them.
///
/// A track that cannot be cut is decoded by one thread, ahead of the caller. Of others a decoder that begins in the middle is believed only where it proves to be in the state of the one before
/// (``CodecPreroll/Proof``); where not, the one before goes on through the stretch. So the result never depends on the
/// number of threads, and damaged places only cost time.
struct ParallelDecoding {
    let demuxer: AudioTrackReader
    var plan: ChunkPlan
    let watch: TaskWatch
    /// Stretches that were decoded twice.
    private(set) var repeated = 0
    /// Stretches refused in a row.
    private var refused = 0

    /// Cuts refused one after another beyond which the rest is left to one decoder.
    private static let patience = 8

    init(_ demuxer: AudioTrackReader, _ plan: ChunkPlan, watch: TaskWatch) {
        self.demuxer = demuxer
        self.plan = plan
        self.watch = watch
    }

    /// Returns false, with nothing done, where the system lets it have no thread.
    mutating func run(workers: Int, _ body: (DecodedPacket) throws(MediaError) -> Void) throws(MediaError) -> Bool {
        let isUncut = plan.memory.isEndless
        let crew = DecoderThreadGroup(
            workers: isUncut ? 1 : min(workers, DecoderPool.mostWorkers), demuxer.parameters, watch: watch)
        defer { crew.disband() }
        guard crew.workers > 0 else { return false }
        var spare = DecoderPool(plan.memory.proof)
        var shelves: [SampleBufferPool] = []
        var queue: [AudioChunk] = []
        var previous: AudioChunk?
        var isAtEnd = false
        while true {
            // One beside those that are being decoded waits for a thread.
            while !isAtEnd, queue.count < crew.workers + 1 {
                guard let stretch = try plan.next(of: demuxer) else {
                    isAtEnd = true
                    break
                }
                let last = queue.last ?? previous
                queue.append(stretch)
                if isUncut {
                    stretch.prepare(after: last, shelves.popLast())
                } else {
                    guard !stretch.needsPredecessor, refused < Self.patience else { continue }
                    stretch.prepare(with: spare.take(forStretch: stretch.number), shelves.popLast())
                }
                crew.start(stretch)
            }
            guard !queue.isEmpty else { return true }
            let stretch = queue.removeFirst()
            if stretch.isStarted { try crew.wait(for: stretch) }
            try watch.check()
            let replaced = isUncut ? nil : try join(stretch, to: previous)
            try stretch.handOut(body)
            if let previous {
                if let replaced { spare.put(replaced, ofStretch: previous.number) }
                shelves.append(previous.takeShelf())
            }
            previous = stretch
        }
    }

    /// Makes sure that `stretch` is decoded as the decoder of the stretch before would. Returns a decoder that is not needed any more.
    private mutating func join(_ stretch: AudioChunk, to previous: AudioChunk?) throws(MediaError) -> AudioDecoder? {
        guard let previous, let decoder = previous.takeDecoder() else {
            if !stretch.isStarted { try stretch.rerun(with: AudioDecoder(demuxer.parameters)) }
            return nil
        }
        if stretch.isContinuation(of: previous, by: plan.memory.proof) {
            refused = 0
            return decoder
        }
        let own = stretch.takeDecoder()
        if stretch.isStarted {
            repeated += 1
            refused += 1
        }
        try stretch.rerun(with: decoder)
        return own
    }
}
