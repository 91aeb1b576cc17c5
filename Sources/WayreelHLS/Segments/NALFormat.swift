/// How a codec of ITU-T stores access units as NAL units.
struct NALFormat {
    /// The offset of the byte in the decoder configuration (ISO/IEC 14496-15) whose lowest two bits are the size of NAL lengths
    /// minus one.
    let lengthSizeOffset: Int
    /// The NAL unit types of instantaneous decoder refreshes.
    let idrTypes: ClosedRange<UInt8>
    /// The NAL unit types of slices.
    let sliceTypes: ClosedRange<UInt8>
    /// The type in the first byte of a NAL unit.
    let type: @Sendable (UInt8) -> UInt8

    /// By FFmpeg's names of the codecs.
    static let all: [String: NALFormat] = [
        // ITU-T H.264, table 7-1.
        "h264": NALFormat(lengthSizeOffset: 4, idrTypes: 5...5, sliceTypes: 1...5, type: { $0 & 0x1F }),
        // ITU-T H.265, table 7-1.
        "hevc": NALFormat(lengthSizeOffset: 21, idrTypes: 19...20, sliceTypes: 0...31, type: { $0 >> 1 & 0x3F }),
    ]

    /// The size of NAL lengths by a decoder configuration; nil where it is none: NAL units have start codes then.
    func lengthSize(_ configuration: some Collection<UInt8>) -> Int? {
        guard configuration.count > lengthSizeOffset, configuration.first == 1 else { return nil }
        return Int(configuration[configuration.index(configuration.startIndex, offsetBy: lengthSizeOffset)] & 3) + 1
    }
}
