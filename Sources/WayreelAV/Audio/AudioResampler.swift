internal import CFFmpeg
internal import WayreelCore

/// Brings samples of another rate, channel count or type to those of the sound: FFmpeg's SwrContext, owned.
final class AudioResampler {
    let source: SampleBuffer.Format
    private let target: SampleBuffer.Format
    private let context: OpaquePointer

    /// Samples of all channels that a run may become.
    private static let sampleLimit = 1 << 26

    init(from source: SampleBuffer.Format, to target: SampleBuffer.Format, _ layout: ChannelLayout) throws(MediaError) {
        try FFmpeg.load(.resampler, step: "decode")
        var context: OpaquePointer?
        var from = AVChannelLayout()
        av_channel_layout_default(&from, Int32(clamping: source.channelCount))
        defer { av_channel_layout_uninit(&from) }
        let status = swr_alloc_set_opts2(
            &context, &layout.layout, target.code, Int32(clamping: target.sampleRate), &from, source.code,
            Int32(clamping: source.sampleRate), 0, nil)
        guard status == 0, let context, swr_init(context) >= 0 else {
            swr_free(&context)
            throw MediaError(
                .unsupported, step: "decode",
                reason: "the sound changes to \(source.channelCount) channels at \(source.sampleRate) Hz on its way, "
                    + "which FFmpeg cannot convert")
        }
        self.context = context
        self.source = source
        self.target = target
    }

    deinit {
        var context: OpaquePointer? = self.context
        swr_free(&context)
    }

    /// What there is of the converted samples after `run`; without one, the rest.
    func convert(_ run: SampleRun?) throws(MediaError) -> SampleRun {
        let store = SampleBuffer(target)
        let count = Int32(clamping: run?.count ?? 0)
        let most = swr_get_out_samples(context, count)
        guard most >= 0, Int(most) * target.channelCount <= Self.sampleLimit else {
            throw MediaError(
                .limit, step: "decode",
                reason: "the sound changes from \(target.sampleRate) to \(source.sampleRate) Hz on its way, "
                    + "too far to be brought to one rate")
        }
        var input = (run.map { $0.store.planes(at: $0.range.lowerBound) } ?? []).map {
            Optional($0.assumingMemoryBound(to: UInt8.self))
        }
        let range = try store.append(most: Int(most)) { (planes) throws(MediaError) in
            var output = planes.map { Optional($0.assumingMemoryBound(to: UInt8.self)) }
            let made =
                run == nil
                ? swr_convert(context, &output, most, nil, 0) : swr_convert(context, &output, most, &input, count)
            try FFmpeg.check(made, .decoding, step: "decode", subject: "change of format")
            return Int(made)
        }
        return SampleRun(store: store, range: range)
    }
}

extension SampleBuffer.Format {
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
