internal import CFFmpeg
internal import WayreelCore

/// Corrects the layout of PCM samples that a WAVEFORMATEX structure describes: in WAV, Wave64, AVI and ASF.
///
/// A sample takes as many bytes as the block alignment says, and its valid bits are the upper ones (Microsoft,
/// "Multiple channel audio data and WAVE files"). FFmpeg takes the valid bits for the size.
struct WaveFormatRepair {
    private let file: InputFile

    /// WAVE_FORMAT_PCM and WAVE_FORMAT_IEEE_FLOAT.
    private static let (integerTag, floatTag): (UInt32, UInt32) = (1, 3)
    private static let littleEndian: [Int: AVCodecID] = [
        1: AV_CODEC_ID_PCM_U8, 2: AV_CODEC_ID_PCM_S16LE, 3: AV_CODEC_ID_PCM_S24LE, 4: AV_CODEC_ID_PCM_S32LE,
        8: AV_CODEC_ID_PCM_S64LE,
    ]
    private static let bigEndian: [Int: AVCodecID] = [
        2: AV_CODEC_ID_PCM_S16BE, 3: AV_CODEC_ID_PCM_S24BE, 4: AV_CODEC_ID_PCM_S32BE, 8: AV_CODEC_ID_PCM_S64BE,
    ]
    private static let floats: [Int: AVCodecID] = [4: AV_CODEC_ID_PCM_F32LE, 8: AV_CODEC_ID_PCM_F64LE]

    init(_ file: InputFile) { self.file = file }

    /// Corrects the audio streams of an open file. Call it before packets are read.
    ///
    /// Throws a `decoding` error if a file of audio only contradicts itself.
    func apply(to context: FormatContext) throws(MediaError) {
        for stream in context.streams where stream.pointee.codecpar.pointee.codec_type == AVMEDIA_TYPE_AUDIO {
            try repair(stream, isAlone: context.streams.count == 1)
        }
    }

    private func repair(_ stream: UnsafeMutablePointer<AVStream>, isAlone: Bool) throws(MediaError) {
        let parameters = stream.pointee.codecpar.pointee
        let (channelCount, blockBytes) = (Int(parameters.ch_layout.nb_channels), Int(parameters.block_align))
        guard channelCount > 0, blockBytes > 0, let codecs = codecs(of: parameters) else { return }
        let assumed = Int(av_get_bits_per_sample(parameters.codec_id))
        // FFmpeg takes 24 valid bits in 32 for a format of old editors, in which they are floating-point numbers.
        let isGuess = parameters.codec_id == AV_CODEC_ID_PCM_F24LE
        let validBits = isGuess ? 24 : Int(parameters.bits_per_coded_sample)
        let (bytes, rest) = blockBytes.quotientAndRemainder(dividingBy: channelCount)
        guard isGuess || 8 * bytes != assumed || rest != 0 else { return }
        guard rest == 0, 8 * bytes >= validBits, let codec = codecs[bytes] else {
            guard isAlone else { return }
            throw MediaError(
                .decoding, step: "read", subject: file.name,
                reason: "its header contradicts itself: \(channelCount) channels of \(validBits) bits, but "
                    + "\(blockBytes) bytes for a sample of each",
                advice: "write it again with a correct header")
        }
        // FFmpeg has counted the samples by the valid bits.
        let countedBits = Int64(isGuess ? 24 : assumed)
        if stream.pointee.duration > 0, countedBits > 0, stream.pointee.duration < 1 << 50 {
            stream.pointee.duration = stream.pointee.duration * countedBits / Int64(8 * bytes)
        }
        if isGuess { guard try holdsIntegers() else { return } }
        stream.pointee.codecpar.pointee.codec_id = codec
        stream.pointee.codecpar.pointee.bits_per_coded_sample = Int32(8 * bytes)
    }

    /// Returns the codecs of a stream's family by the bytes of a sample; nil if it is not PCM.
    private func codecs(of parameters: AVCodecParameters) -> [Int: AVCodecID]? {
        switch parameters.codec_tag {
        case Self.integerTag:
            let guesses = [AV_CODEC_ID_PCM_F24LE]
            if Self.bigEndian.values.contains(parameters.codec_id) { return Self.bigEndian }
            let isInteger = Self.littleEndian.values.contains(parameters.codec_id)
            return isInteger || guesses.contains(parameters.codec_id) ? Self.littleEndian : nil
        case Self.floatTag: return Self.floats.values.contains(parameters.codec_id) ? Self.floats : nil
        default: return nil
        }
    }

    /// Returns whether samples of four bytes with 24 valid bits are integers: by WAVE_FORMAT_EXTENSIBLE, or because the
    /// lowest byte of all first samples is 0.
    private func holdsIntegers() throws(MediaError) -> Bool {
        let start = try file.peek(1 << 16)
        return start.withUnsafeBytes { bytes in
            var offset = 12
            while offset + 8 <= bytes.count {
                let isFormat = bytes.matches("fmt ".utf8, at: offset)
                if isFormat, bytes.matches([0xFE, 0xFF], at: offset + 8) { return true }
                if bytes.matches("data".utf8, at: offset) {
                    return stride(from: offset + 8, to: bytes.count, by: 4).allSatisfy { bytes[$0] == 0 }
                }
                let length = Int(bytes.littleEndian32(at: offset + 4))
                offset += 8 + length + length % 2
            }
            return false
        }
    }
}
