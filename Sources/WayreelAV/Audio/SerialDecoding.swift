internal import WayreelCore

/// Decodes a track on the calling thread. Codecs with fixed cuts are cut at the same packets as in ``ParallelDecoding``.
struct SerialDecoding {
    private let track: AudioTrackReader
    private let plan: ChunkPlan
    private let watch: TaskWatch

    init(_ track: AudioTrackReader, _ plan: ChunkPlan, watch: TaskWatch) {
        self.track = track
        self.plan = plan
        self.watch = watch
    }

    func run(_ body: (DecodedPacket) throws(MediaError) -> Void) throws(MediaError) {
        var decoder = try AudioDecoder(track.parameters)
        let cuts = plan.preroll.verification == .fixedCuts ? plan : nil
        let pool = SampleBufferPool()
        var decoders = DecoderPool(.fixedCuts)
        var recent: [AudioPacket] = []
        var isUncuttable = false
        while let packet = try track.next() {
            try watch.check()
            pool.removeAll()
            if let cuts {
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
                    for packet in recent.suffix(needed) { try decoder.decode(packet, to: pool) { _ in } }
                }
                isUncuttable = isUncuttable || packet.changesParameters
                recent.append(packet)
                if recent.count == 2 * CodecPreroll.maxPackets { recent.removeFirst(CodecPreroll.maxPackets) }
            }
            try decoder.decode(packet, to: pool, body)
        }
        try decoder.finish(to: pool, body)
    }
}
