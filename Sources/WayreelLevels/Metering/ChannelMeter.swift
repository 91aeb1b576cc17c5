package import WayreelCore
internal import WayreelKernels

/// What is read of one channel in one bucket. Full scale is 1.
package struct ChannelReading: Equatable, Sendable {
    package var minimum: Float = 0
    package var maximum: Float = 0
    /// The sum of the samples' squares.
    package var energy = 0.0
    package var sampleCount = 0
    /// The highest place of the meter's needle, and the highest peak that it held; 0 without a meter.
    package var meter: Float = 0
    package var hold: Float = 0

    package init() {}

    package var peak: Float { max(maximum, -minimum) }
    package var rms: Float { sampleCount > 0 ? Float((energy / Double(sampleCount)).squareRoot()) : 0 }

    /// Takes up what was read right after.
    package mutating func join(_ next: ChannelReading) {
        minimum = min(minimum, next.minimum)
        maximum = max(maximum, next.maximum)
        energy += next.energy
        sampleCount += next.sampleCount
        meter = max(meter, next.meter)
        hold = max(hold, next.hold)
    }
}

/// Reads the levels of a sound's channels as its samples come, bucket by bucket: those of the samples since the last
/// bucket ended, and a meter's that goes on from one to the next.
///
/// The readings do not depend on the blocks that the samples of a bucket come in. Nothing is allocated once it is made.
package final class ChannelMeter {
    package let channelCount: Int
    /// Samples per channel of the bucket so far.
    package var sampleCount: Int { count }
    private var count = 0

    /// How the samples of the bucket lie in memory, which decides where their levels are kept.
    private struct Layout: Equatable {
        var type: AudioBlock.SampleType
        /// The samples of two channels are read together; those of others each on their own.
        var isPair: Bool
    }

    private var layout: Layout?
    /// Of the samples of the bucket that lay otherwise.
    private let readings: UnsafeMutableBufferPointer<ChannelReading>
    private let needles: Needles?
    private let integers: UnsafeMutableBufferPointer<wr_integer_levels>
    private let floats: UnsafeMutableBufferPointer<wr_float_levels>
    /// A chunk of one channel's samples, where they have to be picked from among those of others.
    private let scratch: UnsafeMutableRawPointer
    private static let chunk = 2048

    /// A meter of `channelCount` channels; `ballistics` are those of ``ChannelReading/meter`` and
    /// ``ChannelReading/hold``, which need the sample rate.
    package init(channelCount: Int, sampleRate: Int, ballistics: MeterBallistics?) {
        self.channelCount = channelCount
        readings = .allocate(capacity: channelCount)
        readings.initialize(repeating: ChannelReading())
        needles = ballistics.map { Needles($0, channelCount: channelCount, sampleRate: sampleRate) }
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

    /// Reads a block of as many channels as the meter has.
    package func add(_ block: AudioBlock) { add(block, 0..<block.count) }

    /// Reads the samples in `range`, counted from the first of the block.
    package func add(_ block: AudioBlock, _ range: Range<Int>) {
        precondition(block.channelCount == channelCount, "as many channels as the meter has")
        precondition(range.lowerBound >= 0 && range.upperBound <= block.count, "a part of the block")
        guard !range.isEmpty else { return }
        let layout = Layout(type: block.type, isPair: block.isInterleaved && channelCount == 2)
        if layout != self.layout { gather() }
        self.layout = layout
        switch block.type {
        case .int16: read(block, range, integers, by: wr_levels_s16, picking: wr_pick_s16)
        case .int32: read(block, range, integers, by: wr_levels_s32, picking: wr_pick_s32)
        case .float32: read(block, range, floats, by: wr_levels_f32, picking: wr_pick_f32)
        }
        needles?.add(block, range)
        count += range.count
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

    /// Moves what the kernels have summed up into the readings.
    private func gather() {
        guard let layout else { return }
        for channel in 0..<channelCount {
            let place = layout.isPair ? 0 : channel
            let halves = layout.isPair ? (channel == 0 ? WR_EVEN_HALF : WR_ODD_HALF) : WR_BOTH_HALVES
            let levels =
                switch layout.type {
                case .int16: wr_integer_reading(integers.baseAddress! + place, halves, 0x1p15)
                case .int32: wr_integer_reading(integers.baseAddress! + place, halves, 0x1p31)
                case .float32: wr_float_reading(floats.baseAddress! + place, halves)
                }
            var reading = ChannelReading()
            // Negative zero is zero.
            reading.minimum = levels.minimum + 0
            reading.maximum = levels.maximum + 0
            reading.energy = levels.energy
            reading.sampleCount = count - readings[channel].sampleCount
            if reading.sampleCount < count {
                readings[channel].join(reading)
            } else {
                readings[channel] = reading
            }
        }
        for place in 0..<(layout.isPair ? 1 : channelCount) {
            if layout.type == .float32 {
                wr_begin_float_levels(floats.baseAddress! + place)
            } else {
                wr_begin_integer_levels(integers.baseAddress! + place)
            }
        }
        self.layout = nil
    }

    /// Ends the bucket and gives its reading of each channel. A bucket without samples reads 0 everywhere.
    package func endBucket(into out: UnsafeMutableBufferPointer<ChannelReading>) {
        precondition(out.count == channelCount, "a reading for each channel")
        gather()
        for channel in 0..<channelCount {
            out[channel] = readings[channel]
            readings[channel] = ChannelReading()
            if let needles { (out[channel].meter, out[channel].hold) = needles.reading(of: channel) }
        }
        needles?.beginBucket()
        count = 0
    }
}
