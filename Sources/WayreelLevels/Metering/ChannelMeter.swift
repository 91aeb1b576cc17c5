package import WayreelCore
internal import WayreelKernels

/// Levels of one channel in one bucket. Full scale is 1.
package struct ChannelReading: Equatable, Sendable {
    package var minimum: Float = 0
    package var maximum: Float = 0
    /// Sum of squares.
    package var energy = 0.0
    package var sampleCount = 0
    /// Max of the meter state and of the peak hold; 0 without a meter.
    package var meter: Float = 0
    package var hold: Float = 0

    package init() {}

    package var peak: Float { max(maximum, -minimum) }
    package var rms: Float { sampleCount > 0 ? Float((energy / Double(sampleCount)).squareRoot()) : 0 }

    /// Merges the levels of the following samples.
    package mutating func join(_ next: ChannelReading) {
        minimum = min(minimum, next.minimum)
        maximum = max(maximum, next.maximum)
        energy += next.energy
        sampleCount += next.sampleCount
        meter = max(meter, next.meter)
        hold = max(hold, next.hold)
    }
}

/// Measures the levels of all channels bucket by bucket. Sample levels restart with each bucket; meter ballistics
/// continue.
///
/// The result does not depend on how a bucket's samples are split into blocks. Does not allocate after creation.
package final class ChannelMeter {
    package let channelCount: Int
    /// Samples per channel in the current bucket.
    package private(set) var sampleCount = 0

    /// Memory layout of the bucket's samples, which selects the accumulators.
    private struct Layout: Equatable {
        var type: AudioBlock.SampleType
        /// Two channels are read together; other counts separately.
        var isPair: Bool
    }

    private var layout: Layout?
    /// Levels of the bucket's samples with an earlier layout.
    private let readings: UnsafeMutableBufferPointer<ChannelReading>
    private let meterState: MeterState?
    private let integers: UnsafeMutableBufferPointer<wr_integer_levels>
    private let floats: UnsafeMutableBufferPointer<wr_float_levels>
    /// Buffer for one channel's deinterleaved samples.
    private let scratch: UnsafeMutableRawPointer
    private static let chunk = 2048

    /// `ballistics` determines ``ChannelReading/meter`` and ``ChannelReading/hold``; it needs the sample rate.
    package init(channelCount: Int, sampleRate: Int, ballistics: MeterBallistics?) {
        self.channelCount = channelCount
        readings = .allocate(capacity: channelCount)
        readings.initialize(repeating: ChannelReading())
        meterState = ballistics.map { MeterState($0, channelCount: channelCount, sampleRate: sampleRate) }
        integers = .allocate(capacity: channelCount)
        floats = .allocate(capacity: channelCount)
        for channel in 0..<channelCount {
            wr_begin_integer_levels(integers.baseAddress! + channel)
            wr_begin_float_levels(floats.baseAddress! + channel)
        }
        scratch = .allocate(byteCount: Self.chunk * 4, alignment: 64)
    }

    deinit {
        readings.deallocate()
        integers.deallocate()
        floats.deallocate()
        scratch.deallocate()
    }

    /// Adds a block with the meter's channel count.
    package func add(_ block: AudioBlock) { add(block, 0..<block.count) }

    /// Adds the samples in `range` of the block.
    package func add(_ block: AudioBlock, _ range: Range<Int>) {
        precondition(block.channelCount == channelCount, "the channel count matches the meter's")
        precondition(range.lowerBound >= 0 && range.upperBound <= block.count, "range is within the block")
        guard !range.isEmpty else { return }
        let layout = Layout(type: block.type, isPair: block.isInterleaved && channelCount == 2)
        if layout != self.layout { gather() }
        self.layout = layout
        switch block.type {
        case .int16: read(block, range, integers, by: wr_levels_s16, picking: wr_pick_s16)
        case .int32: read(block, range, integers, by: wr_levels_s32, picking: wr_pick_s32)
        case .float32: read(block, range, floats, by: wr_levels_f32, picking: wr_pick_f32)
        }
        meterState?.add(block, range)
        sampleCount += range.count
    }

    private func read<Sample, Sums>(
        _ block: AudioBlock, _ range: Range<Int>, _ sums: UnsafeMutableBufferPointer<Sums>,
        by kernel: (UnsafePointer<Sample>, Int, UnsafeMutablePointer<Sums>) -> Void,
        picking pick: (UnsafePointer<Sample>, Int, UnsafeMutablePointer<Sample>, Int) -> Void
    ) {
        let first = sums.baseAddress!
        let stride = block.stride
        if stride == 1 || channelCount == 2 {
            for channel in 0..<block.planes.count {
                kernel(
                    block.samples(of: channel, as: Sample.self) + range.lowerBound * stride, range.count * stride,
                    first + channel)
            }
            return
        }
        let picked = scratch.assumingMemoryBound(to: Sample.self)
        var start = range.lowerBound
        while start < range.upperBound {
            let count = min(Self.chunk, range.upperBound - start)
            for channel in 0..<channelCount {
                pick(block.samples(of: channel, as: Sample.self) + start * stride, stride, picked, count)
                kernel(picked, count, first + channel)
            }
            start += count
        }
    }

    /// Merges the kernels' accumulators into the readings.
    private func gather() {
        guard let layout else { return }
        for channel in 0..<channelCount {
            let index = layout.isPair ? 0 : channel
            let halves = layout.isPair ? (channel == 0 ? WR_EVEN_HALF : WR_ODD_HALF) : WR_BOTH_HALVES
            let levels =
                switch layout.type {
                case .int16: wr_integer_reading(integers.baseAddress! + index, halves, 0x1p15)
                case .int32: wr_integer_reading(integers.baseAddress! + index, halves, 0x1p31)
                case .float32: wr_float_reading(floats.baseAddress! + index, halves)
                }
            var reading = ChannelReading()
            // Converts negative zero to zero.
            reading.minimum = levels.minimum + 0
            reading.maximum = levels.maximum + 0
            reading.energy = levels.energy
            reading.sampleCount = sampleCount - readings[channel].sampleCount
            if reading.sampleCount < sampleCount {
                readings[channel].join(reading)
            } else {
                readings[channel] = reading
            }
        }
        for index in 0..<(layout.isPair ? 1 : channelCount) {
            if layout.type == .float32 {
                wr_begin_float_levels(floats.baseAddress! + index)
            } else {
                wr_begin_integer_levels(integers.baseAddress! + index)
            }
        }
        self.layout = nil
    }

    /// Ends the bucket and returns the reading of each channel. A bucket without samples is all zero.
    package func endBucket(into out: UnsafeMutableBufferPointer<ChannelReading>) {
        precondition(out.count == channelCount, "one reading per channel")
        gather()
        for channel in 0..<channelCount {
            out[channel] = readings[channel]
            readings[channel] = ChannelReading()
            if let meterState { (out[channel].meter, out[channel].hold) = meterState.reading(of: channel) }
        }
        meterState?.beginBucket()
        sampleCount = 0
    }
}
