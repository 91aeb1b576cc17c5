internal import WayreelCore

/// Consecutive packets of a track that one decoder decodes.
///
/// Belongs to the thread that decodes it, from when it is given to a thread group until that is done; so does its decoder where it is
/// passed on to the next chunk.
final class AudioChunk: @unchecked Sendable {
    /// The index among the track's chunks, from 0.
    let number: Int
    /// Packets before it, decoded only to prime the decoder.
    let preroll: ArraySlice<AudioPacket>
    let packets: [AudioPacket]
    /// Whether its decoder must have decoded everything before.
    let needsPredecessor: Bool
    /// Whether the track ends with it.
    let isLast: Bool

    /// The decoder, which afterwards has the state at the end of the chunk.
    private(set) var decoder: AudioDecoder?
    /// The chunk before, where its decoder is passed on to this one.
    private var predecessor: AudioChunk?
    private(set) var pool = SampleBufferPool()
    private var decoded: [DecodedPacket] = []
    /// Decoded packets that ``next()`` has returned.
    private var emitted = 0
    /// Whether it was given to a thread group.
    private(set) var isStarted = false
    /// The result of the last packet of the preroll.
    private var checkPacket: DecodedPacket?
    private(set) var failure: MediaError?

    init(
        number: Int, preroll: ArraySlice<AudioPacket>, packets: [AudioPacket], needsPredecessor: Bool, isLast: Bool
    ) {
        self.number = number
        self.preroll = preroll
        self.packets = packets
        self.needsPredecessor = needsPredecessor
        self.isLast = isLast
    }

    /// Prepares it for a thread group, with a flushed decoder and an empty pool, or with new ones.
    func prepare(with decoder: AudioDecoder?, _ pool: SampleBufferPool?) {
        self.decoder = decoder
        if let pool { self.pool = pool }
        isStarted = true
    }

    /// Prepares it for a group of one thread, to be decoded by the decoder of the chunk before, or by a new one.
    func prepare(after predecessor: AudioChunk?, _ pool: SampleBufferPool?) {
        self.predecessor = predecessor
        prepare(with: nil, pool)
    }

    /// Decodes it with its decoder, or with a new one.
    func run(_ parameters: CodecParameters, until stop: Cancellation) {
        do throws(MediaError) {
            if let predecessor {
                decoder = predecessor.takeDecoder()
                self.predecessor = nil
            }
            if decoder == nil { decoder = try AudioDecoder(parameters) }
            guard let decoder else { return }
            for packet in preroll {
                checkPacket = nil
                pool.removeAll()
                try decoder.send(packet, to: pool)
                while let decoded = decoder.next() { checkPacket = decoded }
            }
            try decodeAll(decoder, until: stop)
        } catch { failure = error }
    }

    /// Decodes it with the decoder of the chunk before.
    func rerun(with decoder: AudioDecoder) throws(MediaError) {
        self.decoder = decoder
        clear()
        try decodeAll(decoder, until: Cancellation())
    }

    /// Whether its decoder started in the state that the decoder of the chunk before has at its end.
    func isContinuation(of previous: AudioChunk, by verification: CodecPreroll.Verification) -> Bool {
        guard isStarted else { return false }
        switch verification {
        case .fixedCuts: return true
        case .comparison:
            guard let checkPacket, let last = previous.decoded.last, !checkPacket.isLost, !checkPacket.runs.isEmpty
            else {
                return false
            }
            return checkPacket.equals(last)
        }
    }

    /// Removes the decoder, for reuse.
    func takeDecoder() -> AudioDecoder? {
        defer { decoder = nil }
        return decoder
    }

    /// The next decoded packet; nil after the last one.
    func next() -> DecodedPacket? {
        guard emitted < decoded.count else { return nil }
        defer { emitted += 1 }
        return decoded[emitted]
    }

    /// Removes all decoded packets and the pool, for reuse.
    func takePool() -> SampleBufferPool {
        clear()
        return pool
    }

    private func clear() {
        decoded.removeAll()
        emitted = 0
        checkPacket = nil
        pool.removeAll()
    }

    private func decodeAll(_ decoder: AudioDecoder, until stop: Cancellation) throws(MediaError) {
        decoded.reserveCapacity(packets.count)
        for packet in packets {
            guard !stop.isCancelled else { return }
            try decode(packet, by: decoder)
        }
        if isLast { try decode(nil, by: decoder) }
    }

    private func decode(_ packet: AudioPacket?, by decoder: AudioDecoder) throws(MediaError) {
        try decoder.send(packet, to: pool)
        while let packet = decoder.next() { decoded.append(packet) }
    }
}
