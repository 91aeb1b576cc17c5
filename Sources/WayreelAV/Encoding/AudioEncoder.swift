internal import CFFmpeg
package import WayreelCore

/// Encodes an audio stream.
///
/// Converts blocks to its sample rate, channels (more than two are mixed by BS.775) and frame size. Belongs to one
/// thread at a time.
package final class AudioEncoder: @unchecked Sendable {
    package struct Settings: Hashable, Sendable {
        /// FFmpeg's name of the encoder: `aac`.
        package var encoder: String
        /// Samples per second, also the time base of the packets.
        package var sampleRate: Int
        /// 1 or 2.
        package var channelCount: Int
        /// Bits per second.
        package var bitRate: Int
        /// A linear gain factor.
        package var gain: Double

        package init(
            encoder: String = "aac", sampleRate: Int, channelCount: Int, bitRate: Int, gain: Double = 1
        ) {
            self.encoder = encoder
            self.sampleRate = sampleRate
            self.channelCount = channelCount
            self.bitRate = bitRate
            self.gain = gain
        }
    }

    package let settings: Settings
    private let encoder: Encoder
    private let converter: AudioConverter
    /// The converted samples.
    private var buffer: SampleBuffer
    /// Number of samples in ``buffer`` that were encoded.
    private var used = 0
    /// Samples per channel that were encoded so far.
    private var encodedCount: Int64 = 0

    var context: UnsafeMutablePointer<AVCodecContext> { encoder.context }

    /// Creates an encoder for blocks of `source`.
    ///
    /// Throws an `unsupported` error if FFmpeg lacks the encoder, an `encoding` error if it refuses the settings.
    package init(_ settings: Settings, source: AudioFormat) throws(MediaError) {
        self.settings = settings
        converter = try AudioConverter(
            from: source, sampleRate: settings.sampleRate, channelCount: settings.channelCount)
        buffer = SampleBuffer(converter.target)
        encoder = try Encoder(named: settings.encoder) { context in
            context.pointee.sample_fmt = AV_SAMPLE_FMT_FLTP
            context.pointee.sample_rate = Int32(clamping: settings.sampleRate)
            context.pointee.bit_rate = Int64(settings.bitRate)
            context.pointee.time_base = AVRational(num: 1, den: Int32(clamping: settings.sampleRate))
            context.pointee.flags |= AV_CODEC_FLAG_GLOBAL_HEADER
            context.pointee.thread_count = 1
            av_channel_layout_default(&context.pointee.ch_layout, Int32(clamping: settings.channelCount))
        }
    }

    /// Encoder delay in samples; the first packet's PTS is its negative.
    package var delay: Int { Int(context.pointee.initial_padding) }

    /// Encodes the next samples and emits the complete packets.
    package func encode(_ block: AudioBlock, _ body: (Packet) throws(MediaError) -> Void) throws(MediaError) {
        try convert(block)
        try encodeWhole(body)
    }

    /// Encodes the rest at the end of the stream, and silence up to `end`, in seconds, if the audio ends earlier.
    package func finish(
        silenceUntil end: Double = 0, _ body: (Packet) throws(MediaError) -> Void
    ) throws(MediaError) {
        try convert(nil)
        try encodeWhole(body)
        try addSilence(until: end, body)
        if buffer.count > used { try send(buffer.count - used, body) }
        try encoder.encode(nil, body)
    }

    private func addSilence(
        until end: Double, _ body: (Packet) throws(MediaError) -> Void
    ) throws(MediaError) {
        guard let last = Int64(exactly: (end * Double(settings.sampleRate)).rounded()) else { return }
        var missing = Int(last - encodedCount) - (buffer.count - used)
        while missing > 0 {
            let count = min(missing, settings.sampleRate)
            _ = try buffer.append(upTo: count) { (planes) throws(MediaError) in
                for plane in planes {
                    plane.initializeMemory(as: UInt8.self, repeating: 0, count: count * MemoryLayout<Float>.stride)
                }
                return count
            }
            missing -= count
            try encodeWhole(body)
        }
    }

    private func convert(_ block: AudioBlock?) throws(MediaError) {
        let range = try converter.convert(block, to: buffer)
        guard settings.gain != 1, !range.isEmpty else { return }
        for plane in buffer.planes(at: range.lowerBound) {
            let floats = UnsafeMutableRawPointer(mutating: plane).assumingMemoryBound(to: Float.self)
            for index in 0..<range.count { floats[index] *= Float(settings.gain) }
        }
    }

    private func encodeWhole(_ body: (Packet) throws(MediaError) -> Void) throws(MediaError) {
        let size = max(1, Int(context.pointee.frame_size))
        while buffer.count - used >= size { try send(size, body) }
        guard used > 0 else { return }
        // Keeps the samples of an incomplete frame.
        let rest = try SampleRun(buffer: buffer, range: used..<buffer.count).copy()
        buffer = rest.buffer
        used = 0
    }

    private func send(_ count: Int, _ body: (Packet) throws(MediaError) -> Void) throws(MediaError) {
        let frame = try Frame()
        frame.pointer.pointee.nb_samples = Int32(clamping: count)
        frame.pointer.pointee.format = AV_SAMPLE_FMT_FLTP.rawValue
        frame.pointer.pointee.sample_rate = context.pointee.sample_rate
        av_channel_layout_copy(&frame.pointer.pointee.ch_layout, &context.pointee.ch_layout)
        guard av_frame_get_buffer(frame.pointer, 0) == 0 else {
            throw MediaError(.limit, step: "encode", reason: "no memory for samples")
        }
        for (plane, source) in buffer.planes(at: used).enumerated() {
            UnsafeMutableRawPointer(frame.pointer.pointee.extended_data[plane]!).copyMemory(
                from: source, byteCount: count * MemoryLayout<Float>.stride)
        }
        frame.pointer.pointee.pts = encodedCount
        encodedCount += Int64(count)
        used += count
        try encoder.encode(frame, body)
    }
}
