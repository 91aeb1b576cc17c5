internal import CFFmpeg
internal import WayreelCore

/// What became of one packet.
struct DecodedPacket {
    let packet: AudioPacket
    /// Its samples; none where the packet is only the beginning of something, or damaged. More than one run only where their
    /// format changes.
    var runs: [SampleRun] = []
    /// Samples at the beginning that the codec's decoder wants to be skipped.
    var skip = 0
    /// Floats that were no numbers and have become 0.
    var notFinite = 0
    /// Whether nothing could be made of it.
    var isLost = false

    func equals(_ other: DecodedPacket) -> Bool {
        isLost == other.isLost && runs.count == other.runs.count && zip(runs, other.runs).allSatisfy { $0.equals($1) }
    }
}

/// A codec that is decoding sound, on the thread of the caller: FFmpeg's AVCodecContext, owned.
final class AudioDecoder {
    private let context: UnsafeMutablePointer<AVCodecContext>
    /// Packets of which more frames may come.
    private var open: [DecodedPacket] = []
    /// How many a codec may need before it hands out the first one's frames.
    private let packetsAhead: Int
    private let frame: UnsafeMutablePointer<AVFrame>

    /// Samples of all channels in a frame beyond which a file is damaged.
    private static let frameLimit = 1 << 24

    init(_ parameters: CodecParameters) throws(MediaError) {
        let name = parameters.codecName
        guard parameters.codec != AV_CODEC_ID_NONE else {
            throw MediaError(
                .unsupported, step: "decode", reason: "FFmpeg does not know how its sound track is coded",
                advice: "convert the file to FLAC or WAV")
        }
        guard let codec = avcodec_find_decoder(parameters.codec) else {
            throw MediaError(
                .unsupported, step: "decode", reason: "this build of FFmpeg has no decoder for \(name)",
                advice: "convert the file to FLAC or WAV")
        }
        guard let context = avcodec_alloc_context3(codec), let frame = av_frame_alloc() else {
            throw MediaError(.limit, step: "decode", reason: "\(name): no memory")
        }
        self.context = context
        self.frame = frame
        packetsAhead = codec.pointee.capabilities & AV_CODEC_CAP_DELAY != 0 ? 2 : 0
        FFmpeg.forgetLog()
        try FFmpeg.check(
            avcodec_parameters_to_context(context, parameters.pointer), .decoding, step: "decode", subject: name)
        context.pointee.thread_count = 1
        context.pointee.flags2 |= ffmpeg_skip_manually
        context.pointee.max_samples = Int64(
            Self.frameLimit / max(1, Int(parameters.pointer.pointee.ch_layout.nb_channels)))
        try FFmpeg.check(avcodec_open2(context, codec, nil), .decoding, step: "decode", subject: name)
    }

    deinit {
        var frame: UnsafeMutablePointer<AVFrame>? = self.frame
        av_frame_free(&frame)
        var context: UnsafeMutablePointer<AVCodecContext>? = self.context
        avcodec_free_context(&context)
    }

    /// FFmpeg's number of the variant of the codec.
    var profile: Int32 { context.pointee.profile }

    /// As if nothing had been decoded.
    func flush() {
        avcodec_flush_buffers(context)
        open.removeAll()
    }

    /// Hands out what became of the packet and of those before it that are now complete, in order. Samples go to `shelf`.
    ///
    /// Throws where memory is short, and what `body` throws.
    func decode(
        _ packet: AudioPacket, to shelf: SampleBufferPool, _ body: (DecodedPacket) throws(MediaError) -> Void
    ) throws(MediaError) {
        var own = DecodedPacket(packet: packet)
        let status = avcodec_send_packet(context, packet.pointer)
        try checkMemory(status)
        own.isLost = status < 0
        open.append(own)
        try receive(to: shelf)
        while open.count > packetsAhead { try body(open.removeFirst()) }
    }

    /// Hands out what is left at the end of the track.
    func finish(to shelf: SampleBufferPool, _ body: (DecodedPacket) throws(MediaError) -> Void) throws(MediaError) {
        try checkMemory(avcodec_send_packet(context, nil))
        try receive(to: shelf)
        let rest = open
        open.removeAll()
        for decoded in rest { try body(decoded) }
    }

    private func receive(to shelf: SampleBufferPool) throws(MediaError) {
        while true {
            let status = avcodec_receive_frame(context, frame)
            guard status >= 0 else {
                try checkMemory(status)
                if status != ffmpeg_again, status != ffmpeg_end, !open.isEmpty { open[open.count - 1].isLost = true }
                return
            }
            guard frame.pointee.nb_samples > 0, frame.pointee.ch_layout.nb_channels > 0, frame.pointee.sample_rate > 0
            else { continue }
            let number = frame.pointee.pts
            let place = open.lastIndex { Int64($0.packet.number) == number } ?? open.count - 1
            // Without a packet there is nothing to tell when it is to be heard.
            guard place >= 0 else { continue }
            if open[place].runs.isEmpty { open[place].skip = skip }
            let (run, notFinite) = try shelf.append(frame)
            open[place].notFinite += notFinite
            if let last = open[place].runs.last, last.store === run.store, last.range.upperBound == run.range.lowerBound
            {
                open[place].runs[open[place].runs.count - 1] = SampleRun(
                    store: run.store, range: last.range.lowerBound..<run.range.upperBound)
            } else {
                open[place].runs.append(run)
            }
        }
    }

    private var skip: Int {
        guard let data = av_frame_get_side_data(frame, AV_FRAME_DATA_SKIP_SAMPLES)?.pointee, data.size >= 10 else {
            return 0
        }
        return AudioPacket.trimming(data.data).skip
    }

    /// The channels of the samples that came last.
    func channelLayout() throws(MediaError) -> ChannelLayout { try ChannelLayout(copying: &context.pointee.ch_layout) }

    private func checkMemory(_ status: Int32) throws(MediaError) {
        guard status != ffmpeg_no_memory else {
            throw MediaError(.limit, step: "decode", reason: "no memory to decode", advice: "run fewer at once")
        }
    }
}
