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

    /// Returns the decoder of a chunk.
    mutating func put(_ decoder: AudioDecoder, ofChunk number: Int) {
        decoder.flush()
        idle[turn(number), default: []].append(decoder)
    }

    private func turn(_ number: Int) -> Int { takesTurns ? number % Self.turns : 0 }
}
