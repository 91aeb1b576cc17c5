internal import CFFmpeg
internal import Glibc
package import WayreelCore

/// Encodes an audio stream.
///
/// Converts blocks to its sample rate, channels (more than two are mixed by BS.775) and frame size. Belongs to one
/// thread at a time.
package final class AudioEncoder: MediaStage {
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
    private var buffer: SampleBuffer
    /// Number of samples in ``buffer`` that were encoded.
    private var used = 0
    /// Samples per channel that were encoded so far.
    private var encodedCount: Int64 = 0
    /// Samples per channel that the stream lasts at least.
    private var minCount: Int64 = 0
    package private(set) var hasEnded = false
    /// The length in seconds of what was encoded so far.
    package var seconds: Double { Double(encodedCount) / Double(settings.sampleRate) }

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

    /// Lets silence follow at the end of the stream up to `end`, in seconds, if the audio ends earlier.
    package func addSilence(until end: Double) {
        minCount = Int64(exactly: (end * Double(settings.sampleRate)).rounded()) ?? 0
    }

    /// Sends the next samples, or nil at the end of the stream.
    package func send(_ block: AudioBlock?) throws(MediaError) {
        hasEnded = block == nil
        try removeUsed()
        try convert(block)
    }

    /// Returns the next packet.
    package func next() throws(MediaError) -> Packet? {
        while true {
            if let packet = try encoder.next() { return packet }
            guard !encoder.hasEnded else { return nil }
            let size = max(1, Int(context.pointee.frame_size))
            if hasEnded, buffer.count - used < size { try addSilence(upTo: size) }
            let count = min(size, buffer.count - used)
            guard count == size || hasEnded else { return nil }
            try encoder.send(count > 0 ? frame(of: count) : nil)
        }
    }

    /// Adds the silence that the stream lacks, so that there are at most `size` samples.
    private func addSilence(upTo size: Int) throws(MediaError) {
        let available = buffer.count - used
        let count = min(size - available, Int(minCount - encodedCount) - available)
        guard count > 0 else { return }
        try removeUsed()
        _ = try buffer.append(upTo: count) { planes in
            for plane in planes { memset(plane, 0, count * MemoryLayout<Float>.stride) }
            return count
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

    /// Removes the encoded samples from the buffer.
    private func removeUsed() throws(MediaError) {
        guard used > 0 else { return }
        buffer = try SampleRun(buffer: buffer, range: used..<buffer.count).copy().buffer
        used = 0
    }

    /// Returns the next `count` samples as a frame.
    private func frame(of count: Int) throws(MediaError) -> Frame {
        let frame = try Frame()
        frame.pointer.pointee.nb_samples = Int32(clamping: count)
        frame.pointer.pointee.format = AV_SAMPLE_FMT_FLTP.rawValue
        frame.pointer.pointee.sample_rate = context.pointee.sample_rate
        av_channel_layout_copy(&frame.pointer.pointee.ch_layout, &context.pointee.ch_layout)
        guard av_frame_get_buffer(frame.pointer, 0) == 0 else {
            throw MediaError(.limit, step: .encode, reason: "no memory for samples")
        }
        for (plane, source) in buffer.planes(at: used).enumerated() {
            UnsafeMutableRawPointer(frame.pointer.pointee.extended_data[plane]!).copyMemory(
                from: source, byteCount: count * MemoryLayout<Float>.stride)
        }
        frame.pointer.pointee.pts = encodedCount
        encodedCount += Int64(count)
        used += count
        return frame
    }
}
