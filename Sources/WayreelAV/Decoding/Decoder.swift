internal import CFFmpeg
internal import WayreelCore

/// A decoder: FFmpeg's AVCodecContext, owned. Belongs to one thread at a time.
///
/// The decoders of audio, video and images are policies on it: they configure it and decide how to treat errors.
final class Decoder {
    let context: UnsafeMutablePointer<AVCodecContext>
    /// The name in messages.
    let name: String

    /// Opens a decoder for a stream of `parameters`, or for bare packets. `configure` sets fields of the context before
    /// it is opened.
    ///
    /// Throws a `decoding` error if FFmpeg refuses the parameters, a `limit` error if memory is exhausted.
    init(
        _ codec: UnsafePointer<AVCodec>, name: String, parameters: UnsafePointer<AVCodecParameters>? = nil,
        options: KeyValuePairs<String, String> = [:],
        configure: (UnsafeMutablePointer<AVCodecContext>) throws(MediaError) -> Void
    ) throws(MediaError) {
        guard let context = avcodec_alloc_context3(codec) else {
            throw MediaError(.limit, step: .decode, reason: "\(name): no memory")
        }
        // From here on, deinit frees the context, even if the initialiser throws.
        self.context = context
        self.name = name
        FFmpeg.forgetLog()
        if let parameters {
            try FFmpeg.check(
                avcodec_parameters_to_context(context, parameters), .decoding, step: .decode, subject: name)
        }
        context.pointee.thread_count = 1
        try configure(context)
        var settings: OpaquePointer?
        defer { av_dict_free(&settings) }
        for (key, value) in options { av_dict_set(&settings, key, value, 0) }
        try FFmpeg.check(avcodec_open2(context, codec, &settings), .decoding, step: .decode, subject: name)
    }

    deinit {
        var context: UnsafeMutablePointer<AVCodecContext>? = self.context
        avcodec_free_context(&context)
    }

    /// The result of requesting a frame.
    enum Output {
        case frame
        case needsPacket
        /// All frames were returned after the end of the stream.
        case end
        case failure(Int32)

        var status: Int32 {
            switch self {
            case .frame: 0
            case .needsPacket: ffmpeg_again
            case .end: ffmpeg_end
            case .failure(let status): status
            }
        }
    }

    /// Sends a packet, or nil for the end of the stream, and returns FFmpeg's status. Throws if memory is exhausted.
    func send(_ packet: Packet?) throws(MediaError) -> Int32 {
        let status = avcodec_send_packet(context, packet?.pointer)
        try checkMemory(status)
        return status
    }

    /// Receives the next frame. Throws if memory is exhausted.
    func receive(_ frame: Frame) throws(MediaError) -> Output {
        let status = avcodec_receive_frame(context, frame.pointer)
        try checkMemory(status)
        return switch status {
        case 0...: .frame
        case ffmpeg_again: .needsPacket
        case ffmpeg_end: .end
        default: .failure(status)
        }
    }

    /// Resets the decoder, for example after a seek.
    func flush() { avcodec_flush_buffers(context) }

    private func checkMemory(_ status: Int32) throws(MediaError) {
        guard status != ffmpeg_no_memory else {
            throw MediaError(
                .limit, step: .decode, reason: "\(name): no memory to decode", advice: "run fewer at once")
        }
    }

    // MARK: Codecs

    /// Returns FFmpeg's own decoder of a codec. Throws an `unsupported` error if there is none.
    static func codec(
        _ id: AVCodecID, name: String, advice: MediaError.Advice? = nil
    ) throws(MediaError) -> UnsafePointer<AVCodec> {
        guard let codec = avcodec_find_decoder(id) else { throw missing(name, advice) }
        return codec
    }

    /// Returns the decoder that FFmpeg calls `name`. Throws an `unsupported` error if there is none.
    static func codec(named name: String, advice: MediaError.Advice? = nil) throws(MediaError) -> UnsafePointer<AVCodec>
    {
        guard let codec = avcodec_find_decoder_by_name(name) else { throw missing(name, advice) }
        return codec
    }

    private static func missing(_ name: String, _ advice: MediaError.Advice?) -> MediaError {
        MediaError(
            .unsupported, step: .decode, reason: "this build of FFmpeg has no decoder for \(name)", advice: advice)
    }

    /// Returns FFmpeg's `max_pixels` for frames of at most `pixels`. FFmpeg compares sizes that it has rounded up by at
    /// most 128 columns of 65 536 rows, and refuses a limit that 32 bits do not hold.
    static func maxPixels(for pixels: Int) -> Int { min(pixels, Int(Int32.max) - 128 * 65_536) + 128 * 65_536 }
}
