internal import CFFmpeg
package import WayreelCore

/// Decodes audio or video to validate it. It counts errors, by default also those that other decoders conceal.
///
/// Belongs to one thread at a time.
package final class StrictDecoder {
    private let decoder: Decoder
    private let isVideo: Bool
    private let frame: Frame
    private var packets = 0
    private var frames = 0
    /// Number of packets that produced an error or a frame with concealed errors.
    package private(set) var errorCount = 0
    /// The format of the first audio frame; nil before it.
    package private(set) var audioFormat: (sampleRate: Int, channelCount: Int)?
    /// FFmpeg's name of the frames' transfer function: `bt709`, `smpte2084`; `unknown` if frames have none, nil before
    /// the first.
    package private(set) var transfer: String?

    /// After this many consecutive failures, a decoder is not asked for more frames.
    private static let maxFailures = 64

    /// Opens the decoder for a stream of `file`, with `threads` decoder threads. With `concealsErrors` it counts only
    /// the errors that every decoder reports.
    ///
    /// Throws an `unsupported` error if FFmpeg has no decoder, a `decoding` error if it refuses the stream's
    /// parameters.
    package init(
        _ file: Demuxer, stream: Int, threads: Int, concealsErrors: Bool = false, limits: VideoLimits
    ) throws(MediaError) {
        let parameters = file.parameters(of: stream)
        let name = String(cString: avcodec_get_name(parameters.pointee.codec_id))
        let isVideo = parameters.pointee.codec_type == AVMEDIA_TYPE_VIDEO
        let timeBase = file.timeBase(of: stream)
        self.isVideo = isVideo
        frame = try Frame()
        decoder = try Decoder(
            Decoder.codec(parameters.pointee.codec_id, name: name), name: name, parameters: parameters,
            options: concealsErrors ? [:] : ["err_detect": "+explode+crccheck+bitstream+buffer"]
        ) { context in
            context.pointee.max_pixels = Int64(limits.pixels)
            context.pointee.thread_count = isVideo ? Int32(clamping: threads) : 1
            // Each packet must produce a frame, including those of trimmed samples.
            context.pointee.flags2 |= ffmpeg_skip_manually
            context.pointee.pkt_timebase = AVRational(timeBase)
        }
    }

    /// Number of packets that produced an error, a frame with concealed errors, or nothing.
    package var faultCount: Int { max(errorCount, packets - frames) }

    /// Decodes a packet, or for nil the rest at the end of the stream. Throws if memory is exhausted.
    package func decode(_ packet: Packet?) throws(MediaError) {
        if let packet, !packet.isDiscarded { packets += 1 }
        var status = try decoder.send(packet)
        if status == ffmpeg_again {
            try receive()
            status = try decoder.send(packet)
        }
        if status < 0, status != ffmpeg_end { errorCount += 1 }
        try receive()
    }

    private func receive() throws(MediaError) {
        var failures = 0
        while failures < Self.maxFailures {
            switch try decoder.receive(frame) {
            case .needsPacket, .end: return
            case .failure:
                errorCount += 1
                failures += 1
            case .frame:
                frames += 1
                if frame.isDamaged { errorCount += 1 }
                if isVideo, transfer == nil { transfer = frame.color.transfer }
                if !isVideo, audioFormat == nil {
                    let properties = frame.pointer.pointee
                    audioFormat = (Int(properties.sample_rate), Int(properties.ch_layout.nb_channels))
                }
            }
        }
    }
}
