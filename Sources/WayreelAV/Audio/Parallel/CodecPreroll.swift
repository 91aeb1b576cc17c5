internal import CFFmpeg
internal import WayreelCore

/// The amount of the preceding stream that determines a codec's output: the preroll that a decoder needs to start
/// within a track.
struct CodecPreroll {
    /// The packets that are decoded only to prime the decoder.
    enum Extent {
        case packets(Int)
        /// The packets that hold `bytes` of frame contents, and `packets` more.
        case contents(bytes: Int, packets: Int)
        /// All preceding packets: the track cannot be cut.
        case everything
    }

    /// The method that makes the result independent of the cuts.
    enum Verification {
        /// The last packet of the preroll must decode to the same bits as before. Otherwise the preceding decoder
        /// continues.
        case comparison
        /// The cuts are always at the same packets, even with one thread, and decoders take turns (``DecoderPool``).
        case fixedCuts
    }

    let extent: Extent
    let verification: Verification
    /// Samples per channel of a typical packet; nil if the track cannot be cut.
    let packetSamples: Int?

    private static let table: [(codec: AVCodecID, preroll: CodecPreroll)] = [
        // Packets are independent; the preceding one is used for comparison.
        (AV_CODEC_ID_FLAC, CodecPreroll(.packets(1), packetSamples: 4096)),
        (AV_CODEC_ID_ALAC, CodecPreroll(.packets(1), packetSamples: 4096)),
        (AV_CODEC_ID_WAVPACK, CodecPreroll(.packets(1), packetSamples: 22_050)),
        // ISO 11172-3 2.4.3.4: the contents of a frame start up to 511 bytes before it. After the frames with those
        // bytes, the first frame has a wrong overlap and, if a frame is one granule, the second has a wrong filter
        // bank; the fourth is compared.
        (AV_CODEC_ID_MP3, CodecPreroll(.contents(bytes: 511, packets: 4), packetSamples: 1152)),
        // Half a window overlaps; the first packet returns no samples, the second is compared.
        (AV_CODEC_ID_VORBIS, CodecPreroll(.packets(2), packetSamples: 1024)),
        // Half a window overlaps. FFmpeg's decoder substitutes noise (ISO 14496-3 4.6.13; PNS) from a generator whose
        // state depends on all packets since the start of the decoder, so that only fixed cuts give the same bits.
        (AV_CODEC_ID_AAC, CodecPreroll(.packets(1), .fixedCuts, packetSamples: 1024)),
    ]

    /// The preroll of codecs with unlimited state: Opus predicts the energies of bands from packet to packet.
    private static let unlimited = CodecPreroll(.everything, packetSamples: nil)

    private init(_ extent: Extent, _ verification: Verification = .comparison, packetSamples: Int?) {
        self.extent = extent
        self.verification = verification
        self.packetSamples = packetSamples
    }

    /// `first` is the track's first packet; `profile` is the profile that the decoder found in it.
    init(_ parameters: CodecParameters, profile: Int32, first: AudioPacket) {
        var found = Self.table.first { $0.codec == parameters.codec }?.preroll ?? Self.unlimited
        if parameters.codec == AV_CODEC_ID_AAC {
            // Spectral band replication, prediction and parametric stereo have more state.
            let isLC = profile == FF_PROFILE_AAC_LOW
            let isSimple = isLC && (parameters.hasHeader || Self.declaresChannels(first.bytes))
            if !isSimple { found = Self.unlimited }
        }
        self = found
    }

    /// Whether the track cannot be cut.
    var isUnlimited: Bool { if case .everything = extent { true } else { false } }

    /// Returns whether an ADTS header declares the channels, instead of leaving them to the contents of the first
    /// packet.
    private static func declaresChannels(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard bytes.count >= 7, bytes[0] == 0xFF, bytes[1] & 0xF0 == 0xF0 else { return false }
        return bytes[2] & 1 != 0 || bytes[3] & 0xC0 != 0
    }

    /// Returns the length of the preroll at the end of `packets`, the packets before a cut; nil if they are too few.
    func count(in packets: [AudioPacket]) -> Int? {
        switch extent {
        case .packets(let count): return packets.count >= count ? count : nil
        case .contents(let bytes, let more):
            var held = 0
            for (index, packet) in packets.reversed().enumerated() {
                held += Self.contentBytes(packet.bytes)
                if held >= bytes { return index + 1 + more <= packets.count ? index + 1 + more : nil }
            }
            return nil
        case .everything: return nil
        }
    }

    /// The number of packets to keep for ``count(in:)``.
    static let maxPackets = 48

    /// Returns the bytes of an MPEG audio layer III frame after its header, checksum and side information.
    private static func contentBytes(_ bytes: UnsafeRawBufferPointer) -> Int {
        guard bytes.count >= 4 else { return 0 }
        let isMPEG1 = bytes[1] & 0x08 != 0
        let isMono = bytes[3] & 0xC0 == 0xC0
        let side = isMPEG1 ? (isMono ? 17 : 32) : (isMono ? 9 : 17)
        return max(0, bytes.count - 4 - (bytes[1] & 1 == 0 ? 2 : 0) - side)
    }
}
