internal import WayreelCore
internal import WayreelKernels

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
