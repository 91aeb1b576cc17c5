internal import WayreelCore

/// Consecutive packets of a track that one decoder decodes.
///
/// A chunk belongs to the decoding thread from when it is given to a thread group until it is decoded. The same holds
/// for its decoder if that is passed on to the next chunk.
final class AudioChunk {
    /// The index among the track's chunks, from 0.
    let number: Int
    /// Preceding packets, decoded only to prime the decoder.
    let preroll: ArraySlice<AudioPacket>
    let packets: [AudioPacket]
    /// Whether its decoder must have decoded all preceding packets.
    let needsPredecessor: Bool
    /// Whether it is the last chunk of the track.
    let isLast: Bool

    /// The decoder, which has the state at the end of the chunk after decoding.
    private(set) var decoder: AudioDecoder?
    /// The preceding chunk, if its decoder is passed on to this one.
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

    /// Prepares the chunk for a thread group, with a flushed decoder and an empty pool, or with new ones.
    func prepare(with decoder: AudioDecoder?, _ pool: SampleBufferPool?) {
        self.decoder = decoder
        if let pool { self.pool = pool }
        isStarted = true
    }

    /// Prepares the chunk for a group of one thread, to be decoded by the decoder of the preceding chunk, or by a new
    /// one.
    func prepare(after predecessor: AudioChunk?, _ pool: SampleBufferPool?) {
        self.predecessor = predecessor
        prepare(with: nil, pool)
    }

    /// Decodes the chunk with its decoder, or with a new one.
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

    /// Decodes the chunk with the decoder of the preceding chunk.
    func rerun(with decoder: AudioDecoder) throws(MediaError) {
        self.decoder = decoder
        clear()
        try decodeAll(decoder, until: Cancellation())
    }

    /// Returns whether the chunk's decoder started in the state that the decoder of the preceding chunk has at its end.
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

    /// Removes and returns the decoder, for reuse.
    func takeDecoder() -> AudioDecoder? {
        defer { decoder = nil }
        return decoder
    }

    /// Returns the next decoded packet; nil after the last one.
    func next() -> DecodedPacket? {
        guard emitted < decoded.count else { return nil }
        defer { emitted += 1 }
        return decoded[emitted]
    }

    /// Removes all decoded packets and returns the pool, for reuse.
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

/// Cuts the packets of a track into chunks.
struct ChunkPlan {
    let preroll: CodecPreroll
    /// Packets in a chunk.
    let length: Int
    private var recent: [AudioPacket] = []
    /// The first packet of the next chunk.
    private var pending: AudioPacket?
    private var count = 0
    /// Whether coding parameters have changed, after which the track cannot be cut.
    private var isUncuttable = false

    /// Bytes of samples in a chunk: few enough to keep in memory, and many compared with the preroll.
    private static let sampleBytes = 3 << 18

    /// Packets and bytes in a chunk of a track that cannot be cut: there is no preroll, and packets of unknown codecs
    /// may hold a second.
    private static let uncut = (packets: 64, bytes: 1 << 16)

    /// Packets in a chunk for `channelCount` channels. It determines the samples of codecs with fixed cuts.
    static func length(_ preroll: CodecPreroll, channelCount: Int) -> Int {
        guard let packetSamples = preroll.packetSamples else { return uncut.packets }
        return max(16, sampleBytes / (4 * channelCount * packetSamples))
    }

    init(_ preroll: CodecPreroll, length: Int) {
        self.preroll = preroll
        self.length = length
    }

    /// Returns the next chunk; nil at the end.
    mutating func next(of track: AudioTrackReader) throws(MediaError) -> AudioChunk? {
        var packets: [AudioPacket] = []
        packets.reserveCapacity(length)
        var bytes = 0
        let maxBytes = preroll.isUnlimited ? Self.uncut.bytes : .max
        var next = if let pending { pending } else { try track.next() }
        while let packet = next, packets.count < length, bytes < maxBytes {
            packets.append(packet)
            bytes += packet.bytes.count
            next = try track.next()
        }
        guard !packets.isEmpty else { return nil }
        pending = next
        let isFirst = count == 0
        let needed = isFirst || isUncuttable ? nil : preroll.count(in: recent)
        isUncuttable = isUncuttable || packets.contains(where: \.changesParameters)
        let chunk = AudioChunk(
            number: count, preroll: recent.suffix(needed ?? 0), packets: packets,
            needsPredecessor: !isFirst && needed == nil, isLast: pending == nil)
        count += 1
        if !preroll.isUnlimited { recent = Array((recent + packets).suffix(CodecPreroll.maxPackets)) }
        return chunk
    }
}
