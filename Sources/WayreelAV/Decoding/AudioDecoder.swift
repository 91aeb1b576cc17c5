internal import CFFmpeg
internal import WayreelCore

struct DecodedPacket {
    let packet: AudioPacket
    /// The samples of the packet. Empty for a packet that only primes the decoder, and for a damaged one; more than one
    /// run if the sample format changes.
    var runs: [SampleRun] = []
    /// Leading samples that the decoder requests to skip.
    var skip = 0
    /// NaN and infinite samples, replaced by 0.
    var notFinite = 0
    /// Whether decoding failed.
    var isLost = false

    func equals(_ other: DecodedPacket) -> Bool {
        isLost == other.isLost && runs.count == other.runs.count && zip(runs, other.runs).allSatisfy { $0.equals($1) }
    }
}

/// Decodes the packets of an audio track on the calling thread.
final class AudioDecoder {
    private let decoder: Decoder
    private let frame: Frame
    /// Packets that may produce more frames.
    private var pending: [DecodedPacket] = []
    private var isAtEnd = false
    /// Packets that a codec may need before it returns the frames of the first one.
    private let delay: Int

    /// Max samples of all channels in a frame.
    private static let maxFrameSamples = 1 << 24

    private static let advice: MediaError.Advice = "convert the file to FLAC or WAV"

    init(_ parameters: CodecParameters) throws(MediaError) {
        let name = parameters.codecName
        guard parameters.codec != AV_CODEC_ID_NONE else {
            throw MediaError(
                .unsupported, step: .decode, reason: "FFmpeg does not know how its audio track is coded",
                advice: Self.advice)
        }
        let codec = try Decoder.codec(parameters.codec, name: name, advice: Self.advice)
        let channelCount = Int(parameters.pointer.pointee.ch_layout.nb_channels)
        frame = try Frame()
        delay = codec.pointee.capabilities & AV_CODEC_CAP_DELAY != 0 ? 2 : 0
        decoder = try Decoder(codec, name: name, parameters: parameters.pointer) { context in
            context.pointee.flags2 |= ffmpeg_skip_manually
            context.pointee.max_samples = Int64(Self.maxFrameSamples / max(1, channelCount))
        }
    }

    /// FFmpeg's number of the codec's profile.
    var profile: Int32 { decoder.context.pointee.profile }

    /// Resets the decoder.
    func flush() {
        decoder.flush()
        pending.removeAll()
        isAtEnd = false
    }

    /// Decodes a packet, or for nil the rest at the end of the track. ``next()`` returns the results. Samples go to
    /// `pool`.
    ///
    /// Throws if memory is exhausted.
    func send(_ packet: AudioPacket?, to pool: SampleBufferPool) throws(MediaError) {
        if packet?.startsLink == true {
            // What is left of the preceding link comes out, and nothing of it gets into the next.
            _ = try decoder.send(nil)
            try receive(to: pool)
            decoder.flush()
        }
        let status = try decoder.send(packet?.packet)
        if let packet { pending.append(DecodedPacket(packet: packet, isLost: status < 0)) }
        isAtEnd = packet == nil
        try receive(to: pool)
    }

    /// Returns the next complete packet, in order; nil if more packets must be sent first.
    func next() -> DecodedPacket? { pending.count > (isAtEnd ? 0 : delay) ? pending.removeFirst() : nil }

    private func receive(to pool: SampleBufferPool) throws(MediaError) {
        while true {
            switch try decoder.receive(frame) {
            case .needsPacket, .end: return
            case .failure:
                if !pending.isEmpty { pending[pending.count - 1].isLost = true }
                return
            case .frame: try add(frame.pointer, to: pool)
            }
        }
    }

    /// Adds a frame's samples to the packet that produced it.
    private func add(_ frame: UnsafeMutablePointer<AVFrame>, to pool: SampleBufferPool) throws(MediaError) {
        guard frame.pointee.nb_samples > 0, frame.pointee.ch_layout.nb_channels > 0, frame.pointee.sample_rate > 0
        else { return }
        let index = pending.lastIndex { Int64($0.packet.number) == frame.pointee.pts } ?? pending.count - 1
        // Without a packet there is no timestamp.
        guard index >= 0 else { return }
        if pending[index].runs.isEmpty { pending[index].skip = skip }
        let (run, notFinite) = try pool.append(frame)
        pending[index].notFinite += notFinite
        if let last = pending[index].runs.last, last.buffer === run.buffer,
            last.range.upperBound == run.range.lowerBound
        {
            pending[index].runs[pending[index].runs.count - 1] = SampleRun(
                buffer: run.buffer, range: last.range.lowerBound..<run.range.upperBound)
        } else {
            pending[index].runs.append(run)
        }
    }

    private var skip: Int {
        guard let data = av_frame_get_side_data(frame.pointer, AV_FRAME_DATA_SKIP_SAMPLES)?.pointee, data.size >= 10
        else {
            return 0
        }
        return AudioPacket.trimming(data.data).skip
    }

    /// Returns the channels of the last samples.
    func channelLayout() throws(MediaError) -> ChannelLayout {
        try ChannelLayout(copying: &decoder.context.pointee.ch_layout)
    }
}
