internal import WayreelCore

/// A level of H.264 and its limits (ITU-T H.264, table A-1).
struct H264Level: Hashable, Sendable {
    /// The name: `3.1`.
    let name: String
    /// The maximum macroblocks per second, per picture, and in the decoded picture buffer.
    let macroblocksPerSecond: Int
    let macroblocks: Int
    let bufferedMacroblocks: Int
    /// The maximum bit rate of High profile in bits per second: 1.25 times that of table A-1 (A.3.3, cpbBrVclFactor).
    let bitRate: Int

    private init(_ name: String, _ perSecond: Int, _ size: Int, _ buffer: Int, _ kilobits: Int) {
        self.name = name
        macroblocksPerSecond = perSecond
        macroblocks = size
        bufferedMacroblocks = buffer
        bitRate = kilobits * 1250
    }

    static let all = [
        H264Level("1", 1485, 99, 396, 64), H264Level("1.1", 3000, 396, 900, 192),
        H264Level("1.2", 6000, 396, 2376, 384), H264Level("1.3", 11_880, 396, 2376, 768),
        H264Level("2", 11_880, 396, 2376, 2000), H264Level("2.1", 19_800, 792, 4752, 4000),
        H264Level("2.2", 20_250, 1620, 8100, 4000), H264Level("3", 40_500, 1620, 8100, 10_000),
        H264Level("3.1", 108_000, 3600, 18_000, 14_000), H264Level("3.2", 216_000, 5120, 20_480, 20_000),
        H264Level("4", 245_760, 8192, 32_768, 20_000), H264Level("4.1", 245_760, 8192, 32_768, 50_000),
        H264Level("4.2", 522_240, 8704, 34_816, 50_000), H264Level("5", 589_824, 22_080, 110_400, 135_000),
        H264Level("5.1", 983_040, 36_864, 184_320, 240_000), H264Level("5.2", 2_073_600, 36_864, 184_320, 240_000),
    ]

    /// Frames that x264 keeps at preset medium and faster: three references, and one for the B-frame pyramid.
    private static let referenceFrames = 4

    /// Returns the lowest level for frames of `size` at `rate` per second and a maximum bit rate, if known, or nil if
    /// none suffices. The lowest two levels are not used, because their buffers are too small.
    static func lowest(for size: PixelSize, rate: Double, bitRate: Int? = nil) -> H264Level? {
        let (across, down) = ((size.width + 15) / 16, (size.height + 15) / 16)
        let count = across * down
        return all.dropFirst(2).first { level in
            let longest = (Double(level.macroblocks) * 8).squareRoot()
            return count <= level.macroblocks && Double(max(across, down)) <= longest
                && Double(count) * rate <= Double(level.macroblocksPerSecond)
                && count * referenceFrames <= level.bufferedMacroblocks && bitRate ?? 0 <= level.bitRate
        }
    }
}
