internal import CFFmpeg
package import WayreelCore

/// Brings blocks of audio to float samples of another rate and the same or fewer channels, more than two mixed by BS.775:
/// FFmpeg's SwrContext, owned.
///
/// Belongs to one thread at a time.
package final class AudioConverter {
    let target: SampleBuffer.Format
    private let source: AudioFormat
    private let keepsChannels: Bool
    /// Converted samples per channel that were handed out so far.
    package private(set) var sampleCount = 0
    /// Set up when the first block tells how its samples stand.
    private var context: OpaquePointer?
    private var isPlanar: Bool { arranged.format.isPlanar }
    /// Samples of a block that stand otherwise than those of the first, as silence in a gap may, brought to their order.
    private var arranged: SampleBuffer

    /// `channelCount`: nil keeps the channels as they are.
    package init(from source: AudioFormat, sampleRate: Int, channelCount: Int? = nil) throws(MediaError) {
        try FFmpeg.load(.resampler, step: "convert")
        self.source = source
        keepsChannels = channelCount == nil
        target = SampleBuffer.Format(
            type: .float32, channelCount: channelCount ?? source.channels.count, sampleRate: sampleRate, isPlanar: true)
        arranged = SampleBuffer(target)
    }

    deinit { swr_free(&context) }

    /// Hands out what there is of the converted samples after `block`; for nil, the rest.
    package func convert(
        _ block: AudioBlock?, _ body: (AudioBlock) throws(MediaError) -> Void
    ) throws(MediaError) {
        let store = SampleBuffer(target)
        let range = try convert(block, to: store)
        guard !range.isEmpty else { return }
        let start = sampleCount
        sampleCount += range.count
        try body(SampleRun(store: store, range: range).block(start: start))
    }

    /// Adds the converted samples to `store`, and tells where they stand.
    func convert(_ block: AudioBlock?, to store: SampleBuffer) throws(MediaError) -> Range<Int> {
        if context == nil, let block { context = try open(for: block) }
        guard let block, block.channelCount > 1, block.isInterleaved == isPlanar else {
            return try convert(block, planes: block?.planes ?? [], to: store)
        }
        arranged.removeAll()
        _ = try arranged.append(most: block.count) { (planes) throws(MediaError) in
            switch block.type {
            case .int16: arrange(block, in: planes, as: UInt16.self)
            case .int32, .float32: arrange(block, in: planes, as: UInt32.self)
            }
            return block.count
        }
        return try convert(block, planes: arranged.planes(at: 0), to: store)
    }

    /// Copies the samples of `block` so that they stand as those of the first.
    private func arrange<Sample: BitwiseCopyable>(
        _ block: AudioBlock, in planes: [UnsafeMutableRawPointer], as _: Sample.Type
    ) {
        for channel in 0..<block.channelCount {
            let source = block.samples(of: channel, as: Sample.self)
            let plane = planes[isPlanar ? channel : 0].assumingMemoryBound(to: Sample.self)
            let target = isPlanar ? plane : plane + channel
            let step = isPlanar ? 1 : block.channelCount
            for index in 0..<block.count { target[index * step] = source[index * block.stride] }
        }
    }

    private func convert(
        _ block: AudioBlock?, planes: [UnsafeRawPointer], to store: SampleBuffer
    ) throws(MediaError) -> Range<Int> {
        guard let context else { return store.count..<store.count }
        let count = Int32(clamping: block?.count ?? 0)
        let most = swr_get_out_samples(context, count)
        guard most >= 0, Int(most) <= Self.sampleLimit / target.channelCount else {
            throw MediaError(
                .limit, step: "convert",
                reason: "\(source.sampleRate) Hz is too far from \(target.sampleRate) Hz to be converted",
                advice: "choose a sample rate nearer to that of the audio")
        }
        var input = planes.map { Optional($0.assumingMemoryBound(to: UInt8.self)) }
        return try store.append(most: Int(most)) { (planes) throws(MediaError) in
            var output = planes.map { Optional($0.assumingMemoryBound(to: UInt8.self)) }
            let made =
                block == nil
                ? swr_convert(context, &output, most, nil, 0) : swr_convert(context, &output, most, &input, count)
            try FFmpeg.check(made, .encoding, step: "encode", subject: "conversion of samples")
            return Int(made)
        }
    }

    /// Samples of all channels that one block may become.
    private static let sampleLimit = 1 << 26

    private func open(for block: AudioBlock) throws(MediaError) -> OpaquePointer {
        var from = AVChannelLayout()
        var to = AVChannelLayout()
        defer {
            av_channel_layout_uninit(&from)
            av_channel_layout_uninit(&to)
        }
        if let mask = source.channels.speakerMask {
            av_channel_layout_from_mask(&from, mask)
        } else {
            av_channel_layout_default(&from, Int32(clamping: source.channels.count))
        }
        if keepsChannels {
            av_channel_layout_copy(&to, &from)
        } else {
            av_channel_layout_default(&to, Int32(clamping: target.channelCount))
        }
        let format = SampleBuffer.Format(
            type: block.type, channelCount: block.channelCount, sampleRate: source.sampleRate,
            isPlanar: !block.isInterleaved && block.channelCount > 1)
        arranged = SampleBuffer(format)
        var context: OpaquePointer?
        var status = swr_alloc_set_opts2(
            &context, &to, target.code, Int32(clamping: target.sampleRate), &from, format.code,
            Int32(clamping: source.sampleRate), 0, nil)
        if status == 0, let context {
            // A mix is scaled so that it can never be louder than full scale.
            av_opt_set(UnsafeMutableRawPointer(context), "rematrix_maxval", "1.0", 0)
            status = swr_init(context)
        }
        guard status >= 0, let context else {
            swr_free(&context)
            throw MediaError(
                .unsupported, step: "encode",
                reason: "FFmpeg cannot bring \(source.channels.count) channels at \(source.sampleRate) Hz to "
                    + "\(target.channelCount) at \(target.sampleRate) Hz")
        }
        return context
    }
}

extension [AudioChannel] {
    /// The mask of WAVEFORMATEXTENSIBLE; nil where the channels have no loudspeakers, or are not in its order.
    var speakerMask: UInt64? {
        if self == [.mono] { return 1 << 2 }
        let places = compactMap { AudioChannel.maskOrder.firstIndex(of: $0) }
        guard places.count == count, zip(places, places.dropFirst()).allSatisfy({ $0 < $1 }) else { return nil }
        return places.reduce(0) { $0 | 1 << UInt64($1) }
    }
}
