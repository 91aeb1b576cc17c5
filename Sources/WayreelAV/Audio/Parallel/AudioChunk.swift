internal import CFFmpeg
internal import WayreelCore

/// Consecutive packets of a track that one decoder decodes in one go.
///
/// Belongs to the thread that decodes it from when it is handed to a crew until that has done it; its decoder still does
/// where it is left to the stretch that follows.
final class AudioChunk: @unchecked Sendable {
    /// Its place among the track's stretches, from 0.
    let number: Int
    /// Packets before it, decoded only for their effect.
    let warmUp: ArraySlice<AudioPacket>
    let packets: [AudioPacket]
    /// Whether the decoder must have decoded everything before.
    let needsPredecessor: Bool
    /// Whether the track ends with it.
    let isLast: Bool

    /// What decodes it; afterwards in the state that it has at the end.
    private(set) var decoder: AudioDecoder?
    /// The one before it, where that leaves its decoder to this one.
    private var predecessor: AudioChunk?
    private(set) var shelf = SampleBufferPool()
    private(set) var decoded: [DecodedPacket] = []
    /// Whether a crew was given it.
    private(set) var isStarted = false
    /// What the last packet of the warm-up gave.
    private(set) var witness: DecodedPacket?
    private(set) var failure: MediaError?

    init(number: Int, warmUp: ArraySlice<AudioPacket>, packets: [AudioPacket], needsPredecessor: Bool, isLast: Bool) {
        self.number = number
        self.warmUp = warmUp
        self.packets = packets
        self.needsPredecessor = needsPredecessor
        self.isLast = isLast
    }

    /// To be handed to a crew, with a decoder that is as new and an empty shelf, or without.
    func prepare(with decoder: AudioDecoder?, _ shelf: SampleBufferPool?) {
        self.decoder = decoder
        if let shelf { self.shelf = shelf }
        isStarted = true
    }

    /// To be handed to a crew of one thread, with an empty shelf or without, to be decoded by the decoder of the stretch that
    /// was handed to it before; without one, by a new decoder.
    func prepare(after predecessor: AudioChunk?, _ shelf: SampleBufferPool?) {
        self.predecessor = predecessor
        prepare(with: nil, shelf)
    }

    /// Decodes it with the decoder that it was given or, without one, a new one.
    func run(_ parameters: CodecParameters, until stop: Cancellation) {
        do throws(MediaError) {
            if let predecessor {
                decoder = predecessor.takeDecoder()
                self.predecessor = nil
            }
            if decoder == nil { decoder = try AudioDecoder(parameters) }
            guard let decoder else { return }
            for packet in warmUp {
                witness = nil
                shelf.removeAll()
                try decoder.decode(packet, to: shelf) { witness = $0 }
            }
            try decodeAll(decoder, until: stop)
        } catch { failure = error }
    }

    /// Decodes it with the decoder of the stretch before, which is thereby at the end of this one.
    func rerun(with decoder: AudioDecoder) throws(MediaError) {
        self.decoder = decoder
        clear()
        try decodeAll(decoder, until: Cancellation())
    }

    /// Whether this stretch's decoder has proved to be in the state of that of the one before.
    func isContinuation(of previous: AudioChunk, by proof: CodecPreroll.Proof) -> Bool {
        guard isStarted else { return false }
        switch proof {
        case .fixedCuts: return true
        case .comparison:
            guard let witness, let last = previous.decoded.last, !witness.isLost, !witness.runs.isEmpty else {
                return false
            }
            return witness.equals(last)
        }
    }

    /// Lets go of the decoder, for use elsewhere.
    func takeDecoder() -> AudioDecoder? {
        defer { decoder = nil }
        return decoder
    }

    /// Hands out what was decoded and lets go of it, but for the last packet, which the next stretch may be compared with.
    func handOut(_ body: (DecodedPacket) throws(MediaError) -> Void) throws(MediaError) {
        for packet in decoded { try body(packet) }
        decoded.removeFirst(max(0, decoded.count - 1))
    }

    /// Lets go of all that was decoded and of the shelf, for use elsewhere.
    func takeShelf() -> SampleBufferPool {
        clear()
        return shelf
    }

    private func clear() {
        decoded.removeAll()
        witness = nil
        shelf.removeAll()
    }

    private func decodeAll(_ decoder: AudioDecoder, until stop: Cancellation) throws(MediaError) {
        decoded.reserveCapacity(packets.count)
        for packet in packets {
            guard !stop.isCancelled else { return }
            try decoder.decode(packet, to: shelf) { decoded.append($0) }
        }
        if isLast { try decoder.finish(to: shelf) { decoded.append($0) } }
    }
}
