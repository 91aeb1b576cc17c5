internal import CFFmpeg
package import WayreelCore

/// Encodes interleaved integer samples without loss, as FLAC. Belongs to one thread at a time.
package final class LosslessEncoder {
    package let sampleRate: Int
    private let channelCount: Int
    private let encoder: Encoder
    /// Whether FFmpeg takes samples as words of 32 bits, with those of 24 bits in the upper part.
    private let isWide: Bool
    private var encodedCount: Int64 = 0

    var context: UnsafeMutablePointer<AVCodecContext> { encoder.context }

    /// For samples of 16 or 24 bits and 1 to 8 channels, whose speakers `mask` names from its lowest bit.
    ///
    /// Throws an `unsupported` error if FFmpeg lacks the encoder, an `encoding` error if it refuses the sample rate.
    package init(
        flac bits: Int, sampleRate: Int, channelCount: Int, mask: UInt32
    ) throws(MediaError) {
        try SharedLibrary.libavformat.require(step: .encode)
        precondition((bits == 16 || bits == 24) && (1...8).contains(channelCount))
        self.sampleRate = sampleRate
        self.channelCount = channelCount
        let isWide = bits > 16
        self.isWide = isWide
        encoder = try Encoder(named: "flac") { context in
            context.pointee.sample_fmt = isWide ? AV_SAMPLE_FMT_S32 : AV_SAMPLE_FMT_S16
            context.pointee.bits_per_raw_sample = Int32(bits)
            context.pointee.sample_rate = Int32(clamping: sampleRate)
            context.pointee.time_base = AVRational(num: 1, den: Int32(clamping: sampleRate))
            context.pointee.flags |= AV_CODEC_FLAG_GLOBAL_HEADER
            context.pointee.thread_count = 1
            _ = av_channel_layout_from_mask(&context.pointee.ch_layout, UInt64(mask))
        }
    }

    /// Samples of each channel in a frame; only the last frame may have fewer.
    package var frameSize: Int { max(1, Int(context.pointee.frame_size)) }

    /// Encodes the samples of one frame, of all channels in turn; nil at the end of the stream. `body` receives each packet.
    package func encode(
        _ samples: ArraySlice<Int32>?, body: (Packet) throws(MediaError) -> Void
    ) throws(MediaError) {
        try encoder.send(try samples.map { (samples) throws(MediaError) in try frame(of: samples) })
        while let packet = try encoder.next() { try body(packet) }
    }

    private func frame(of samples: ArraySlice<Int32>) throws(MediaError) -> Frame {
        let count = samples.count / channelCount
        let frame = try Frame()
        frame.pointer.pointee.nb_samples = Int32(clamping: count)
        frame.pointer.pointee.format = context.pointee.sample_fmt.rawValue
        frame.pointer.pointee.sample_rate = context.pointee.sample_rate
        av_channel_layout_copy(&frame.pointer.pointee.ch_layout, &context.pointee.ch_layout)
        guard av_frame_get_buffer(frame.pointer, 0) == 0, let plane = frame.pointer.pointee.extended_data[0] else {
            throw MediaError(.limit, step: .encode, reason: "no memory for samples")
        }
        let memory = UnsafeMutableRawPointer(plane)
        if isWide {
            let words = memory.bindMemory(to: Int32.self, capacity: samples.count)
            for (index, sample) in samples.enumerated() { words[index] = sample << 8 }
        } else {
            let words = memory.bindMemory(to: Int16.self, capacity: samples.count)
            for (index, sample) in samples.enumerated() { words[index] = Int16(truncatingIfNeeded: sample) }
        }
        frame.pointer.pointee.pts = encodedCount
        encodedCount += Int64(count)
        return frame
    }
}

extension Muxer {
    /// Adds the stream of a lossless encoder. Returns its index.
    package func add(_ encoder: LosslessEncoder) throws(MediaError) -> Int {
        let stream = try addStream(Rational(1, encoder.sampleRate) ?? 1)
        try FFmpeg.check(
            avcodec_parameters_from_context(stream.pointee.codecpar, encoder.context), .encoding, step: .write,
            subject: "codec parameters")
        return Int(stream.pointee.index)
    }
}
