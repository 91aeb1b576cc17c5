internal import CFFmpeg
internal import Glibc
internal import WayreelCore
internal import WayreelKernels

/// Decoded samples: FFmpeg's AVFrame, owned; int16, int32 or finite float32.
final class AudioFrame: @unchecked Sendable {
    let pointer: UnsafeMutablePointer<AVFrame>
    /// Floats that were no numbers and have become 0.
    private(set) var notFinite = 0

    init() throws(MediaError) {
        guard let frame = av_frame_alloc() else {
            throw MediaError(.limit, step: "decode", reason: "no memory for a frame")
        }
        pointer = frame
    }

    deinit {
        var frame: UnsafeMutablePointer<AVFrame>? = pointer
        av_frame_free(&frame)
    }

    /// Samples per channel.
    var count: Int { Int(pointer.pointee.nb_samples) }
    var channelCount: Int { Int(pointer.pointee.ch_layout.nb_channels) }
    var sampleRate: Int { Int(pointer.pointee.sample_rate) }
    var sampleFormat: AVSampleFormat { AVSampleFormat(rawValue: pointer.pointee.format) }
    var isPlanar: Bool { av_sample_fmt_is_planar(sampleFormat) != 0 }
    var type: AudioBlock.SampleType? { Self.types[sampleFormat.rawValue] }

    private static let types: [Int32: AudioBlock.SampleType] = [
        AV_SAMPLE_FMT_S16.rawValue: .int16, AV_SAMPLE_FMT_S16P.rawValue: .int16,
        AV_SAMPLE_FMT_S32.rawValue: .int32, AV_SAMPLE_FMT_S32P.rawValue: .int32,
        AV_SAMPLE_FMT_FLT.rawValue: .float32, AV_SAMPLE_FMT_FLTP.rawValue: .float32,
    ]

    /// The other formats that decoders have, and what becomes of them.
    private static let conversions: [Int32: (AVSampleFormat, PCMLayout.Unpacking)] = [
        AV_SAMPLE_FMT_U8.rawValue: (AV_SAMPLE_FMT_S16, wr_pcm_u8),
        AV_SAMPLE_FMT_U8P.rawValue: (AV_SAMPLE_FMT_S16P, wr_pcm_u8),
        AV_SAMPLE_FMT_S64.rawValue: (AV_SAMPLE_FMT_S32, wr_pcm_s64),
        AV_SAMPLE_FMT_S64P.rawValue: (AV_SAMPLE_FMT_S32P, wr_pcm_s64),
        AV_SAMPLE_FMT_DBL.rawValue: (AV_SAMPLE_FMT_FLT, wr_pcm_f64),
        AV_SAMPLE_FMT_DBLP.rawValue: (AV_SAMPLE_FMT_FLTP, wr_pcm_f64),
    ]

    /// Addresses and bytes of the planes: one for each channel, or one for all.
    var planes: UnsafeBufferPointer<UnsafeMutablePointer<UInt8>?> {
        UnsafeBufferPointer(start: pointer.pointee.extended_data, count: isPlanar ? channelCount : 1)
    }

    /// Values in a plane.
    private var planeCount: Int { isPlanar ? count : count * channelCount }

    private var planeBytes: Int { planeCount * Int(av_get_bytes_per_sample(sampleFormat)) }

    func isLike(_ other: AudioFrame) -> Bool {
        type == other.type && channelCount == other.channelCount && sampleRate == other.sampleRate
    }

    /// Whether both hold the same bits.
    func equals(_ other: AudioFrame) -> Bool {
        guard count == other.count, sampleFormat == other.sampleFormat, isLike(other) else { return false }
        let bytes = planeBytes
        return zip(planes, other.planes).allSatisfy { memcmp($0!, $1!, bytes) == 0 }
    }

    /// This frame, or another of the samples in one of the formats that a block may have, with only finite numbers.
    func normalized() throws(MediaError) -> AudioFrame {
        guard type == nil else {
            try silenceNotFinite()
            return self
        }
        guard let (format, unpack) = Self.conversions[sampleFormat.rawValue] else {
            throw MediaError(
                .unsupported, step: "decode", reason: "FFmpeg's sample format \(sampleFormat.rawValue) is new")
        }
        let frame = try AudioFrame()
        frame.pointer.pointee.format = format.rawValue
        frame.pointer.pointee.nb_samples = pointer.pointee.nb_samples
        frame.pointer.pointee.sample_rate = pointer.pointee.sample_rate
        frame.pointer.pointee.pts = pointer.pointee.pts
        guard av_channel_layout_copy(&frame.pointer.pointee.ch_layout, &pointer.pointee.ch_layout) == 0,
            av_frame_get_buffer(frame.pointer, 0) == 0, av_frame_copy_props(frame.pointer, pointer) == 0
        else { throw MediaError(.limit, step: "decode", reason: "no memory for \(count) samples") }
        for (source, target) in zip(planes, frame.planes) { unpack(source, target, planeCount) }
        try frame.silenceNotFinite()
        return frame
    }

    private func silenceNotFinite() throws(MediaError) {
        guard type == .float32 else { return }
        let count = planeCount
        let floats = { (plane: UnsafeMutablePointer<UInt8>?) in
            UnsafeMutableRawPointer(plane!).assumingMemoryBound(to: Float.self)
        }
        notFinite = planes.reduce(0) { $0 + wr_count_not_finite(floats($1), count) }
        guard notFinite > 0 else { return }
        guard av_frame_make_writable(pointer) == 0 else {
            throw MediaError(.limit, step: "decode", reason: "no memory for \(count) samples")
        }
        for plane in planes { wr_silence_not_finite(floats(plane), count) }
    }

    /// Samples at the beginning that the codec's decoder wants to be skipped.
    var skip: Int {
        guard let data = av_frame_get_side_data(pointer, AV_FRAME_DATA_SKIP_SAMPLES)?.pointee, data.size >= 10 else {
            return 0
        }
        return EncodedPacket.trimming(data.data).skip
    }

    var format: AudioFormat { AudioFormat(sampleRate: sampleRate, channels: channels) }

    private var channels: [AudioChannel] {
        guard channelCount > 1 else { return [.mono] }
        guard pointer.pointee.ch_layout.order != AV_CHANNEL_ORDER_UNSPEC else {
            return AudioChannel.unnamed(count: channelCount)
        }
        return (0..<channelCount).map { index in
            let place = Int(av_channel_layout_channel_from_index(&pointer.pointee.ch_layout, UInt32(index)).rawValue)
            return AudioChannel.maskOrder.indices.contains(place) ? AudioChannel.maskOrder[place] : .numbered(index + 1)
        }
    }
}
