internal import CFFmpeg
internal import WayreelCore

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
