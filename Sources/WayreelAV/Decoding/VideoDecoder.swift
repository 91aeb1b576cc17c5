internal import CFFmpeg
package import WayreelCore

/// Decodes a video stream and counts the packets and frames that cannot be decoded.
///
/// Belongs to one thread at a time.
package final class VideoDecoder: MediaStage, @unchecked Sendable {
    private let decoder: Decoder
    /// Decodes Motion JPEG instead; nil for other codecs, and if it was not asked for.
    private let motionJPEG: MotionJPEG?
    /// The frame that it made of the last packet.
    private var ready: Frame?
    /// The length of the longer side, in pixels, to which frames will be scaled, so that they may be decoded at a reduced size:
    /// those of Motion JPEG. Nil for the whole size.
    package var targetSide: Int?
    private var decodeOrderTimes: DecodeOrderTimes
    /// What the container states about the frames, and whether it states full range; nil if it states none.
    private let stated: VideoProperties?
    private let statedRange: Bool?
    package private(set) var hasEnded = false
    /// The packet to be sent, or nil for the end, while the decoder does not accept it.
    private var pending: Packet??
    /// Failures since the last packet.
    private var failures = 0
    /// Packets and frames that could not be decoded.
    package private(set) var lost = 0
    /// Number of returned frames with damage.
    package private(set) var damaged = 0

    /// After this many failures, a decoder is not asked for more frames of a packet.
    private static let maxFailures = 64

    /// Opens the decoder for a stream of `file`, with `threads` decoder threads. With `usesWayreelJPEG`, Motion JPEG is not
    /// decoded by FFmpeg if its first packet is an ordinary one (``needsFFmpeg``).
    ///
    /// Throws an `unsupported` error if FFmpeg has no decoder, a `decoding` error if it refuses the stream's
    /// parameters.
    package convenience init(
        _ file: Demuxer, stream: Int, threads: Int, limits: VideoLimits, usesWayreelJPEG: Bool = false
    ) throws(MediaError) {
        try file.info.streams[stream].checkIsDecodable(step: .decode)
        try self.init(
            file.parameters(of: stream), timeBase: file.timeBase(of: stream),
            stated: file.info.streams[stream].videoProperties, range: file.statedRanges[stream], threads: threads,
            limits: limits, usesWayreelJPEG: usesWayreelJPEG)
    }

    /// Opens the decoder for the output of `encoder`.
    package convenience init(of encoder: VideoEncoder, threads: Int) throws(MediaError) {
        var parameters = avcodec_parameters_alloc()
        defer { avcodec_parameters_free(&parameters) }
        guard let pointer = parameters, avcodec_parameters_from_context(pointer, encoder.context) >= 0 else {
            throw MediaError(.limit, step: .decode, reason: "no memory for a decoder")
        }
        try self.init(
            pointer, timeBase: encoder.settings.timeBase, stated: nil, threads: threads, limits: .standard)
    }

    private init(
        _ parameters: UnsafeMutablePointer<AVCodecParameters>, timeBase: Rational, stated: VideoProperties?,
        range: Bool? = nil, threads: Int, limits: VideoLimits, usesWayreelJPEG: Bool = false
    ) throws(MediaError) {
        let name = String(cString: avcodec_get_name(parameters.pointee.codec_id))
        (self.stated, statedRange) = (stated, range)
        decodeOrderTimes = DecodeOrderTimes(codec: name)
        let codec: UnsafePointer<AVCodec>
        if let alphaDecoder = Self.alphaDecoder(for: name, stated?.hasAlpha == true) {
            codec = alphaDecoder
        } else {
            codec = try Decoder.codec(parameters.pointee.codec_id, name: name, advice: "convert the file to H.264")
        }
        decoder = try Decoder(codec, name: name, parameters: parameters) { context in
            context.pointee.max_pixels = Int64(limits.pixels)
            // Otherwise FFmpeg leaves columns that the coded data crops, to keep the address of rows aligned.
            context.pointee.flags |= AV_CODEC_FLAG_UNALIGNED
            context.pointee.thread_count = Int32(clamping: threads)
            context.pointee.pkt_timebase = AVRational(timeBase)
        }
        motionJPEG = usesWayreelJPEG ? MotionJPEG(decoder.context, maxPixels: limits.pixels) : nil
    }

    /// Returns libvpx's decoder of VP8 and VP9 with alpha, which FFmpeg's own decoders do not support.
    private static func alphaDecoder(for codec: String, _ hasAlpha: Bool) -> UnsafePointer<AVCodec>? {
        guard hasAlpha, let name = ["vp8": "libvpx", "vp9": "libvpx-vp9"][codec] else { return nil }
        return avcodec_find_decoder_by_name(name)
    }

    /// Whether a packet that is not ordinary follows others of Motion JPEG: only a decoder without `usesWayreelJPEG` can decode
    /// it. What FFmpeg makes of it depends on all packets before, whose tables and pixels it may take.
    package var needsFFmpeg: Bool { motionJPEG.map { $0.hasDecoded && $0.isLeftToFFmpeg } ?? false }

    /// Sends a packet, or nil at the end of the stream.
    ///
    /// Throws if memory is exhausted, or if it ``needsFFmpeg``.
    package func send(_ packet: Packet?) throws(MediaError) {
        if let packet { decodeOrderTimes.send(packet) }
        hasEnded = packet == nil
        failures = 0
        if let motionJPEG, let packet {
            // What a container crops is stated for the whole size.
            ready = try motionJPEG.frame(of: packet, reducedFor: stated?.crop == nil ? targetSide : nil)
            if ready != nil { return }
            if needsFFmpeg {
                throw MediaError(.decoding, step: .decode, reason: "FFmpeg's decoder has not seen the frames before")
            }
        }
        try sendPending(packet)
    }

    private func sendPending(_ packet: Packet?) throws(MediaError) {
        let status = try decoder.send(packet)
        pending = status == ffmpeg_again ? .some(packet) : nil
        if status < 0, status != ffmpeg_again, status != ffmpeg_end { lost += 1 }
    }

    /// Returns the next frame in display order.
    ///
    /// Throws if memory is exhausted.
    package func next() throws(MediaError) -> Frame? {
        if let frame = ready {
            ready = nil
            return try complete(frame)
        }
        // A decoder that neither accepts packets nor returns frames would loop forever.
        while failures <= Self.maxFailures {
            let frame = try Frame()
            switch try decoder.receive(frame) {
            case .needsPacket, .end:
                guard let packet = pending else { return nil }
                failures += 1
                try sendPending(packet)
            case .failure:
                lost += 1
                failures += 1
            case .frame:
                frame.useBestEffortTime()
                if let time = decodeOrderTimes.time(
                    arrival: frame.packetDecodingTime, delay: Int(decoder.context.pointee.has_b_frames))
                {
                    frame.time = time
                }
                return try complete(frame)
            }
        }
        return nil
    }

    private func complete(_ frame: Frame) throws(MediaError) -> Frame {
        if frame.isDamaged { damaged += 1 }
        if let stated { try frame.take(stated) }
        if let statedRange { frame.setRange(isFull: statedRange) }
        return frame
    }

    /// Resets the decoder. Call it after a seek.
    package func flush() {
        decoder.flush()
        decodeOrderTimes.flush()
        (hasEnded, pending, ready) = (false, nil, nil)
    }
}
