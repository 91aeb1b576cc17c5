internal import CFFmpeg
internal import WayreelCore

/// The coding parameters of a track as its container declares them: FFmpeg's AVCodecParameters, owned. Immutable.
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
    /// Samples per second, as declared by the container.
    var sampleRate: Int { Int(pointer.pointee.sample_rate) }
    var hasHeader: Bool { pointer.pointee.extradata_size > 0 }

    /// The smallest and largest block size of a FLAC stream, in samples per channel, excluding its last block (RFC
    /// 9639, section 8.2). nil without its header.
    var flacBlockSizes: (min: Int, max: Int)? {
        let header = pointer.extraData
        guard codec == AV_CODEC_ID_FLAC, header.count >= 4 else { return nil }
        return (Int(header[0]) << 8 | Int(header[1]), Int(header[2]) << 8 | Int(header[3]))
    }

    /// Sets the largest block size of a FLAC stream to the largest possible, beyond which FFmpeg's decoder refuses frames.
    /// Call it before the parameters are used.
    func allowAnyFLACBlock() {
        guard flacBlockSizes != nil, let header = pointer.pointee.extradata else { return }
        (header[2], header[3]) = (0xFF, 0xFF)
    }

    var isLossless: Bool {
        guard let properties = avcodec_descriptor_get(codec)?.pointee.props else { return false }
        return properties & AV_CODEC_PROP_LOSSLESS != 0 && properties & AV_CODEC_PROP_LOSSY == 0
    }

    /// Bits of a sample before encoding; nil for lossy codecs.
    var bitDepth: Int? {
        guard isLossless else { return nil }
        let known = [pointer.pointee.bits_per_raw_sample, av_get_bits_per_sample(codec)].first { $0 > 0 }
        return known.map(Int.init)
    }

    /// The encoder delay that is defined by a codec and not declared by containers: one frame of Windows Media Audio 1
    /// and 2.
    var implicitDelay: Timestamp? {
        let isFirst = codec == AV_CODEC_ID_WMAV1
        guard isFirst || codec == AV_CODEC_ID_WMAV2, let sample = Rational(1, sampleRate) else { return nil }
        let frame: Int64 = sampleRate <= 16_000 ? 512 : sampleRate <= (isFirst ? 32_000 : 22_050) ? 1024 : 2048
        return Timestamp(frame, in: sample)
    }
}

extension UnsafeMutablePointer<AVCodecParameters> {
    /// The codec configuration.
    var extraData: [UInt8] {
        Array(UnsafeBufferPointer(start: pointee.extradata, count: Int(Swift.max(0, pointee.extradata_size))))
    }
}
