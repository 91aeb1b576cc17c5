internal import CFFmpeg
package import WayreelCore

/// Encodes a video stream.
///
/// Belongs to one thread at a time.
package final class VideoEncoder: MediaStage, @unchecked Sendable {
    package struct Settings: Hashable, Sendable {
        /// FFmpeg's name of the encoder: `libx264`.
        package var encoder: String
        package var size: PixelSize
        /// FFmpeg's name: `yuv420p`.
        package var pixelFormat: String
        package var color: VideoColor
        /// Seconds in a unit of the timestamps of frames and packets.
        package var timeBase: Rational
        /// The frame rate, on average, for rate control.
        package var frameRate: Rational
        package var threads: Int
        /// Options of the codec and of FFmpeg by name: `crf`, `preset`, `profile`, `g`, `x264-params`.
        package var options: [String: String]
        /// Whether the codec configuration goes into the container's header, as in MP4, instead of into the stream, as
        /// in MPEG-TS.
        package var hasGlobalHeader: Bool
        /// 1 or 2 of two-pass encoding. The encoder's options name the file of the statistics.
        package var pass: Int?

        package init(
            encoder: String, size: PixelSize, pixelFormat: String = "yuv420p", color: VideoColor = .bt709,
            timeBase: Rational, frameRate: Rational, threads: Int, options: [String: String] = [:],
            hasGlobalHeader: Bool = true
        ) {
            self.encoder = encoder
            self.size = size
            self.pixelFormat = pixelFormat
            self.color = color
            self.timeBase = timeBase
            self.frameRate = frameRate
            self.threads = threads
            self.options = options
            self.hasGlobalHeader = hasGlobalHeader
        }
    }

    package let settings: Settings
    private let encoder: Encoder
    private var hasStarted = false

    package var hasEnded: Bool { encoder.hasEnded }
    var context: UnsafeMutablePointer<AVCodecContext> { encoder.context }

    /// Throws an `unsupported` error if FFmpeg lacks the encoder, an `encoding` error if it refuses the settings.
    package init(_ settings: Settings) throws(MediaError) {
        try FFmpeg.load(.scaler, step: .encode)
        self.settings = settings
        encoder = try Encoder(
            named: settings.encoder, advice: "choose another \(.codec)", options: settings.effectiveOptions
        ) { context in
            context.pointee.width = Int32(clamping: settings.size.width)
            context.pointee.height = Int32(clamping: settings.size.height)
            context.pointee.sample_aspect_ratio = AVRational(num: 1, den: 1)
            context.pointee.pix_fmt = av_get_pix_fmt(settings.pixelFormat)
            context.pointee.time_base = AVRational(settings.timeBase)
            context.pointee.framerate = AVRational(settings.frameRate)
            context.pointee.thread_count = Int32(clamping: settings.threads)
            if settings.hasGlobalHeader { context.pointee.flags |= AV_CODEC_FLAG_GLOBAL_HEADER }
            context.pointee.color_range = settings.color.isFullRange ? AVCOL_RANGE_JPEG : AVCOL_RANGE_MPEG
            // The default chroma location of MPEG codecs.
            context.pointee.chroma_sample_location = AVCHROMA_LOC_LEFT
            if settings.pass == 1 { context.pointee.flags |= AV_CODEC_FLAG_PASS1 }
            if settings.pass == 2 { context.pointee.flags |= AV_CODEC_FLAG_PASS2 }
        }
    }

    deinit { if !endBeforeClosing() { encoder.leak() } }

    /// Ends the stream of an SVT-AV1 encoder. On closing, the encoder waits for the packet that follows the end, and it
    /// needs at least one frame before that. Returns false if memory is exhausted, so that closing would not return.
    private func endBeforeClosing() -> Bool {
        guard settings.encoder == "libsvtav1", !hasEnded else { return true }
        if !hasStarted {
            let frames = try? FramePool(settings.pixelFormat, size: settings.size)
            guard let frame = try? frames?.makeFrame() else { return false }
            frame.time = 0
            avcodec_send_frame(context, frame.pointer)
        }
        avcodec_send_frame(context, nil)
        return true
    }

    /// Sends a frame, or nil at the end of the stream. Timestamps are in the settings' time base.
    package func send(_ frame: Frame?) throws(MediaError) {
        hasStarted = hasStarted || frame != nil
        try encoder.send(frame)
    }

    /// Returns the next packet in decoding order.
    package func next() throws(MediaError) -> Packet? { try encoder.next() }
}

extension VideoEncoder.Settings {
    /// x264's CPU features without AVX-512, whose lookahead functions read uninitialised memory (core 164).
    private static let upToAVX2 = "asm=MMX2,SSE2Fast,SSSE3,SSE4.2,AVX,FMA3,BMI2,AVX2"

    fileprivate var effectiveOptions: [String: String] {
        let tags = [
            "color_primaries": color.primaries, "color_trc": color.transfer, "colorspace": color.matrix,
        ].filter { $0.value != "unknown" }
        let tagged = options.merging(tags) { own, _ in own }
        guard encoder == "libx264", av_get_cpu_flags() & AV_CPU_FLAG_AVX512 != 0 else { return tagged }
        return tagged.merging(["x264-params": Self.upToAVX2]) { own, added in "\(own):\(added)" }
    }
}
