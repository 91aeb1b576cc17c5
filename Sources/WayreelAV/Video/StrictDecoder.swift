internal import CFFmpeg
package import WayreelCore

/// Decodes audio or video only to learn whether it can be decoded: FFmpeg's AVCodecContext, owned. It counts errors, by default also
/// those that other decoders conceal.
///
/// Belongs to one thread at a time.
package final class StrictDecoder {
    private let context: UnsafeMutablePointer<AVCodecContext>
    private let isVideo: Bool
    private let frame: Frame
    private var packets = 0
    private var frames = 0
    /// Packets that gave an error, or a frame with concealed errors.
    package private(set) var errorCount = 0
    /// Of the first frame of audio; nil before it.
    package private(set) var audioFormat: (sampleRate: Int, channelCount: Int)?
    /// FFmpeg's name of the transfer function of the frames: `bt709`, `smpte2084`; `unknown` where they do not tell, nil before the
    /// first.
    package private(set) var transfer: String?

    /// Opens the decoder for a stream of `file`, with `threads` of its own. With `concealsErrors` it counts only what every decoder
    /// reports.
    ///
    /// Throws an `unsupported` error where FFmpeg has none, a `decoding` one where it refuses the stream's header.
    package init(
        _ file: MediaFile, stream: Int, threads: Int, concealsErrors: Bool = false, limits: VideoLimits
    ) throws(MediaError) {
        let parameters = file.parameters(of: stream)
        let name = String(cString: avcodec_get_name(parameters.pointee.codec_id))
        isVideo = parameters.pointee.codec_type == AVMEDIA_TYPE_VIDEO
        guard let codec = avcodec_find_decoder(parameters.pointee.codec_id) else {
            throw MediaError(
                .unsupported, step: "decode", reason: "this build of FFmpeg has no decoder for \(name)")
        }
        guard let context = avcodec_alloc_context3(codec) else {
            throw MediaError(.limit, step: "decode", reason: "\(name): no memory")
        }
        self.context = context
        frame = try Frame()
        FFmpeg.forgetLog()
        try FFmpeg.check(
            avcodec_parameters_to_context(context, parameters), .decoding, step: "decode", subject: name)
        context.pointee.max_pixels = Int64(limits.pixels)
        context.pointee.thread_count = isVideo ? Int32(clamping: threads) : 1
        // Each packet has to give a frame, also one that is not to be heard.
        context.pointee.flags2 |= ffmpeg_skip_manually
        context.pointee.pkt_timebase = AVRational(file.timeBase(of: stream))
        var options: OpaquePointer?
        defer { av_dict_free(&options) }
        if !concealsErrors { av_dict_set(&options, "err_detect", "+explode+crccheck+bitstream+buffer", 0) }
        try FFmpeg.check(avcodec_open2(context, codec, &options), .decoding, step: "decode", subject: name)
    }

    deinit {
        var context: UnsafeMutablePointer<AVCodecContext>? = self.context
        avcodec_free_context(&context)
    }

    /// Packets that gave an error, a frame with concealed errors, or nothing.
    package var faultCount: Int { max(errorCount, packets - frames) }

    /// Decodes a packet; nil: the end, after which all frames have come. Throws where there is no memory.
    package func decode(_ packet: MediaPacket?) throws(MediaError) {
        if let packet, !packet.isDiscarded { packets += 1 }
        var status = avcodec_send_packet(context, packet?.pointer)
        if status == ffmpeg_again {
            try receive()
            status = avcodec_send_packet(context, packet?.pointer)
        }
        try count(status)
        try receive()
    }

    private func receive() throws(MediaError) {
        // A decoder that only fails would be asked for ever.
        var failures = 0
        while failures < 64 {
            let status = avcodec_receive_frame(context, frame.pointer)
            if status == ffmpeg_again || status == ffmpeg_end { return }
            try count(status)
            guard status >= 0 else {
                failures += 1
                continue
            }
            frames += 1
            if frame.isMarkedDamaged { errorCount += 1 }
            note(frame.pointer.pointee)
        }
    }

    private func note(_ frame: AVFrame) {
        if isVideo {
            transfer = transfer ?? av_color_transfer_name(frame.color_trc).map { String(cString: $0) } ?? "unknown"
        } else if audioFormat == nil {
            audioFormat = (Int(frame.sample_rate), Int(frame.ch_layout.nb_channels))
        }
    }

    private func count(_ status: Int32) throws(MediaError) {
        guard status != ffmpeg_no_memory else {
            throw MediaError(.limit, step: "decode", reason: "no memory to decode", advice: "run fewer at once")
        }
        if status < 0, status != ffmpeg_end { errorCount += 1 }
    }
}
