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

/// Decoders that have decoded a chunk and can decode another.
///
/// With fixed cuts they take turns: chunk n is decoded by the decoder of chunk n − ``turns``. State that survives a
/// flush, such as that of a noise generator, then depends on the cuts only and not on the number of threads. Reuse also
/// avoids opening a decoder, which takes as long as decoding six packets.
struct DecoderPool {
    private static let turns = 6
    /// With more threads, a decoder could be needed before it is free. The limit also bounds memory on machines with
    /// many cores.
    static let maxWorkers = turns - 2

    private let takesTurns: Bool
    /// Idle decoders by turn; all at 0 without turns.
    private var idle: [Int: [AudioDecoder]] = [:]

    init(_ verification: CodecPreroll.Verification) { takesTurns = verification == .fixedCuts }

    /// Takes a flushed decoder for a chunk; nil if a new one is needed.
    mutating func take(forChunk number: Int) -> AudioDecoder? { idle[turn(number)]?.popLast() }

    mutating func put(_ decoder: AudioDecoder, ofChunk number: Int) {
        decoder.flush()
        idle[turn(number), default: []].append(decoder)
    }

    private func turn(_ number: Int) -> Int { takesTurns ? number % Self.turns : 0 }
}

/// Threads that decode chunks of one track, started in the order in which they are added.
///
/// Belongs to one thread, which must call ``stop()`` at the end.
final class DecoderThreadGroup {
    private let queue: Queue
    private var threads: [WorkThread] = []

    init(workers: Int, _ parameters: CodecParameters, task: TaskContext) {
        let queue = Queue(parameters)
        self.queue = queue
        for _ in 0..<workers {
            let own = task.child()
            guard let thread = try? WorkThread("decode", { queue.work(own) }) else { break }
            threads.append(thread)
        }
    }

    /// The number of threads; fewer than requested if the system refuses some.
    var count: Int { threads.count }

    func start(_ chunk: AudioChunk) { queue.add(chunk) }

    /// Waits until a started chunk is decoded. Throws its error.
    func wait(for chunk: AudioChunk) throws(MediaError) {
        queue.wait(for: chunk)
        if let failure = chunk.failure { throw failure }
    }

    /// Cancels decoding and ends the threads.
    func stop() {
        queue.close()
        for thread in threads { thread.join() }
        threads.removeAll()
    }

    /// A queue of chunks that wait for a thread, and of chunks that are decoded.
    private final class Queue: Sendable {
        private struct State {
            var waiting: [AudioChunk] = []
            var done: Set<ObjectIdentifier> = []
        }

        private let stop = Cancellation()
        private let parameters: CodecParameters
        private let state = Monitor(State())

        init(_ parameters: CodecParameters) { self.parameters = parameters }

        func add(_ chunk: AudioChunk) { state.update { $0.waiting.append(chunk) } }

        func wait(for chunk: AudioChunk) {
            let id = ObjectIdentifier(chunk)
            state.withLock(when: { $0.done.contains(id) }) { _ = $0.done.remove(id) }
        }

        func close() {
            stop.cancel()
            state.update { $0.waiting.removeAll() }
        }

        /// Decodes chunks until the queue is closed.
        func work(_ task: TaskContext) {
            defer { task.countThread() }
            while let chunk = next() {
                try? task.span("decode") { chunk.run(parameters, until: stop) }
                state.update { _ = $0.done.insert(ObjectIdentifier(chunk)) }
            }
        }

        private func next() -> AudioChunk? {
            state.withLock(when: { !$0.waiting.isEmpty || stop.isCancelled }) {
                $0.waiting.isEmpty ? nil : $0.waiting.removeFirst()
            }
        }
    }
}

/// Decodes a track on the calling thread. Codecs with fixed cuts are cut at the same packets as in
/// ``ParallelDecoding``.
final class SerialDecoding: DecodedPacketSource {
    private let track: AudioTrackReader
    /// The chunk plan; nil if the track is not cut.
    private let cuts: ChunkPlan?
    private let task: TaskContext
    private var decoder: AudioDecoder
    private let pool = SampleBufferPool()
    private var decoders = DecoderPool(.fixedCuts)
    private var recent: [AudioPacket] = []
    /// Whether coding parameters have changed, after which the track cannot be cut.
    private var isUncuttable = false
    private var isAtEnd = false

    init(_ track: AudioTrackReader, _ plan: ChunkPlan, task: TaskContext) throws(MediaError) {
        self.track = track
        self.task = task
        cuts = plan.preroll.verification == .fixedCuts ? plan : nil
        decoder = try AudioDecoder(track.parameters)
    }

    let repeatedChunks = 0

    func next() throws(MediaError) -> DecodedPacket? {
        while true {
            if let decoded = decoder.next() { return decoded }
            guard !isAtEnd else { return nil }
            try task.check()
            pool.removeAll()
            let packet = try track.next()
            isAtEnd = packet == nil
            if let cuts, let packet { try cut(before: packet, by: cuts) }
            try decoder.send(packet, to: pool)
        }
    }

    func stop() {}

    /// Changes the decoder if a chunk starts with `packet`.
    private func cut(before packet: AudioPacket, by cuts: ChunkPlan) throws(MediaError) {
        if packet.number > 0, packet.number % cuts.length == 0, !isUncuttable,
            let needed = cuts.preroll.count(in: recent)
        {
            let chunk = packet.number / cuts.length
            decoders.put(decoder, ofChunk: chunk - 1)
            if let idle = decoders.take(forChunk: chunk) {
                decoder = idle
            } else {
                decoder = try AudioDecoder(track.parameters)
            }
            for packet in recent.suffix(needed) {
                try decoder.send(packet, to: pool)
                while decoder.next() != nil {}
            }
        }
        isUncuttable = isUncuttable || packet.changesParameters
        recent.append(packet)
        if recent.count == 2 * CodecPreroll.maxPackets { recent.removeFirst(CodecPreroll.maxPackets) }
    }
}

/// The decoded packets of a track, in order.
protocol DecodedPacketSource: AnyObject {
    /// Returns the next packet; nil at the end. The samples of the preceding packet may become invalid.
    func next() throws(MediaError) -> DecodedPacket?
    /// Ends the threads that decode ahead. Call it after the last ``next()``.
    func stop()
    /// Chunks that were decoded twice.
    var repeatedChunks: Int { get }
}
