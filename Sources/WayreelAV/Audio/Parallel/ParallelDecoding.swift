internal import WayreelCore

/// Decodes the chunks of a track on other threads and returns their packets in order, with the samples of one decoder.
///
/// A track that cannot be cut is decoded by one thread, ahead of the caller. Otherwise, a decoder that starts within
/// the track is verified against the state of the preceding one (``CodecPreroll/Verification``); if it differs, the
/// preceding decoder decodes the chunk again. The result therefore does not depend on the number of threads, and damage
/// only costs time.
final class ParallelDecoding: DecodedPacketSource {
    private let track: AudioTrackReader
    private var plan: ChunkPlan
    private let task: TaskContext
    private let threads: DecoderThreadGroup
    private var idleDecoders: DecoderPool
    private var idlePools: [SampleBufferPool] = []
    /// Chunks that are being decoded or wait for a thread.
    private var queue: [AudioChunk] = []
    /// The chunk whose packets are returned.
    private var current: AudioChunk?
    private var isAtEnd = false
    private(set) var repeatedChunks = 0
    /// Consecutive chunks that failed verification.
    private var failures = 0

    /// Consecutive failures after which one decoder decodes the rest.
    private static let maxFailures = 8

    /// Returns nil if the system refuses threads.
    init?(_ track: AudioTrackReader, _ plan: ChunkPlan, workers: Int, task: TaskContext) {
        self.track = track
        self.plan = plan
        self.task = task
        idleDecoders = DecoderPool(plan.preroll.verification)
        threads = DecoderThreadGroup(
            workers: plan.preroll.isUnlimited ? 1 : min(workers, DecoderPool.maxWorkers), track.parameters,
            task: task)
        guard threads.count > 0 else { return nil }
    }

    deinit { stop() }

    func stop() {
        isAtEnd = true
        queue.removeAll()
        threads.stop()
    }

    func next() throws(MediaError) -> DecodedPacket? {
        while true {
            if let decoded = current?.next() { return decoded }
            try startChunks()
            guard !queue.isEmpty else {
                stop()
                return nil
            }
            try advance()
        }
    }

    /// Starts one chunk per thread, and one more that waits for a thread.
    private func startChunks() throws(MediaError) {
        while !isAtEnd, queue.count < threads.count + 1 {
            guard let chunk = try plan.next(of: track) else {
                isAtEnd = true
                return
            }
            let last = queue.last ?? current
            queue.append(chunk)
            if plan.preroll.isUnlimited {
                chunk.prepare(after: last, idlePools.popLast())
            } else {
                guard !chunk.needsPredecessor, failures < Self.maxFailures else { continue }
                chunk.prepare(with: idleDecoders.take(forChunk: chunk.number), idlePools.popLast())
            }
            threads.start(chunk)
        }
    }

    /// Moves to the next chunk.
    private func advance() throws(MediaError) {
        let (previous, chunk) = (current, queue.removeFirst())
        if chunk.isStarted { try threads.wait(for: chunk) }
        try task.check()
        let unused = plan.preroll.isUnlimited ? nil : try join(chunk, to: previous)
        if let previous {
            if let unused { idleDecoders.put(unused, ofChunk: previous.number) }
            idlePools.append(previous.takePool())
        }
        current = chunk
    }

    /// Decodes `chunk` again if it does not continue the preceding chunk. Returns a decoder that is no longer needed.
    private func join(_ chunk: AudioChunk, to previous: AudioChunk?) throws(MediaError) -> AudioDecoder? {
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
            repeatedChunks += 1
            failures += 1
        }
        try chunk.rerun(with: decoder)
        return own
    }
}
