internal import CFFmpeg
internal import WayreelCore

/// A codec that is decoding: FFmpeg's AVCodecContext, owned.
final class Decoder {
    let context: UnsafeMutablePointer<AVCodecContext>
    private let name: String

    /// Opens the decoder that FFmpeg calls `name`, on one thread, for pictures of at most `maxPixels`. `configure` sets up the
    /// context before it is opened.
    init(
        named name: String, options: KeyValuePairs<String, String> = [:], maxPixels: Int,
        configure: (UnsafeMutablePointer<AVCodecContext>) throws(MediaError) -> Void = { _ in }
    ) throws(MediaError) {
        try FFmpeg.load(.scaler, step: "decode")
        guard let codec = avcodec_find_decoder_by_name(name) else {
            throw MediaError(
                .unsupported, step: "decode", reason: "this build of FFmpeg has no decoder for \(name)",
                advice: "convert the file to PNG or TIFF")
        }
        guard let context = avcodec_alloc_context3(codec) else {
            throw MediaError(.limit, step: "decode", reason: "\(name): no memory")
        }
        self.context = context
        self.name = name
        context.pointee.max_pixels = Int64(maxPixels)
        context.pointee.thread_count = 1
        // From here on deinit frees the context, also when this throws.
        try configure(context)
        var settings: OpaquePointer?
        defer { av_dict_free(&settings) }
        for (key, value) in options { av_dict_set(&settings, key, value, 0) }
        try FFmpeg.check(avcodec_open2(context, codec, &settings), .decoding, step: "decode", subject: name)
    }

    deinit {
        var context: UnsafeMutablePointer<AVCodecContext>? = self.context
        avcodec_free_context(&context)
    }

    /// The first frame of a stream of which `bytes` is all there is.
    func decode(_ bytes: UnsafeRawBufferPointer) throws(MediaError) -> Frame {
        let packet = try Packet(bytes)
        try FFmpeg.check(avcodec_send_packet(context, packet.pointer), .decoding, step: "decode", subject: name)
        let frame = try Frame()
        var status = avcodec_receive_frame(context, frame.pointer)
        if status == ffmpeg_again {
            // Decoders that look ahead hand out what they have when told that nothing follows.
            avcodec_send_packet(context, nil)
            status = avcodec_receive_frame(context, frame.pointer)
        }
        try FFmpeg.check(status, .decoding, step: "decode", subject: name)
        return frame
    }
}
