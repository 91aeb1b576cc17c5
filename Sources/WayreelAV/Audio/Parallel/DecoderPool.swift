/// Decoders that have decoded a stretch and wait for another.
///
/// With fixed cuts they take turns: the n-th stretch is decoded by the one that had the stretch ``turns`` before. What a
/// decoder remembers in spite of being flushed, as the state of its noise, then depends on the cuts alone, not on how many
/// threads there are; and none is opened anew, which takes as long as decoding six packets.
struct DecoderPool {
    /// How many take turns.
    private static let turns = 6
    /// Threads beyond which a stretch could be due before the one before in its turn is done; and which a machine of many
    /// cores is not given more than, so that memory stays what it is.
    static let mostWorkers = turns - 2

    private let takesTurns: Bool
    /// By turn; all in one where they take none.
    private var waiting: [Int: [AudioDecoder]] = [:]

    init(_ proof: CodecPreroll.Proof) { takesTurns = proof == .fixedCuts }

    /// A decoder for a stretch, as if it had decoded nothing; nil where a new one is needed.
    mutating func take(forStretch number: Int) -> AudioDecoder? { waiting[turn(number)]?.popLast() }

    /// Takes back the decoder of a stretch.
    mutating func put(_ decoder: AudioDecoder, ofStretch number: Int) {
        decoder.flush()
        waiting[turn(number), default: []].append(decoder)
    }

    private func turn(_ number: Int) -> Int { takesTurns ? number % Self.turns : 0 }
}
