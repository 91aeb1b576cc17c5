internal import WayreelCore

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
