internal import CFFmpeg
internal import WayreelCore

/// Converts sample rate, channels and sample type: FFmpeg's SwrContext, owned. Belongs to one thread at a time.
final class AudioResampler {
    let source: SampleBuffer.Format
    private let target: SampleBuffer.Format
    private let context: OpaquePointer

    /// Max samples of all channels in one conversion.
    private static let maxSamples = 1 << 26

    /// Returns nil if FFmpeg cannot convert between the formats. If `avoidsClipping` is true, a mix of channels is
    /// scaled to never exceed full scale. The library must be loaded.
    init?(
        from source: SampleBuffer.Format, _ sourceLayout: ChannelLayout, to target: SampleBuffer.Format,
        _ targetLayout: ChannelLayout, avoidsClipping: Bool = false
    ) {
        var context: OpaquePointer?
        var status = swr_alloc_set_opts2(
            &context, &targetLayout.layout, target.code, Int32(clamping: target.sampleRate), &sourceLayout.layout,
            source.code, Int32(clamping: source.sampleRate), 0, nil)
        if status == 0, let context {
            if avoidsClipping { av_opt_set(UnsafeMutableRawPointer(context), "rematrix_maxval", "1.0", 0) }
            status = swr_init(context)
        }
        guard status >= 0, let context else {
            swr_free(&context)
            return nil
        }
        self.context = context
        self.source = source
        self.target = target
    }

    deinit {
        var context: OpaquePointer? = self.context
        swr_free(&context)
    }

    /// Converts `count` samples per channel, or for nil the rest at the end of the stream, and appends them to
    /// `buffer`. Returns their range in it; nil if the rates are too far apart.
    func convert(
        _ planes: [UnsafeRawPointer], count: Int?, to buffer: SampleBuffer
    ) throws(MediaError) -> Range<Int>? {
        let inputCount = Int32(clamping: count ?? 0)
        let maxOutput = swr_get_out_samples(context, inputCount)
        guard maxOutput >= 0, Int(maxOutput) <= Self.maxSamples / target.channelCount else { return nil }
        var input = planes.map { Optional($0.assumingMemoryBound(to: UInt8.self)) }
        return try buffer.append(upTo: Int(maxOutput)) { (planes) throws(MediaError) in
            var output = planes.map { Optional($0.assumingMemoryBound(to: UInt8.self)) }
            let converted =
                count == nil
                ? swr_convert(context, &output, maxOutput, nil, 0)
                : swr_convert(context, &output, maxOutput, &input, inputCount)
            try FFmpeg.check(converted, .decoding, step: "convert", subject: "conversion of samples")
            return Int(converted)
        }
    }
}

extension SampleBuffer.Format {
    /// FFmpeg's sample format.
    var code: AVSampleFormat {
        switch (type, isPlanar) {
        case (.int16, false): AV_SAMPLE_FMT_S16
        case (.int16, true): AV_SAMPLE_FMT_S16P
        case (.int32, false): AV_SAMPLE_FMT_S32
        case (.int32, true): AV_SAMPLE_FMT_S32P
        case (.float32, false): AV_SAMPLE_FMT_FLT
        case (.float32, true): AV_SAMPLE_FMT_FLTP
        }
    }
}
