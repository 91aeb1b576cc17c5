internal import CFFmpeg
internal import WayreelCore

/// The links of chained Ogg: streams that follow each other in a file, as recordings of radio have them (RFC 3533,
/// section 4). FFmpeg returns their headers as packets, and counts all timestamps at the rate of the first link.
struct OggLinks {
    private let codec: AVCodecID
    /// The sample rate of the first link.
    private let sampleRate: Int
    /// The sample rate of the current link.
    private var rate: Int
    /// The beginning of a link whose first packet of audio has not been read.
    private var pending: Beginning?
    /// Whether headers are being read.
    private var isInHeaders = false
    private var isFirst = true

    private struct Beginning {
        /// Samples that are not presented; nil if FFmpeg declares them.
        var skip: Int?
        var sampleRate: Int?
    }

    init(_ parameters: CodecParameters) {
        (codec, sampleRate, rate) = (parameters.codec, parameters.sampleRate, parameters.sampleRate)
    }

    /// A packet of a link.
    enum Part {
        /// A header that is not for the decoder.
        case header
        /// A header that the decoder of Vorbis needs.
        case configuration
        case audio
    }

    mutating func part(_ packet: Packet) -> Part {
        let bytes = packet.bytes
        if let beginning = beginning(bytes) {
            (pending, isInHeaders) = (beginning, true)
            return codec == AV_CODEC_ID_VORBIS ? .configuration : .header
        }
        guard isInHeaders else { return .audio }
        switch codec {
        // Headers have odd numbers, packets of audio begin with an even one (Vorbis I, section 4.2.1).
        case AV_CODEC_ID_VORBIS: return bytes[0] & 1 == 1 ? .configuration : .audio
        // The first byte of a frame is 0xFF, which no block of metadata has.
        case AV_CODEC_ID_FLAC: return bytes[0] != 0xFF ? .header : .audio
        default: break
        }
        // Comments follow the first header of Opus and Speex.
        isInHeaders = false
        return codec != AV_CODEC_ID_OPUS || bytes.matches("OpusTags".utf8, at: 0) ? .header : .audio
    }

    /// Marks the first packet of a link, and removes timestamps at another rate.
    mutating func place(_ packet: inout AudioPacket) {
        let skip = pending?.skip
        if begins(packet.packet, isSkipped: packet.skip > 0) {
            packet.startsLink = true
            if let skip, packet.skip == 0 { packet.skip = skip }
        }
        if rate != sampleRate { packet.time = nil }
    }

    /// Corrects the times of a packet of audio, which FFmpeg counts at the rate of the first link.
    mutating func correctTimes(of packet: Packet) {
        _ = begins(packet, isSkipped: packet.hasSideData(AV_PKT_DATA_SKIP_SAMPLES))
        if rate != sampleRate, rate > 0 { packet.scaleTimes(by: Double(sampleRate) / Double(rate)) }
    }

    /// Returns whether a packet of audio begins a link.
    private mutating func begins(_ packet: Packet, isSkipped: Bool) -> Bool {
        defer { (pending, isFirst, isInHeaders) = (nil, false, false) }
        let jumpsBack = isSkipped && codec == AV_CODEC_ID_OPUS
        guard !isFirst, pending != nil || jumpsBack || packet.hasSideData(AV_PKT_DATA_NEW_EXTRADATA) else {
            return false
        }
        rate = pending?.sampleRate ?? vorbisRate(packet) ?? sampleRate
        return true
    }

    /// Parses the first header of a link.
    private func beginning(_ bytes: UnsafeRawBufferPointer) -> Beginning? {
        switch codec {
        case AV_CODEC_ID_OPUS where bytes.count >= 19 && bytes.matches("OpusHead".utf8, at: 0):
            Beginning(skip: Int(bytes.littleEndian16(at: 10)), sampleRate: 48_000)
        case AV_CODEC_ID_FLAC where bytes.count >= 30 && bytes[0] == 0x7F && bytes.matches("FLAC".utf8, at: 1):
            // The rate is the upper 20 bits after the sizes of blocks and frames.
            Beginning(sampleRate: Int(bytes.bigEndian(at: 27, count: 3) >> 4))
        case AV_CODEC_ID_VORBIS where bytes.count >= 30 && bytes.matches("\u{1}vorbis".utf8, at: 0):
            Beginning(sampleRate: Int(bytes.littleEndian32(at: 12)))
        case AV_CODEC_ID_SPEEX where bytes.count >= 40 && bytes.matches("Speex   ".utf8, at: 0):
            Beginning(sampleRate: Int(bytes.littleEndian32(at: 36)))
        default: nil
        }
    }

    /// Returns the rate in the headers that FFmpeg attaches to the first packet of a link (Vorbis I, section 4.2.2).
    private func vorbisRate(_ packet: Packet) -> Int? {
        var size = 0
        guard codec == AV_CODEC_ID_VORBIS,
            let data = av_packet_get_side_data(packet.pointer, AV_PKT_DATA_NEW_EXTRADATA, &size)
        else { return nil }
        let bytes = UnsafeRawBufferPointer(start: data, count: size)
        return (0..<min(16, size)).first { bytes.matches("\u{1}vorbis".utf8, at: $0) && $0 + 16 <= size }.map {
            Int(bytes.littleEndian32(at: $0 + 12))
        }
    }
}
