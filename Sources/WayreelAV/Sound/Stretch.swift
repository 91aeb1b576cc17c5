internal import CFFmpeg
internal import WayreelCore

/// Consecutive packets of a track that one decoder decodes in one go.
///
/// Belongs to the thread that decodes it from when it is handed to a crew until ``isDone``.
final class Stretch: @unchecked Sendable {
    /// Its place among the track's stretches, from 0.
    let number: Int
    /// Packets before it, decoded only for their effect.
    let warmUp: ArraySlice<EncodedPacket>
    let packets: [EncodedPacket]
    /// Whether the decoder must have decoded everything before.
    let needsPredecessor: Bool
    /// Whether the track ends with it.
    let isLast: Bool

    /// What decodes it; afterwards in the state that it has at the end.
    private(set) var decoder: AudioDecoder?
    private(set) var shelf = SampleShelf()
    private(set) var decoded: [DecodedPacket] = []
    /// Whether a crew was given it.
    private(set) var isStarted = false
    /// What the last packet of the warm-up gave.
    private(set) var witness: DecodedPacket?
    private(set) var failure: MediaError?

    init(number: Int, warmUp: ArraySlice<EncodedPacket>, packets: [EncodedPacket], needsPredecessor: Bool, isLast: Bool)
    {
        self.number = number
        self.warmUp = warmUp
        self.packets = packets
        self.needsPredecessor = needsPredecessor
        self.isLast = isLast
    }

    /// To be handed to a crew, with a decoder that is as new and an empty shelf, or without.
    func prepare(with decoder: AudioDecoder?, _ shelf: SampleShelf?) {
        self.decoder = decoder
        if let shelf { self.shelf = shelf }
        isStarted = true
    }

    /// Decodes it with the decoder that it was given or, without one, a new one.
    func run(_ parameters: CodecParameters, until stop: Cancellation) {
        do throws(MediaError) {
            if decoder == nil { decoder = try AudioDecoder(parameters) }
            guard let decoder else { return }
            for packet in warmUp {
                shelf.removeAll()
                try decoder.decode(packet, to: shelf) { witness = $0 }
            }
            try decodeAll(decoder, until: stop)
        } catch { failure = error }
    }

    /// Decodes it with the decoder of the stretch before, which is thereby at the end of this one.
    func rerun(with decoder: AudioDecoder) throws(MediaError) {
        self.decoder = decoder
        decoded.removeAll()
        shelf.removeAll()
        try decodeAll(decoder, until: Cancellation())
    }

    /// Whether this stretch's decoder has proved to be in the state of that of the one before.
    func isContinuation(of previous: Stretch, by proof: CodecMemory.Proof) -> Bool {
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

    private func decodeAll(_ decoder: AudioDecoder, until stop: Cancellation) throws(MediaError) {
        decoded.reserveCapacity(packets.count)
        for packet in packets {
            guard !stop.isCancelled else { return }
            try decoder.decode(packet, to: shelf) { decoded.append($0) }
        }
        if isLast { try decoder.finish(to: shelf) { decoded.append($0) } }
    }
}
