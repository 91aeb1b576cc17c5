internal import CFFmpeg
internal import WayreelCore
internal import WayreelKernels

/// The sample format of an AVFrame, and its conversion to that of a ``SampleBuffer``.
struct AudioFrameLayout {
    let format: SampleBuffer.Format
    /// The conversion; nil if samples are copied unchanged.
    let unpack: PCMLayout.Unpacking?

    /// FFmpeg's interleaved sample formats by number.
    private static let interleaved: [(type: AudioBlock.SampleType, unpack: PCMLayout.Unpacking?)?] = {
        var table: [(AudioBlock.SampleType, PCMLayout.Unpacking?)?] = Array(
            repeating: nil, count: Int(AV_SAMPLE_FMT_NB.rawValue))
        table[Int(AV_SAMPLE_FMT_U8.rawValue)] = (.int16, wr_pcm_u8)
        table[Int(AV_SAMPLE_FMT_S16.rawValue)] = (.int16, nil)
        table[Int(AV_SAMPLE_FMT_S32.rawValue)] = (.int32, nil)
        table[Int(AV_SAMPLE_FMT_S64.rawValue)] = (.int32, wr_pcm_s64)
        table[Int(AV_SAMPLE_FMT_FLT.rawValue)] = (.float32, nil)
        table[Int(AV_SAMPLE_FMT_DBL.rawValue)] = (.float32, wr_pcm_f64)
        return table
    }()

    init(_ frame: UnsafeMutablePointer<AVFrame>) throws(MediaError) {
        let format = AVSampleFormat(rawValue: frame.pointee.format)
        let number = Int(av_get_packed_sample_fmt(format).rawValue)
        guard Self.interleaved.indices.contains(number), let (type, unpack) = Self.interleaved[number] else {
            throw MediaError(
                .unsupported, step: "decode", reason: "FFmpeg's sample format \(format.rawValue) is not known")
        }
        self.format = SampleBuffer.Format(
            type: type, channelCount: Int(frame.pointee.ch_layout.nb_channels),
            sampleRate: Int(frame.pointee.sample_rate), isPlanar: av_sample_fmt_is_planar(format) != 0)
        self.unpack = unpack
    }
}
