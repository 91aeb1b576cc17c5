internal import WayreelCore
internal import WayreelKernels

/// Computes the measured channels from those of the audio.
final class ChannelMixer {
    let channels: [AudioChannel]

    private enum Work {
        /// Samples are used unchanged.
        case none
        /// Each channel in 16 bits.
        case int16
        /// The sum in 16 bits, divided and truncated.
        case int16Mean
        /// A weighted sum; with `asInt16`, of 16-bit samples in 16 bits.
        case sum([[Float]], asInt16: Bool)
    }

    private let work: Work
    private let rounding: Int16Rounding
    private let type: AudioBlock.SampleType
    /// Chunk buffers: input planes; one each of Int16, Int32 and Float samples; one per sum.
    private let memory: UnsafeMutableRawPointer
    private let planes: [UnsafeRawPointer]
    private static let chunk = 1024

    init(_ selection: ChannelSelection, int16Rounding: Int16Rounding? = nil, of source: [AudioChannel]) {
        let count = source.count
        let isSixteenBit = int16Rounding != nil
        rounding = int16Rounding ?? .truncated
        switch selection {
        case .mono where count > 1:
            channels = [.mono]
            work = isSixteenBit ? .int16Mean : .sum([Array(repeating: 1, count: count)], asInt16: false)
        case .stereo where count > 2:
            let shares = Downmix.shares(source)
            channels = [.left, .right]
            work = .sum([shares.map(\.left), shares.map(\.right)], asInt16: isSixteenBit)
        case .mono, .stereo, .all:
            channels = selection == .mono ? [.mono] : source
            work = isSixteenBit ? .int16 : .none
        }
        type = isSixteenBit ? .int16 : .float32
        memory = .allocate(byteCount: (2 * channels.count + 3) * Self.chunk * 4, alignment: 64)
        planes = channels.indices.map { [memory] in UnsafeRawPointer(memory) + $0 * Self.chunk * 4 }
    }

    deinit { memory.deallocate() }

    /// Passes the measured channels of a block, in one or more parts.
    func forEachPart(
        of block: AudioBlock, _ body: (AudioBlock) throws(MediaError) -> Void
    ) throws(MediaError) {
        switch work {
        case .none: return try body(block)
        case .int16 where block.type == .int16: return try body(block)
        case .int16, .int16Mean, .sum: break
        }
        var start = 0
        while start < block.count {
            let range = start..<min(start + Self.chunk, block.count)
            make(block, range)
            try body(
                AudioBlock(
                    type, count: range.count, channelCount: channels.count, planes: planes,
                    start: block.start + start, isPadding: block.isPadding))
            start = range.upperBound
        }
    }

    private func plane<Sample>(_ index: Int, as _: Sample.Type) -> UnsafeMutablePointer<Sample> {
        (memory + index * Self.chunk * 4).assumingMemoryBound(to: Sample.self)
    }

    private func make(_ block: AudioBlock, _ range: Range<Int>) {
        let integers = plane(channels.count, as: Int16.self)
        switch work {
        case .none: break
        case .int16:
            for channel in channels.indices {
                block.int16Samples(of: channel, range, rounding, into: plane(channel, as: Int16.self))
            }
        case .int16Mean where block.type == .int16 && block.isInterleaved && block.channelCount == 2:
            let pairs = block.samples(of: 0, as: Int16.self) + 2 * range.lowerBound
            wr_means_of_pairs(pairs, plane(0, as: Int16.self), range.count)
        case .int16Mean:
            let sums = plane(channels.count + 1, as: Int32.self)
            sums.initialize(repeating: 0, count: range.count)
            for channel in 0..<block.channelCount {
                block.int16Samples(of: channel, range, rounding, into: integers)
                wr_add_words(integers, sums, range.count)
            }
            wr_words_from_sums(sums, block.channelCount, plane(0, as: Int16.self), range.count)
        case .sum(let weights, let isInt16):
            let floats = plane(channels.count + 2, as: Float.self)
            let mix = { [self] (output: Int) in
                plane(isInt16 ? channels.count + 3 + output : output, as: Float.self)
            }
            for output in channels.indices { mix(output).initialize(repeating: 0, count: range.count) }
            for channel in 0..<block.channelCount {
                if isInt16 {
                    block.int16Samples(of: channel, range, rounding, into: integers)
                    wr_floats_from_s16(integers, 1, floats, range.count)
                } else {
                    block.floats(of: channel, range, into: floats)
                }
                for (output, weights) in weights.enumerated() where weights[channel] != 0 {
                    wr_add_scaled(mix(output), floats, range.count, weights[channel])
                }
            }
            if channels.count == 1 { wr_scale(mix(0), range.count, 1 / Float(block.channelCount)) }
            // The sum of the largest floats would be infinite.
            let limit = Float.greatestFiniteMagnitude
            for output in channels.indices { wr_clamp(mix(output), range.count, -limit, limit) }
            guard isInt16 else { return }
            for output in channels.indices {
                wr_words_from_f32(mix(output), 1, plane(output, as: Int16.self), range.count, 32_768)
            }
        }
    }
}

/// Weights of audio channels in left and right.
///
/// The weights of ITU-R BS.775, table 2, without normalisation: left and right; centre at √½ in both; surround
/// channels, side or back, at √½ on their side; a single back channel at ½ in both; LFE is dropped. Channels not in the
/// recommendation are treated like similar ones: a front channel between the centre and a side like that side, a top
/// channel like the surround below it. Unnamed channels alternate between left and right and share their side equally.
enum Downmix {
    struct Share: Equatable {
        var left: Float
        var right: Float
    }

    private static let table: [String: Share] = {
        let half = Float(0.5).squareRoot()
        return [
            "left": Share(left: 1, right: 0), "right": Share(left: 0, right: 1),
            "left-of-center": Share(left: 1, right: 0), "right-of-center": Share(left: 0, right: 1),
            "center": Share(left: half, right: half), "mono": Share(left: half, right: half),
            "lfe": Share(left: 0, right: 0),
            "side-left": Share(left: half, right: 0), "side-right": Share(left: 0, right: half),
            "back-left": Share(left: half, right: 0), "back-right": Share(left: 0, right: half),
            "back-center": Share(left: 0.5, right: 0.5),
            "top-front-left": Share(left: half, right: 0), "top-front-right": Share(left: 0, right: half),
            "top-back-left": Share(left: half, right: 0), "top-back-right": Share(left: 0, right: half),
            "top-center": Share(left: 0.5, right: 0.5), "top-front-center": Share(left: 0.5, right: 0.5),
            "top-back-center": Share(left: 0.5, right: 0.5),
        ]
    }()

    static func shares(_ channels: [AudioChannel]) -> [Share] {
        let unnamed = channels.indices.filter { table[channels[$0].name] == nil }
        return channels.indices.map { index in
            if let share = table[channels[index].name] { return share }
            let isLeft = unnamed.firstIndex(of: index)! % 2 == 0
            let onSide = isLeft ? (unnamed.count + 1) / 2 : unnamed.count / 2
            return Share(left: isLeft ? 1 / Float(onSide) : 0, right: isLeft ? 0 : 1 / Float(onSide))
        }
    }
}

extension AudioBlock {
    /// Converts one channel's samples in `range` to floats with full scale 1.
    func floats(of channel: Int, _ range: Range<Int>, into out: UnsafeMutablePointer<Float>) {
        let offset = range.lowerBound * stride
        switch type {
        case .int16: wr_floats_from_s16(samples(of: channel, as: Int16.self) + offset, stride, out, range.count)
        case .int32: wr_floats_from_s32(samples(of: channel, as: Int32.self) + offset, stride, out, range.count)
        case .float32: wr_pick_f32(samples(of: channel, as: Float.self) + offset, stride, out, range.count)
        }
    }

    /// Converts to 16 bits: floats are multiplied by 32 767 and truncated, integers keep their upper bits.
    func int16Samples(
        of channel: Int, _ range: Range<Int>, _ rounding: Int16Rounding, into out: UnsafeMutablePointer<Int16>
    ) {
        let offset = range.lowerBound * stride
        switch type {
        case .int16: wr_pick_s16(samples(of: channel, as: Int16.self) + offset, stride, out, range.count)
        case .int32: wr_words_from_s32(samples(of: channel, as: Int32.self) + offset, stride, out, range.count)
        case .float32:
            let floats = samples(of: channel, as: Float.self) + offset
            switch rounding {
            case .truncated: wr_words_from_f32(floats, stride, out, range.count, 32_767)
            case .floored: wr_words_below_f32(floats, stride, out, range.count)
            }
        }
    }
}
