internal import CFFmpeg
internal import WayreelCore
internal import WayreelKernels

/// How the samples of an AVFrame stand, and what they become.
struct AudioFrameLayout {
    let format: SampleBuffer.Format
    /// nil where they stay as they are.
    let unpack: PCMLayout.Unpacking?

    /// FFmpeg's sample formats by their number, interleaved.
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

/// Which channels a sound has: FFmpeg's AVChannelLayout, owned.
final class ChannelLayout {
    var layout = AVChannelLayout()

    init(copying original: UnsafePointer<AVChannelLayout>) throws(MediaError) {
        guard av_channel_layout_copy(&layout, original) == 0 else {
            throw MediaError(.limit, step: "decode", reason: "no memory")
        }
    }

    deinit { av_channel_layout_uninit(&layout) }

    var channels: [AudioChannel] {
        let count = Int(layout.nb_channels)
        guard count > 1, layout.order != AV_CHANNEL_ORDER_UNSPEC else { return AudioChannel.unnamed(count: count) }
        return (0..<count).map { index in
            let place = Int(av_channel_layout_channel_from_index(&layout, UInt32(index)).rawValue)
            return AudioChannel.maskOrder.indices.contains(place) ? AudioChannel.maskOrder[place] : .numbered(index + 1)
        }
    }
}
