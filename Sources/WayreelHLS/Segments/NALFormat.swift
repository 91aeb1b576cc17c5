/// The storage of access units as NAL units in a codec of ITU-T.
struct NALFormat {
    /// The offset of the byte in the decoder configuration (ISO/IEC 14496-15) whose lowest two bits are the size of NAL
    /// lengths minus one.
    let lengthSizeOffset: Int
    /// The NAL unit types of instantaneous decoder refreshes.
    let idrTypes: ClosedRange<UInt8>
    /// The NAL unit types of slices.
    let sliceTypes: ClosedRange<UInt8>
    /// The type in the first byte of a NAL unit.
    let type: @Sendable (UInt8) -> UInt8

    /// The formats by FFmpeg's codec names.
    static let all: [String: NALFormat] = [
        // ITU-T H.264, table 7-1.
        "h264": NALFormat(lengthSizeOffset: 4, idrTypes: 5...5, sliceTypes: 1...5, type: { $0 & 0x1F }),
        // ITU-T H.265, table 7-1.
        "hevc": NALFormat(lengthSizeOffset: 21, idrTypes: 19...20, sliceTypes: 0...31, type: { $0 >> 1 & 0x3F }),
    ]

    /// Returns the size of NAL lengths in a decoder configuration, or nil if it is not one, in which case NAL units
    /// have start codes.
    func lengthSize(_ configuration: some Collection<UInt8>) -> Int? {
        guard configuration.count > lengthSizeOffset, configuration.first == 1 else { return nil }
        return Int(configuration[configuration.index(configuration.startIndex, offsetBy: lengthSizeOffset)] & 3) + 1
    }
}
