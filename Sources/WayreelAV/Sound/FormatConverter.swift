internal import CFFmpeg
internal import WayreelCore

/// Brings frames of another rate, channel count or sample type to those of the sound: FFmpeg's SwrContext, owned.
final class FormatConverter {
    private let context: OpaquePointer
    private let source: AudioFrame
    private let target: AudioFrame

    /// From the format of `source` to that of `target`.
    init(from source: AudioFrame, to target: AudioFrame) throws(MediaError) {
        try FFmpeg.load(.resampler, step: "decode")
        var context: OpaquePointer?
        let (from, to) = (source.pointer, target.pointer)
        let status = swr_alloc_set_opts2(
            &context, &to.pointee.ch_layout, target.sampleFormat, to.pointee.sample_rate, &from.pointee.ch_layout,
            source.sampleFormat, from.pointee.sample_rate, 0, nil)
        guard status == 0, let context, swr_init(context) >= 0 else {
            swr_free(&context)
            throw MediaError(
                .unsupported, step: "decode",
                reason: "the sound changes to \(source.sampleRate) Hz, \(source.channelCount) channels on its way, "
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

    func accepts(_ frame: AudioFrame) -> Bool { frame.isLike(source) && frame.sampleFormat == source.sampleFormat }

    /// What there is of the converted samples after `frame`; without one, the rest.
    func convert(_ frame: AudioFrame?) throws(MediaError) -> AudioFrame? {
        let converted = try AudioFrame()
        converted.pointer.pointee.format = target.pointer.pointee.format
        converted.pointer.pointee.sample_rate = target.pointer.pointee.sample_rate
        guard av_channel_layout_copy(&converted.pointer.pointee.ch_layout, &target.pointer.pointee.ch_layout) == 0
        else {
            throw MediaError(.limit, step: "decode", reason: "no memory")
        }
        try FFmpeg.check(
            swr_convert_frame(context, converted.pointer, frame?.pointer), .decoding, step: "decode",
            subject: "change of format")
        return converted.count > 0 ? try converted.normalized() : nil
    }
}
