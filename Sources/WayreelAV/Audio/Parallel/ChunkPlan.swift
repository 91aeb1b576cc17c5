internal import WayreelCore

/// Cuts the packets of a track into chunks.
struct ChunkPlan {
    let preroll: CodecPreroll
    /// Packets in a chunk.
    let length: Int
    private var recent: [AudioPacket] = []
    /// The first packet of the next chunk.
    private var pending: AudioPacket?
    /// Chunks so far.
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
