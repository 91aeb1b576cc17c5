internal import CFFmpeg
internal import WayreelCore

/// How much of what came before a codec's decoder remembers: what a second decoder, begun in the middle of a track, must be
/// given first so that it goes on as the first would.
struct CodecPreroll {
    /// Packets that are decoded only for their effect on the decoder.
    enum WarmUp {
        case packets(Int)
        /// As many as hold `bytes` of frame contents, and `packets` more.
        case contents(bytes: Int, packets: Int)
        /// All that there were: the track cannot be cut.
        case everything
    }

    /// How it is made sure that the result does not depend on where a track is cut.
    enum Proof {
        /// The last packet of the warm-up must give the same bits as it gave the decoder before; else that one goes on.
        case comparison
        /// The cuts are always at the same packets, with one thread too, and decoders take turns (``DecoderPool``).
        case fixedCuts
    }

    let warmUp: WarmUp
    let proof: Proof
    /// Samples per channel that a packet commonly has; nil where the track cannot be cut, and it does not matter.
    let packetSamples: Int?

    private static let table: [(codec: AVCodecID, memory: CodecPreroll)] = [
        // Packets stand alone; the one in front is only for comparison.
        (AV_CODEC_ID_FLAC, CodecPreroll(.packets(1), packetSamples: 4096)),
        (AV_CODEC_ID_ALAC, CodecPreroll(.packets(1), packetSamples: 4096)),
        (AV_CODEC_ID_WAVPACK, CodecPreroll(.packets(1), packetSamples: 22_050)),
        // ISO 11172-3 2.4.3.4: a frame's contents begin up to 511 bytes before it. Of the frames after those the first has a
        // wrong overlap and the second, where a frame is one granule, a wrong filter bank; the fourth is compared.
        (AV_CODEC_ID_MP3, CodecPreroll(.contents(bytes: 511, packets: 4), packetSamples: 1152)),
        // Half a window overlaps; the first packet gives nothing, the second is compared.
        (AV_CODEC_ID_VORBIS, CodecPreroll(.packets(2), packetSamples: 1024)),
        // Half a window overlaps. FFmpeg's decoder draws the noise that stands for noisy bands (ISO 14496-3 4.6.13; PNS) from a
        // generator that remembers everything since the decoder was made, so that only fixed cuts give the same bits.
        (AV_CODEC_ID_AAC, CodecPreroll(.packets(1), .fixedCuts, packetSamples: 1024)),
    ]

    /// Of codecs whose decoders remember more than can be told: Opus's carries its bands' energies from packet to packet.
    private static let endless = CodecPreroll(.everything, packetSamples: nil)

    private init(_ warmUp: WarmUp, _ proof: Proof = .comparison, packetSamples: Int?) {
        self.warmUp = warmUp
        self.proof = proof
        self.packetSamples = packetSamples
    }

    /// That of a track: `first` is its first packet, `profile` what the decoder found in it.
    init(_ parameters: CodecParameters, profile: Int32, first: AudioPacket) {
        var found = Self.table.first { $0.codec == parameters.codec }?.memory ?? Self.endless
        if parameters.codec == AV_CODEC_ID_AAC {
            // Spectral band replication, prediction and parametric stereo remember more.
            let isSimple = profile == FF_PROFILE_AAC_LOW && (parameters.hasHeader || Self.tellsChannels(first.bytes))
            if !isSimple { found = Self.endless }
        }
        self = found
    }

    /// Whether a track cannot be cut.
    var isEndless: Bool { if case .everything = warmUp { true } else { false } }

    /// Whether an ADTS header says what channels there are, or leaves that to the contents of the first packet.
    private static func tellsChannels(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        guard bytes.count >= 7, bytes[0] == 0xFF, bytes[1] & 0xF0 == 0xF0 else { return false }
        return bytes[2] & 1 != 0 || bytes[3] & 0xC0 != 0
    }

    /// How many of the packets that were `before` a cut, in order, are needed; nil where there are too few.
    func warmUpCount(_ before: [AudioPacket]) -> Int? {
        switch warmUp {
        case .packets(let count): return before.count >= count ? count : nil
        case .contents(let bytes, let packets):
            var held = 0
            for (index, packet) in before.reversed().enumerated() {
                held += Self.contentBytes(packet.bytes)
                if held >= bytes { return index + 1 + packets <= before.count ? index + 1 + packets : nil }
            }
            return nil
        case .everything: return nil
        }
    }

    /// Packets to be remembered for ``warmUpCount(_:)``.
    static let longestWarmUp = 48

    /// Bytes of an MPEG audio layer III frame behind its header, checksum and side information.
    private static func contentBytes(_ bytes: UnsafeBufferPointer<UInt8>) -> Int {
        guard bytes.count >= 4 else { return 0 }
        let isMPEG1 = bytes[1] & 0x08 != 0
        let isMono = bytes[3] & 0xC0 == 0xC0
        let side = isMPEG1 ? (isMono ? 17 : 32) : (isMono ? 9 : 17)
        return max(0, bytes.count - 4 - (bytes[1] & 1 == 0 ? 2 : 0) - side)
    }
}
