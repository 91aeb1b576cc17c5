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
        try FFmpeg.load(.resampler, step: "convert")
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
                .limit, step: "convert",
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
                .unsupported, step: "convert",
                reason: "FFmpeg cannot convert \(source.channels.count) channels at \(source.sampleRate) Hz to "
                    + "\(target.channelCount) at \(target.sampleRate) Hz")
        }
        return resampler
    }
}
