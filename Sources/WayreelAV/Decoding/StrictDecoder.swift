internal import CFFmpeg
package import WayreelCore

/// Decodes audio or video to validate it. Errors that other decoders conceal are counted.
///
/// Belongs to one thread at a time.
package final class StrictDecoder {
    private let decoder: Decoder
    private let isVideo: Bool
    private let frame: Frame
    private var packets = 0
    private var frames = 0
    private var errors = 0
    /// FFmpeg's name of the frames' transfer function: `bt709`, `smpte2084`; `unknown` where frames have none, nil before the first.
    package private(set) var transfer: String?

    /// Consecutive failures after which a decoder is not asked for more frames.
    private static let maxFailures = 64

    /// Opens the decoder for a stream of `file`, with `threads` of its own.
    ///
    /// Throws an `unsupported` error where FFmpeg has none, a `decoding` one where it refuses the stream's parameters.
    package init(_ file: Demuxer, stream: Int, threads: Int, limits: VideoLimits) throws(MediaError) {
        let parameters = file.parameters(of: stream)
        let name = String(cString: avcodec_get_name(parameters.pointee.codec_id))
        let isVideo = parameters.pointee.codec_type == AVMEDIA_TYPE_VIDEO
        let timeBase = file.timeBase(of: stream)
        self.isVideo = isVideo
        frame = try Frame()
        decoder = try Decoder(
            Decoder.codec(parameters.pointee.codec_id, name: name), name: name, parameters: parameters,
            options: ["err_detect": "+explode+crccheck+bitstream+buffer"]
        ) { context in
            context.pointee.max_pixels = Int64(limits.pixels)
            context.pointee.thread_count = isVideo ? Int32(clamping: threads) : 1
            // Each packet has to give a frame, also one of samples that are trimmed.
            context.pointee.flags2 |= ffmpeg_skip_manually
            context.pointee.pkt_timebase = AVRational(timeBase)
        }
    }

    /// Packets that gave an error, a frame with concealed errors, or nothing.
    package var faultCount: Int { max(errors, packets - frames) }

    /// Decodes a packet, or for nil the rest at the end of the stream. Throws where memory is short.
    package func decode(_ packet: Packet?) throws(MediaError) {
        if let packet, !packet.isDiscarded { packets += 1 }
        var status = try decoder.send(packet)
        if status == ffmpeg_again {
            try receive()
            status = try decoder.send(packet)
        }
        if status < 0, status != ffmpeg_end { errors += 1 }
        try receive()
    }

    private func receive() throws(MediaError) {
        var failures = 0
        while failures < Self.maxFailures {
            switch try decoder.receive(frame) {
            case .needsPacket, .end: return
            case .failure:
                errors += 1
                failures += 1
            case .frame:
                frames += 1
                if frame.isDamaged { errors += 1 }
                if isVideo, transfer == nil { transfer = frame.color.transfer }
            }
        }
    }
}
