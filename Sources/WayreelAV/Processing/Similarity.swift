package import WayreelCore
internal import WayreelKernels

/// The structural similarity (SSIM) of the luma of two images, as measured by FFmpeg's filter `ssim`.
package struct Similarity {
    /// 8-bit luma: its first row, and the bytes from one row to the next.
    package typealias Luma = (base: UnsafePointer<UInt8>, stride: Int)

    private var rows: [[wr_similarity_sums]]
    private let size: PixelSize

    /// Measures images of `size`. Returns nil if that is smaller than a window.
    package init?(size: PixelSize) {
        guard size.width >= 8, size.height >= 8 else { return nil }
        self.size = size
        rows = Array(repeating: Array(repeating: wr_similarity_sums(), count: size.width / 4), count: 2)
    }

    /// Returns 1 for equal images, down to −1 for others.
    package mutating func compare(_ first: Luma, _ second: Luma) -> Double {
        let blocks = (across: size.width / 4, down: size.height / 4)
        var total = 0.0
        for y in 0..<blocks.down {
            wr_similarity_blocks(
                first.base + 4 * y * first.stride, first.stride, second.base + 4 * y * second.stride, second.stride,
                blocks.across, &rows[y % 2])
            if y > 0 { total += wr_similarity_windows(rows[0], rows[1], blocks.across - 1) }
        }
        return total / Double((blocks.across - 1) * (blocks.down - 1))
    }

    /// Compares frames with planar 8-bit luma.
    package mutating func compare(_ first: Frame, _ second: Frame) throws(MediaError) -> Double {
        try first.withPlanes { (one) throws(MediaError) in
            try second.withPlanes { other in
                compare(
                    (UnsafePointer(one[0].row(0)), one[0].stride), (UnsafePointer(other[0].row(0)), other[0].stride))
            }
        }
    }
}
