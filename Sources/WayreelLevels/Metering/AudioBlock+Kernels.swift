internal import WayreelCore
internal import WayreelKernels

extension AudioBlock {
    /// The samples of one channel in `range`, with full scale as 1.
    func floats(of channel: Int, _ range: Range<Int>, into out: UnsafeMutablePointer<Float>) {
        let offset = range.lowerBound * stride
        switch type {
        case .int16: wr_floats_from_s16(samples(of: channel, as: Int16.self) + offset, stride, out, range.count)
        case .int32: wr_floats_from_s32(samples(of: channel, as: Int32.self) + offset, stride, out, range.count)
        case .float32: wr_pick_f32(samples(of: channel, as: Float.self) + offset, stride, out, range.count)
        }
    }

    /// The same in 16 bits: floats are multiplied by 32 767 and cut towards zero, of integers the upper bits are taken.
    func words(of channel: Int, _ range: Range<Int>, _ rounding: WordRounding, into out: UnsafeMutablePointer<Int16>) {
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
