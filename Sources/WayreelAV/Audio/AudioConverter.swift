internal import CFFmpeg
package import WayreelCore

/// Converts blocks of audio to planar float samples of another rate and the same or fewer channels. More than two
/// channels are mixed by BS.775.
///
/// Belongs to one thread at a time.
package final class AudioConverter {
    let target: SampleBuffer.Format
    private let source: AudioFormat
    private let keepsChannels: Bool
    /// Converted samples per channel returned so far.
    package private(set) var sampleCount = 0
    /// Opened for the type and layout of the first block.
    private var resampler: AudioResampler?
    private var isPlanar: Bool { rearranged.format.isPlanar }
    /// The samples of a block whose layout differs from the first block's, such as silence in a gap.
    private var rearranged: SampleBuffer
    /// The samples of the last block that was returned.
    private let converted: SampleBuffer

    /// A nil `channelCount` keeps the channels.
    package init(from source: AudioFormat, sampleRate: Int, channelCount: Int? = nil) throws(MediaError) {
        try SharedLibrary.libswresample.require(step: .convert)
        self.source = source
        keepsChannels = channelCount == nil
        target = SampleBuffer.Format(
            type: .float32, channelCount: channelCount ?? source.channels.count, sampleRate: sampleRate, isPlanar: true)
        rearranged = SampleBuffer(target)
        converted = SampleBuffer(target)
    }

    /// Converts a block, or for nil the rest at the end of the stream. Returns the available samples, which are valid
    /// until the next call; nil if there are none.
    package func convert(_ block: AudioBlock?) throws(MediaError) -> AudioBlock? {
        converted.removeAll()
        let range = try convert(block, to: converted)
        guard !range.isEmpty else { return nil }
        defer { sampleCount += range.count }
        return SampleRun(buffer: converted, range: range).block(start: sampleCount)
    }

    /// Appends the converted samples to `buffer`. Returns their range in it.
    func convert(_ block: AudioBlock?, to buffer: SampleBuffer) throws(MediaError) -> Range<Int> {
        if resampler == nil, let block { resampler = try open(for: block) }
        guard let resampler else { return buffer.count..<buffer.count }
        let planes = try block.map { (block) throws(MediaError) in try self.planes(of: block) } ?? []
        guard let range = try resampler.convert(planes, count: block?.count, to: buffer) else {
            throw MediaError(
                .limit, step: .convert,
                reason: "\(source.sampleRate) Hz is too far from \(target.sampleRate) Hz to be converted",
                advice: "choose a sample rate nearer to that of the audio")
        }
        return range
    }

    /// Returns the samples of `block` in the layout of the first block.
    private func planes(of block: AudioBlock) throws(MediaError) -> [UnsafeRawPointer] {
        guard block.channelCount > 1, block.isInterleaved == isPlanar else { return block.planes }
        rearranged.removeAll()
        _ = try rearranged.append(upTo: block.count) { (planes) throws(MediaError) in
            switch block.type {
            case .int16: copy(block, to: planes, as: UInt16.self)
            case .int32, .float32: copy(block, to: planes, as: UInt32.self)
            }
            return block.count
        }
        return rearranged.planes(at: 0)
    }

    private func copy<Sample: BitwiseCopyable>(
        _ block: AudioBlock, to planes: [UnsafeMutableRawPointer], as _: Sample.Type
    ) {
        for channel in 0..<block.channelCount {
            let source = block.samples(of: channel, as: Sample.self)
            let plane = planes[isPlanar ? channel : 0].assumingMemoryBound(to: Sample.self)
            let target = isPlanar ? plane : plane + channel
            let step = isPlanar ? 1 : block.channelCount
            for index in 0..<block.count { target[index * step] = source[index * block.stride] }
        }
    }

    private func open(for block: AudioBlock) throws(MediaError) -> AudioResampler {
        let format = SampleBuffer.Format(
            type: block.type, channelCount: block.channelCount, sampleRate: source.sampleRate,
            isPlanar: !block.isInterleaved && block.channelCount > 1)
        rearranged = SampleBuffer(format)
        let from = ChannelLayout(source.channels)
        // A separate object, since FFmpeg receives pointers into both layouts.
        let to = keepsChannels ? ChannelLayout(source.channels) : ChannelLayout(count: target.channelCount)
        guard let resampler = AudioResampler(from: format, from, to: target, to, avoidsClipping: true) else {
            throw MediaError(
                .unsupported, step: .convert,
                reason: "FFmpeg cannot convert \(source.channels.count) channels at \(source.sampleRate) Hz to "
                    + "\(target.channelCount) at \(target.sampleRate) Hz")
        }
        return resampler
    }
}

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
            try FFmpeg.check(converted, .decoding, step: .convert, subject: "conversion of samples")
            return Int(converted)
        }
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

/// The channels of an audio stream: FFmpeg's AVChannelLayout, owned.
final class ChannelLayout {
    var layout = AVChannelLayout()

    init(copying original: UnsafePointer<AVChannelLayout>) throws(MediaError) {
        guard av_channel_layout_copy(&layout, original) == 0 else {
            throw MediaError(.limit, step: .decode, reason: "no memory")
        }
    }

    /// FFmpeg's default layout of `count` channels.
    init(count: Int) { av_channel_layout_default(&layout, Int32(clamping: count)) }

    /// Creates the layout of `channels`, or the default layout of their number if they have no speaker mask.
    init(_ channels: [AudioChannel]) {
        if let mask = channels.speakerMask {
            av_channel_layout_from_mask(&layout, mask)
        } else {
            av_channel_layout_default(&layout, Int32(clamping: channels.count))
        }
    }

    deinit { av_channel_layout_uninit(&layout) }

    var channels: [AudioChannel] {
        let count = Int(layout.nb_channels)
        guard count > 1, layout.order != AV_CHANNEL_ORDER_UNSPEC else { return AudioChannel.unnamed(count: count) }
        return (0..<count).map { loudspeaker(of: $0) ?? .numbered($0 + 1) }
    }

    /// The loudspeaker of the only channel; nil if it is unknown.
    var soleChannel: AudioChannel? {
        layout.nb_channels == 1 && layout.order != AV_CHANNEL_ORDER_UNSPEC ? loudspeaker(of: 0) : nil
    }

    private func loudspeaker(of index: Int) -> AudioChannel? {
        let number = Int(av_channel_layout_channel_from_index(&layout, UInt32(index)).rawValue)
        return AudioChannel.maskOrder.indices.contains(number) ? AudioChannel.maskOrder[number] : nil
    }
}

extension [AudioChannel] {
    /// The channel mask of WAVEFORMATEXTENSIBLE; nil for channels without loudspeakers or in another order.
    var speakerMask: UInt64? {
        if self == [.mono] { return 1 << 2 }
        let bits = compactMap { AudioChannel.maskOrder.firstIndex(of: $0) }
        guard bits.count == count, zip(bits, bits.dropFirst()).allSatisfy({ $0 < $1 }) else { return nil }
        return bits.reduce(0) { $0 | 1 << UInt64($1) }
    }
}
