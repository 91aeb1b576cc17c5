internal import CFFmpeg
internal import WayreelCore

/// Corrects the layout of PCM samples that a container describes by more than FFmpeg heeds.
///
/// - A WAVEFORMATEX structure (in WAV, Wave64, AVI and ASF) and CAF: a sample takes as many bytes as the block alignment
///   says, and its valid bits are the upper ones (Microsoft, "Multiple channel audio data and WAVE files"; Apple Core
///   Audio Format Specification, "Audio Description Chunk"). FFmpeg takes the valid bits for the size.
/// - RIFX, a WAV file in big-endian order: FFmpeg reads its samples as little-endian.
/// - AIFF-C with little-endian samples (`sowt`): FFmpeg takes all of them for 16 bits.
struct PCMLayoutRepair {
    private let file: InputFile
    private let container: String

    /// WAVE_FORMAT_PCM and WAVE_FORMAT_IEEE_FLOAT.
    private static let (integerTag, floatTag): (UInt32, UInt32) = (1, 3)
    private static let littleEndian: [Int: AVCodecID] = [
        1: AV_CODEC_ID_PCM_U8, 2: AV_CODEC_ID_PCM_S16LE, 3: AV_CODEC_ID_PCM_S24LE, 4: AV_CODEC_ID_PCM_S32LE,
        8: AV_CODEC_ID_PCM_S64LE,
    ]
    private static let bigEndian: [Int: AVCodecID] = [
        1: AV_CODEC_ID_PCM_U8, 2: AV_CODEC_ID_PCM_S16BE, 3: AV_CODEC_ID_PCM_S24BE, 4: AV_CODEC_ID_PCM_S32BE,
        8: AV_CODEC_ID_PCM_S64BE,
    ]
    private static let floats: [Int: AVCodecID] = [4: AV_CODEC_ID_PCM_F32LE, 8: AV_CODEC_ID_PCM_F64LE]
    private static let bigEndianFloats: [Int: AVCodecID] = [4: AV_CODEC_ID_PCM_F32BE, 8: AV_CODEC_ID_PCM_F64BE]
    private static let signed: [Int: AVCodecID] = littleEndian.merging([1: AV_CODEC_ID_PCM_S8]) { $1 }

    /// `container`: FFmpeg's name.
    init(_ file: InputFile, container: String) { (self.file, self.container) = (file, container) }

    /// Corrects the audio streams of an open file. Call it before packets are read.
    ///
    /// Throws a `decoding` error if a file of audio only contradicts itself.
    func apply(to context: FormatContext) throws(MediaError) {
        for stream in context.streams where stream.pointee.codecpar.pointee.codec_type == AVMEDIA_TYPE_AUDIO {
            if container == "aiff" {
                repairByteOrder(stream)
            } else {
                try repair(stream, isAlone: context.streams.count == 1)
            }
        }
    }

    private func repair(_ stream: UnsafeMutablePointer<AVStream>, isAlone: Bool) throws(MediaError) {
        let parameters = stream.pointee.codecpar.pointee
        // A WAV file in big-endian order.
        let isSwapped = container == "wav" ? try file.peek(4).elementsEqual("RIFX".utf8) : false
        let (channelCount, blockBytes) = (Int(parameters.ch_layout.nb_channels), Int(parameters.block_align))
        guard channelCount > 0, blockBytes > 0, let codecs = codecs(of: parameters, isSwapped: isSwapped) else {
            return
        }
        let assumed = Int(av_get_bits_per_sample(parameters.codec_id))
        // FFmpeg takes 24 valid bits in 32 for a format of old editors, in which they are floating-point numbers.
        let isGuess = parameters.codec_id == AV_CODEC_ID_PCM_F24LE
        let validBits = isGuess ? 24 : Int(parameters.bits_per_coded_sample)
        let (bytes, rest) = blockBytes.quotientAndRemainder(dividingBy: channelCount)
        guard isGuess || isSwapped || 8 * bytes != assumed || rest != 0 else { return }
        var isKnown = parameters.codec_id != AV_CODEC_ID_NONE
        if !isKnown { isKnown = try isFloatInContainer(of: bytes) }
        guard rest == 0, isKnown, 8 * bytes >= validBits, let codec = codecs[bytes] else {
            guard isAlone else { return }
            throw MediaError(
                .decoding, step: .read, subject: file.name,
                reason: "its header contradicts itself: \(channelCount) channels of \(validBits) bits, but "
                    + "\(blockBytes) bytes for a sample of each",
                advice: "write it again with a correct header")
        }
        // FFmpeg has counted the samples by the valid bits, except in CAF.
        let countedBits = container == "caf" ? 0 : Int64(isGuess ? 24 : assumed)
        if stream.pointee.duration > 0, countedBits > 0, stream.pointee.duration < 1 << 50 {
            stream.pointee.duration = stream.pointee.duration * countedBits / Int64(8 * bytes)
        }
        if isGuess, !isSwapped { guard try holdsIntegers() else { return } }
        stream.pointee.codecpar.pointee.codec_id = codec
        stream.pointee.codecpar.pointee.bits_per_coded_sample = Int32(8 * bytes)
    }

    /// Returns the codecs of a stream's family by the bytes of a sample; nil if it is not PCM.
    private func codecs(of parameters: AVCodecParameters, isSwapped: Bool) -> [Int: AVCodecID]? {
        let codec = parameters.codec_id
        let families: [[Int: AVCodecID]]
        switch parameters.codec_tag {
        case Self.integerTag where isSwapped: return Self.bigEndian
        case Self.floatTag where isSwapped: return Self.bigEndianFloats
        case Self.integerTag where codec == AV_CODEC_ID_NONE || codec == AV_CODEC_ID_PCM_F24LE: return Self.littleEndian
        case Self.floatTag where codec == AV_CODEC_ID_NONE: return Self.floats
        case Self.integerTag: families = [Self.littleEndian, Self.bigEndian]
        case Self.floatTag: families = [Self.floats]
        case _ where container == "caf" && codec != AV_CODEC_ID_PCM_U8:
            families = [Self.littleEndian, Self.bigEndian, Self.floats, Self.bigEndianFloats]
        default: return nil
        }
        return families.first { $0.values.contains(codec) }
    }

    /// Returns whether the `fmt ` chunk describes floating-point numbers of `bytes` in WAVE_FORMAT_EXTENSIBLE, of which
    /// FFmpeg refuses those with fewer valid bits.
    private func isFloatInContainer(of bytes: Int) throws(MediaError) -> Bool {
        guard container == "wav", [4, 8].contains(bytes) else { return false }
        let start = try file.peek(1 << 16)
        return start.withUnsafeBytes { chunks in
            guard let format = Self.chunk("fmt ", of: chunks), format.count >= 16 else { return false }
            return format.matches([0xFE, 0xFF], at: 0) && Int(format.littleEndian16(at: 14)) == 8 * bytes
        }
    }

    /// Returns whether samples of four bytes with 24 valid bits are integers: by WAVE_FORMAT_EXTENSIBLE, or because the
    /// lowest byte of all first samples is 0.
    private func holdsIntegers() throws(MediaError) -> Bool {
        let start = try file.peek(1 << 16)
        return start.withUnsafeBytes { bytes in
            if Self.chunk("fmt ", of: bytes)?.matches([0xFE, 0xFF], at: 0) == true { return true }
            guard let data = Self.chunk("data", of: bytes) else { return false }
            return stride(from: 0, to: data.count, by: 4).allSatisfy { data[$0] == 0 }
        }
    }

    /// Returns the content of a chunk of a WAV file, as far as it is in `bytes`.
    private static func chunk(_ type: String, of bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
        var offset = 12
        while offset + 8 <= bytes.count {
            let length = Int(bytes.littleEndian32(at: offset + 4))
            if bytes.matches(type.utf8, at: offset) {
                let rest = bytes[(offset + 8)...]
                return UnsafeRawBufferPointer(rebasing: type == "data" ? rest : rest.prefix(length))
            }
            offset += 8 + length + length % 2
        }
        return nil
    }

    /// Chooses the codec of little-endian AIFF-C by the bits of a sample.
    private func repairByteOrder(_ stream: UnsafeMutablePointer<AVStream>) {
        let parameters = stream.pointee.codecpar.pointee
        let bytes = (Int(parameters.bits_per_coded_sample) + 7) / 8
        guard stream.tag == "sowt", bytes != 2, let codec = Self.signed[bytes] else { return }
        stream.pointee.codecpar.pointee.codec_id = codec
        stream.pointee.codecpar.pointee.block_align = Int32(bytes) * parameters.ch_layout.nb_channels
        stream.pointee.codecpar.pointee.bits_per_coded_sample = Int32(8 * bytes)
    }
}
