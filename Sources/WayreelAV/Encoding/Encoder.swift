internal import CFFmpeg
internal import WayreelCore

/// An encoder: FFmpeg's AVCodecContext, owned. Belongs to one thread at a time.
final class Encoder: MediaStage {
    let context: UnsafeMutablePointer<AVCodecContext>
    /// FFmpeg's name of the encoder.
    let name: String
    private(set) var hasEnded = false
    /// Whether the context is not freed, because freeing it would not return.
    private var isLeaked = false

    /// Opens the encoder that FFmpeg calls `name`. `configure` sets fields of the context before it is opened.
    ///
    /// Throws an `unsupported` error if FFmpeg lacks the encoder, a `parameter` error for an unknown option, an
    /// `encoding` error if it refuses the settings.
    init(
        named name: String, advice: MediaError.Advice? = nil, options: [String: String] = [:],
        configure: (UnsafeMutablePointer<AVCodecContext>) -> Void
    ) throws(MediaError) {
        guard let codec = avcodec_find_encoder_by_name(name) else {
            throw MediaError(
                .unsupported, step: "encode", reason: "this build of FFmpeg has no encoder \(name)", advice: advice)
        }
        guard let context = avcodec_alloc_context3(codec) else {
            throw MediaError(.limit, step: "encode", reason: "\(name): no memory")
        }
        // From here on, deinit frees the context, even if the initialiser throws.
        self.context = context
        self.name = name
        context.pointee.flags |= AV_CODEC_FLAG_BITEXACT
        configure(context)
        var settings: OpaquePointer?
        defer { av_dict_free(&settings) }
        for (key, value) in options { av_dict_set(&settings, key, value, 0) }
        FFmpeg.forgetLog()
        try check(try EncoderThreadPriority.keep { () throws(MediaError) in avcodec_open2(context, codec, &settings) })
        if let unknown = av_dict_get(settings, "", nil, AV_DICT_IGNORE_SUFFIX)?.pointee {
            throw MediaError(
                .parameter, step: "encode", reason: "\(name) has no option '\(String(cString: unknown.key))'")
        }
    }

    deinit {
        guard !isLeaked else { return }
        var context: UnsafeMutablePointer<AVCodecContext>? = self.context
        avcodec_free_context(&context)
    }

    func leak() { isLeaked = true }

    /// Sends a frame, or nil at the end of the stream.
    func send(_ frame: Frame?) throws(MediaError) {
        hasEnded = frame == nil
        let status = avcodec_send_frame(context, frame?.pointer)
        if status != ffmpeg_end { try check(status) }
    }

    /// Returns the next packet in decoding order.
    func next() throws(MediaError) -> Packet? {
        let packet = try Packet()
        let status = avcodec_receive_packet(context, packet.pointer)
        if status == ffmpeg_again || status == ffmpeg_end { return nil }
        try check(status)
        return packet
    }

    private func check(_ status: Int32) throws(MediaError) {
        if status == ffmpeg_no_memory {
            throw MediaError(.limit, step: "encode", reason: "\(name): no memory")
        }
        try FFmpeg.check(status, .encoding, step: "encode", subject: name)
    }
}
