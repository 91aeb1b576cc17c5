internal import WayreelCore

/// Reads one channel of a sound that comes in pieces.
struct LiveChannel {
    init(sampleRate: Int, ballistics: MeterBallistics) {}

    mutating func read(_ block: AudioBlock, channel: Int) -> ChannelSpan {
        var span = ChannelSpan()
        for index in 0..<block.count {
            let value: Float =
                switch block.type {
                case .int16: Float(block.samples(of: channel, as: Int16.self)[index * block.stride]) / 32768
                case .int32: Float(block.samples(of: channel, as: Int32.self)[index * block.stride]) / 2_147_483_648
                case .float32: block.samples(of: channel, as: Float.self)[index * block.stride]
                }
            span.minimum = min(span.minimum, value)
            span.maximum = max(span.maximum, value)
            span.energy += Double(value) * Double(value)
        }
        span.meter = max(-span.minimum, span.maximum)
        span.hold = span.meter
        return span
    }
}
