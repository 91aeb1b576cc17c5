package import WayreelAV
package import WayreelCore
internal import WayreelKernels

/// The structural similarity (SSIM) of the luma of two frames, as FFmpeg's filter `ssim` measures it.
package struct Similarity {
    private var rows: [[wr_similarity_sums]]
    private let size: PixelSize

    /// For frames of `size` with planar 8-bit luma; nil where `size` is smaller than a window.
    package init?(size: PixelSize) {
        guard size.width >= 8, size.height >= 8 else { return nil }
        self.size = size
        rows = Array(repeating: Array(repeating: wr_similarity_sums(), count: size.width / 4), count: 2)
    }

    /// 1 for equal frames, down to −1 for others.
    package mutating func compare(_ first: Frame, _ second: Frame) throws(MediaError) -> Double {
        let blocks = (across: size.width / 4, down: size.height / 4)
        var total = 0.0
        for y in 0..<blocks.down {
            try first.withPlanes { (one) throws(MediaError) in
                try second.withPlanes { other in
                    let (upper, lower) = (one[0], other[0])
                    wr_similarity_blocks(
                        upper.row(4 * y), upper.stride, lower.row(4 * y), lower.stride, blocks.across, &rows[y % 2])
                }
            }
            if y > 0 { total += wr_similarity_windows(rows[0], rows[1], blocks.across - 1) }
        }
        return total / Double((blocks.across - 1) * (blocks.down - 1))
    }
}
