internal import WayreelCore

/// Decodes the chunks of a track on other threads and emits them in order, with the samples of one decoder.
///
/// A track that cannot be cut is decoded by one thread, ahead of the caller. Elsewhere a decoder that starts within the track is
/// verified against the state of the one before (``CodecPreroll/Verification``); if it differs, the one before decodes the chunk
/// again. So the result does not depend on the number of threads, and damage only costs time.
struct ParallelDecoding {
    private let track: AudioTrackReader
    private var plan: ChunkPlan
    private let watch: TaskWatch
    /// Chunks that were decoded twice.
    private(set) var repeated = 0
    /// Consecutive chunks that failed verification.
    private var failures = 0

    /// Consecutive failures after which one decoder decodes the rest.
    private static let maxFailures = 8

    init(_ track: AudioTrackReader, _ plan: ChunkPlan, watch: TaskWatch) {
        self.track = track
        self.plan = plan
        self.watch = watch
    }

    /// Returns false, with nothing done, where the system refuses threads.
    mutating func run(workers: Int, _ body: (DecodedPacket) throws(MediaError) -> Void) throws(MediaError) -> Bool {
        let isUncut = plan.preroll.isUnlimited
        let threads = DecoderThreadGroup(
            workers: isUncut ? 1 : min(workers, DecoderPool.maxWorkers), track.parameters, watch: watch)
        defer { threads.stop() }
        guard threads.count > 0 else { return false }
        var decoders = DecoderPool(plan.preroll.verification)
        var pools: [SampleBufferPool] = []
        var queue: [AudioChunk] = []
        var previous: AudioChunk?
        var isAtEnd = false
        while true {
            // One more than can be decoded at once waits for a thread.
            while !isAtEnd, queue.count < threads.count + 1 {
                guard let chunk = try plan.next(of: track) else {
                    isAtEnd = true
                    break
                }
                let last = queue.last ?? previous
                queue.append(chunk)
                if isUncut {
                    chunk.prepare(after: last, pools.popLast())
                } else {
                    guard !chunk.needsPredecessor, failures < Self.maxFailures else { continue }
                    chunk.prepare(with: decoders.take(forChunk: chunk.number), pools.popLast())
                }
                threads.start(chunk)
            }
            guard !queue.isEmpty else { return true }
            let chunk = queue.removeFirst()
            if chunk.isStarted { try threads.wait(for: chunk) }
            try watch.check()
            let replaced = isUncut ? nil : try join(chunk, to: previous)
            try chunk.emit(body)
            if let previous {
                if let replaced { decoders.put(replaced, ofChunk: previous.number) }
                pools.append(previous.takePool())
            }
            previous = chunk
        }
    }

    /// Decodes `chunk` again where it does not continue the chunk before. Returns a decoder that is not needed any more.
    private mutating func join(_ chunk: AudioChunk, to previous: AudioChunk?) throws(MediaError) -> AudioDecoder? {
        guard let previous, let decoder = previous.takeDecoder() else {
            if !chunk.isStarted { try chunk.rerun(with: AudioDecoder(track.parameters)) }
            return nil
        }
        if chunk.isContinuation(of: previous, by: plan.preroll.verification) {
            failures = 0
            return decoder
        }
        let own = chunk.takeDecoder()
        if chunk.isStarted {
            repeated += 1
            failures += 1
        }
        try chunk.rerun(with: decoder)
        return own
    }
}
