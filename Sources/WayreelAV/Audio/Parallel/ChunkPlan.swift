internal import WayreelCore

/// Cuts the packets of a track into stretches.
struct ChunkPlan {
    let memory: CodecPreroll
    /// Packets in a stretch.
    let length: Int
    private var recent: [AudioPacket] = []
    /// The first packet of the next stretch.
    private var pending: AudioPacket?
    /// Stretches so far.
    private var count = 0
    /// Whether the coding has changed on the way, after which only one decoder knows how.
    private var isBound = false

    /// Bytes of samples in a stretch: little enough to wait in memory, and long beside the warm-up.
    private static let sampleBytes = 3 << 18

    /// Packets in a stretch of a track that is not cut, and bytes of them: it has no warm-up to be long beside, and of
    /// codecs that are not known a packet may hold a second.
    private static let uncut = (packets: 64, bytes: 1 << 16)

    /// The length of stretches for a sound with `channelCount` channels. A part of the definition of what fixed cuts give.
    static func length(_ memory: CodecPreroll, channelCount: Int) -> Int {
        guard let packetSamples = memory.packetSamples else { return uncut.packets }
        return max(16, sampleBytes / (4 * channelCount * packetSamples))
    }

    init(_ memory: CodecPreroll, length: Int) {
        self.memory = memory
        self.length = length
    }

    /// The next stretch; nil at the end.
    mutating func next(of demuxer: AudioTrackReader) throws(MediaError) -> AudioChunk? {
        var packets: [AudioPacket] = []
        packets.reserveCapacity(length)
        var bytes = 0
        let mostBytes = memory.isEndless ? Self.uncut.bytes : .max
        var next = if let pending { pending } else { try demuxer.next() }
        while let packet = next, packets.count < length, bytes < mostBytes {
            packets.append(packet)
            bytes += packet.bytes.count
            next = try demuxer.next()
        }
        guard !packets.isEmpty else { return nil }
        pending = next
        let isFirst = count == 0
        let needed = isFirst || isBound ? nil : memory.warmUpCount(recent)
        isBound = isBound || packets.contains(where: \.changesParameters)
        let stretch = AudioChunk(
            number: count, warmUp: recent.suffix(needed ?? 0), packets: packets,
            needsPredecessor: !isFirst && needed == nil,
            isLast: pending == nil)
        count += 1
        if !memory.isEndless { recent = Array((recent + packets).suffix(CodecPreroll.longestWarmUp)) }
        return stretch
    }
}
