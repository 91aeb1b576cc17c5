internal import CFFmpeg
internal import WayreelCore

/// What became of one packet.
struct DecodedPacket {
    let packet: EncodedPacket
    /// Empty where the packet is only the beginning of something, or damaged.
    var frames: [AudioFrame] = []
    /// Whether nothing could be made of it.
    var isLost = false

    func equals(_ other: DecodedPacket) -> Bool {
        isLost == other.isLost && frames.count == other.frames.count
            && zip(frames, other.frames).allSatisfy { $0.equals($1) }
    }
}

/// A codec that is decoding sound, on the thread of the caller: FFmpeg's AVCodecContext, owned.
final class AudioDecoder {
    private let context: UnsafeMutablePointer<AVCodecContext>
    /// Packets of which more frames may come.
    private var open: [DecodedPacket] = []
    /// How many a codec may need before it hands out the first one's frames.
    private let packetsAhead: Int

    /// Samples of all channels in a frame beyond which a file is damaged.
    private static let frameLimit = 1 << 24

    init(_ parameters: CodecParameters) throws(MediaError) {
        let name = parameters.codecName
        guard let codec = avcodec_find_decoder(parameters.codec) else {
            throw MediaError(
                .unsupported, step: "decode", reason: "this build of FFmpeg has no decoder for \(name)",
                advice: "convert the file to FLAC or WAV")
        }
        guard let context = avcodec_alloc_context3(codec) else {
            throw MediaError(.limit, step: "decode", reason: "\(name): no memory")
        }
        self.context = context
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

    /// Hands out what became of the packet and of those before it that are now complete, in order.
    ///
    /// Throws where memory is short, and what `body` throws.
    func decode(
        _ packet: EncodedPacket, _ body: (DecodedPacket) throws(MediaError) -> Void
    ) throws(MediaError) {
        var own = DecodedPacket(packet: packet)
        let status = avcodec_send_packet(context, packet.pointer)
        try checkMemory(status)
        own.isLost = status < 0
        open.append(own)
        try receive()
        while open.count > packetsAhead { try body(open.removeFirst()) }
    }

    /// Hands out what is left at the end of the track.
    func finish(_ body: (DecodedPacket) throws(MediaError) -> Void) throws(MediaError) {
        try checkMemory(avcodec_send_packet(context, nil))
        try receive()
        let rest = open
        open.removeAll()
        for decoded in rest { try body(decoded) }
    }

    private func receive() throws(MediaError) {
        while true {
            let frame = try AudioFrame()
            let status = avcodec_receive_frame(context, frame.pointer)
            guard status >= 0 else {
                try checkMemory(status)
                if status != ffmpeg_again, status != ffmpeg_end, !open.isEmpty { open[open.count - 1].isLost = true }
                return
            }
            guard frame.count > 0, frame.channelCount > 0, frame.sampleRate > 0 else { continue }
            let number = frame.pointer.pointee.pts
            let place = open.lastIndex { Int64($0.packet.number) == number } ?? open.count - 1
            // Without a packet there is nothing to tell when it is to be heard.
            guard place >= 0 else { continue }
            open[place].frames.append(try frame.normalized())
        }
    }

    private func checkMemory(_ status: Int32) throws(MediaError) {
        guard status != ffmpeg_no_memory else {
            throw MediaError(.limit, step: "decode", reason: "no memory to decode", advice: "run fewer at once")
        }
    }
}
