internal import CFFmpeg
internal import WayreelCore

/// The coding parameters of a track as its container declares them: FFmpeg's AVCodecParameters, owned.
///
/// Its sendability is unchecked: it is behind a pointer, and not changed once threads share it.
final class CodecParameters: @unchecked Sendable {
    let pointer: UnsafeMutablePointer<AVCodecParameters>

    init(copying original: UnsafePointer<AVCodecParameters>) throws(MediaError) {
        guard let copy = avcodec_parameters_alloc() else {
            throw MediaError(.limit, step: .read, reason: "no memory")
        }
        pointer = copy
        try FFmpeg.check(avcodec_parameters_copy(copy, original), .limit, step: .read, subject: "codec parameters")
    }

    deinit {
        var pointer: UnsafeMutablePointer<AVCodecParameters>? = self.pointer
        avcodec_parameters_free(&pointer)
    }

    var codec: AVCodecID { pointer.pointee.codec_id }
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

/// Detects changes of frame size and scan within video streams, from the packets read so far.
struct ParameterChanges {
    /// Every format seen, by stream.
    private var formats: [Int: Set<FrameFormat>] = [:]
    /// Parsers of streams that FFmpeg's demuxer does not parse.
    private var parsers: [Int: KeyFrameParser] = [:]
    /// Streams with a parser here that have several codec headers.
    private var streamsWithNewHeaders: Set<Int> = []

    /// Also parses a stream whose container describes its frames only in the header.
    mutating func track(_ index: Int, _ stream: UnsafeMutablePointer<AVStream>) {
        if av_stream_get_parser(stream) == nil { parsers[index] = KeyFrameParser(stream.pointee.codecpar) }
    }

    mutating func observe(_ packet: Packet, of stream: UnsafeMutablePointer<AVStream>) {
        let index = packet.stream
        if parsers[index] != nil, packet.hasSideData(AV_PKT_DATA_NEW_EXTRADATA) { streamsWithNewHeaders.insert(index) }
        guard let format = FrameFormat(of: stream) ?? parsers[index]?.format(of: packet) else { return }
        formats[index, default: []].insert(format)
    }

    func changesSize(of index: Int) -> Bool {
        streamsWithNewHeaders.contains(index) || Set(formats[index]?.map(\.size) ?? []).count > 1
    }

    func changesScan(of index: Int) -> Bool { Set(formats[index]?.map(\.isInterlaced) ?? []).count > 1 }
}

/// The size and scan of a stream's frames, as FFmpeg's parsers read them from packets without decoding.
struct FrameFormat: Hashable {
    var size: PixelSize
    var isInterlaced: Bool

    /// Returns nil without a parser, or before its first frame.
    fileprivate init?(_ parser: UnsafeMutablePointer<AVCodecParserContext>?) {
        guard let parser = parser?.pointee, parser.width > 0, parser.height > 0 else { return nil }
        size = PixelSize(width: Int(parser.width), height: Int(parser.height))
        isInterlaced = parser.field_order.rawValue > AV_FIELD_PROGRESSIVE.rawValue
    }

    /// Returns the latest frame format of a stream that FFmpeg's demuxer parses.
    init?(of stream: UnsafeMutablePointer<AVStream>) { self.init(av_stream_get_parser(stream)) }
}

/// Parses the keyframes of a stream that FFmpeg's demuxer does not parse.
final class KeyFrameParser {
    private let context: UnsafeMutablePointer<AVCodecContext>
    private let parser: UnsafeMutablePointer<AVCodecParserContext>

    /// Returns nil if FFmpeg has no parser for the codec, or if memory is exhausted.
    init?(_ parameters: UnsafeMutablePointer<AVCodecParameters>) {
        guard let parser = av_parser_init(Int32(parameters.pointee.codec_id.rawValue)) else { return nil }
        guard let context = avcodec_alloc_context3(nil) else {
            av_parser_close(parser)
            return nil
        }
        parser.pointee.flags |= PARSER_FLAG_COMPLETE_FRAMES
        (self.context, self.parser) = (context, parser)
        guard avcodec_parameters_to_context(context, parameters) >= 0 else { return nil }
    }

    deinit {
        av_parser_close(parser)
        var context: UnsafeMutablePointer<AVCodecContext>? = self.context
        avcodec_free_context(&context)
    }

    func format(of packet: Packet) -> FrameFormat? {
        guard packet.isKeyFrame else { return nil }
        var output: UnsafeMutablePointer<UInt8>?
        var count: Int32 = 0
        let data = packet.pointer.pointee
        _ = av_parser_parse2(parser, context, &output, &count, data.data, data.size, data.pts, data.dts, data.pos)
        return FrameFormat(parser)
    }
}
