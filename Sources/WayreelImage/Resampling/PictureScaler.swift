package import WayreelCore
internal import WayreelKernels

/// Scales a picture that is already in memory.
package enum PictureScaler {
    /// `picture` at `size`, by the same filter as a capture; alpha stays premultiplied.
    package static func scale(
        _ picture: Picture, to size: PixelSize, watch: TaskWatch
    ) throws(MediaError) -> Picture {
        guard size != picture.size else { return picture }
        var plan = ResamplingPlan(unchanged: picture.size)
        plan.output = size
        let columns = FilterBank.shared(for: plan.rows)
        let row = FilterBank.shared(for: plan.columns)
        let weighed = try AlignedMemory(zeroed: (picture.stride + row.taps) * 4, step: "resample")
        let weighedRow = weighed.base.assumingMemoryBound(to: Float.self)
        var scaled = try Picture(unset: size, hasAlpha: picture.hasAlpha)
        try picture.withPlanes { (source) throws(MediaError) in
            try scaled.withMutablePlanes { (result) throws(MediaError) in
                for y in 0..<result.height {
                    if y % 32 == 0 { try watch.check() }
                    for plane in 0..<source.count {
                        // Rows past the last have no weight.
                        let rows = (0..<columns.taps).map { tap in
                            let y = min(Int(columns.first[y]) + tap, source.height - 1)
                            return UnsafePointer(source.row(y, plane: plane)) as UnsafePointer<Float>?
                        }
                        columns.weights.withUnsafeBufferPointer { weights in
                            wr_resample_columns_f(
                                rows, weights.baseAddress! + y * columns.taps, columns.taps, weighedRow, source.width)
                        }
                        wr_resample_row_f(
                            weighedRow, row.first, row.weights, row.taps, result.width, result.row(y, plane: plane))
                    }
                }
            }
        }
        return scaled
    }
}
