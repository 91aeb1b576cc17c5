internal import CFFmpeg
internal import WayreelCore

/// What a container says about how a track is coded: FFmpeg's AVCodecParameters, owned. Never changes.
final class CodecParameters: @unchecked Sendable {
    let pointer: UnsafeMutablePointer<AVCodecParameters>

    init(copying original: UnsafePointer<AVCodecParameters>) throws(MediaError) {
        guard let copy = avcodec_parameters_alloc() else {
            throw MediaError(.limit, step: "read", reason: "no memory")
        }
        pointer = copy
        try FFmpeg.check(avcodec_parameters_copy(copy, original), .limit, step: "read", subject: "codec parameters")
    }

    deinit {
        var pointer: UnsafeMutablePointer<AVCodecParameters>? = self.pointer
        avcodec_parameters_free(&pointer)
    }

    var codec: AVCodecID { pointer.pointee.codec_id }
    /// FFmpeg's name of the codec.
    var codecName: String { String(cString: avcodec_get_name(codec)) }
    /// Samples per second, as the container has it.
    var sampleRate: Int { Int(pointer.pointee.sample_rate) }
    var hasHeader: Bool { pointer.pointee.extradata_size > 0 }

    /// Of FLAC, the samples per channel of the shortest frame but the last, and of the longest (RFC 9639, section 8.2); nil where
    /// the header is not there.
    var flacBlockSizes: (least: Int, most: Int)? {
        guard codec == AV_CODEC_ID_FLAC, let header = pointer.pointee.extradata, pointer.pointee.extradata_size >= 4
        else {
            return nil
        }
        return (Int(header[0]) << 8 | Int(header[1]), Int(header[2]) << 8 | Int(header[3]))
    }

    var isLossless: Bool {
        guard let properties = avcodec_descriptor_get(codec)?.pointee.props else { return false }
        return properties & AV_CODEC_PROP_LOSSLESS != 0 && properties & AV_CODEC_PROP_LOSSY == 0
    }

    /// Bits of a sample before it was encoded; nil where that means nothing.
    var bitDepth: Int? {
        guard isLossless else { return nil }
        let known = [pointer.pointee.bits_per_raw_sample, av_get_bits_per_sample(codec)].first { $0 > 0 }
        return known.map(Int.init)
    }

    /// What the encoder puts in front of the sound, where no container tells it but the codec's definition: for Windows Media
    /// Audio 1 and 2 a frame.
    var untoldDelay: Timestamp? {
        let isFirst = codec == AV_CODEC_ID_WMAV1
        guard isFirst || codec == AV_CODEC_ID_WMAV2, sampleRate > 0 else { return nil }
        let frame: Int64 = sampleRate <= 16_000 ? 512 : sampleRate <= (isFirst ? 32_000 : 22_050) ? 1024 : 2048
        return Timestamp(frame, times: Timestamp(AVRational(num: 1, den: Int32(clamping: sampleRate))))
    }
}
