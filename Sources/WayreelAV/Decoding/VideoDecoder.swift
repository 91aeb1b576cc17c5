internal import CFFmpeg
package import WayreelCore

/// A codec that is decoding moving pictures: FFmpeg's AVCodecContext, owned.
///
/// Belongs to one thread at a time.
package final class VideoDecoder: @unchecked Sendable {
    private let context: UnsafeMutablePointer<AVCodecContext>
    private let name: String
    private var order: DecodeOrderTimes
    /// Packets and frames of which nothing could be made.
    package private(set) var lost = 0
    /// Frames that were handed out with damage in them.
    package private(set) var damaged = 0

    /// Opens the decoder for a stream of `file`, with `threads` of its own.
    ///
    /// Throws an `unsupported` error where FFmpeg has none, a `decoding` one where it refuses what the container says.
    package convenience init(
        _ file: Demuxer, stream: Int, threads: Int, limits: VideoLimits
    ) throws(MediaError) {
        try file.info.streams[stream].checkIsClear(step: "decode")
        try self.init(
            file.parameters(of: stream), timeBase: file.timeBase(of: stream),
            hasAlpha: file.info.streams[stream].picture?.hasAlpha == true, threads: threads, limits: limits)
    }

    /// Opens the decoder for what `encoder` makes.
    package convenience init(of encoder: VideoEncoder, threads: Int) throws(MediaError) {
        var parameters = avcodec_parameters_alloc()
        defer { avcodec_parameters_free(&parameters) }
        guard let told = parameters, avcodec_parameters_from_context(told, encoder.context) >= 0 else {
            throw MediaError(.limit, step: "decode", reason: "no memory for a decoder")
        }
        try self.init(told, timeBase: encoder.settings.timeBase, hasAlpha: false, threads: threads, limits: .standard)
    }

    private init(
        _ parameters: UnsafeMutablePointer<AVCodecParameters>, timeBase: Rational, hasAlpha: Bool, threads: Int,
        limits: VideoLimits
    ) throws(MediaError) {
        name = String(cString: avcodec_get_name(parameters.pointee.codec_id))
        order = DecodeOrderTimes(codec: name)
        guard let codec = Self.alphaDecoder(for: name, hasAlpha) ?? avcodec_find_decoder(parameters.pointee.codec_id)
        else {
            throw MediaError(
                .unsupported, step: "decode", reason: "this build of FFmpeg has no decoder for \(name)",
                advice: "convert the file to H.264")
        }
        guard let context = avcodec_alloc_context3(codec) else {
            throw MediaError(.limit, step: "decode", reason: "\(name): no memory")
        }
        self.context = context
        FFmpeg.forgetLog()
        try FFmpeg.check(
            avcodec_parameters_to_context(context, parameters), .decoding, step: "decode", subject: name)
        context.pointee.max_pixels = Int64(limits.pixels)
        context.pointee.thread_count = Int32(clamping: threads)
        context.pointee.pkt_timebase = AVRational(timeBase)
        try FFmpeg.check(avcodec_open2(context, codec, nil), .decoding, step: "decode", subject: name)
    }

    /// FFmpeg's own decoders of VP8 and VP9 leave alpha out; those of libvpx do not.
    private static func alphaDecoder(for codec: String, _ hasAlpha: Bool) -> UnsafePointer<AVCodec>? {
        guard hasAlpha, let name = ["vp8": "libvpx", "vp9": "libvpx-vp9"][codec] else { return nil }
        return avcodec_find_decoder_by_name(name)
    }

    deinit {
        var context: UnsafeMutablePointer<AVCodecContext>? = self.context
        avcodec_free_context(&context)
    }

    /// Decodes a packet, or for nil what is left at the end, and hands out the frames that came of it, in order of display.
    ///
    /// What cannot be decoded is counted. Throws where memory is short, and what `body` throws.
    package func decode(
        _ packet: Packet?, _ body: (Frame) throws(MediaError) -> Void
    ) throws(MediaError) {
        if let packet { order.send(packet) }
        var isWaiting = true
        while isWaiting {
            let status = avcodec_send_packet(context, packet?.pointer)
            try check(status)
            isWaiting = status == ffmpeg_again
            if status < 0, !isWaiting, status != ffmpeg_end { lost += 1 }
            // A decoder that neither takes nor gives would be asked for ever.
            guard try receive(body) else { return }
        }
    }

    /// Returns whether it has handed out all that it has; false where it only fails.
    private func receive(_ body: (Frame) throws(MediaError) -> Void) throws(MediaError) -> Bool {
        var failures = 0
        while true {
            let frame = try Frame()
            let status = avcodec_receive_frame(context, frame.pointer)
            if status == ffmpeg_again || status == ffmpeg_end { return true }
            try check(status)
            guard status >= 0 else {
                lost += 1
                failures += 1
                if failures > 64 { return false }
                continue
            }
            if frame.isMarkedDamaged { damaged += 1 }
            frame.useBestEffortTime()
            let arrival = frame.pointer.pointee.pkt_dts
            let told = order.time(
                arrival: arrival == ffmpeg_no_pts ? nil : arrival, delay: Int(context.pointee.has_b_frames))
            if let told { frame.time = told }
            try body(frame)
        }
    }

    /// As if nothing had been decoded: after the file was read from another place.
    package func flush() {
        avcodec_flush_buffers(context)
        order.flush()
    }

    private func check(_ status: Int32) throws(MediaError) {
        guard status != ffmpeg_no_memory else {
            throw MediaError(
                .limit, step: "decode", reason: "\(name): no memory to decode", advice: "run fewer at once")
        }
    }
}
