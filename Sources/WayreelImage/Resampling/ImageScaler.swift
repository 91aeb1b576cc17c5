package import WayreelCore
internal import WayreelKernels

/// Scales an image in memory.
package enum ImageScaler {
    /// Scales `image` to `size` with the filter used for captures; alpha stays premultiplied.
    package static func scale(
        _ image: Image, to size: PixelSize, task: TaskContext
    ) throws(MediaError) -> Image {
        guard size != image.size else { return image }
        var plan = ResamplingPlan(unchanged: image.size)
        plan.output = size
        let columns = FilterBank.shared(for: plan.rows)
        let row = FilterBank.shared(for: plan.columns)
        let filtered = try AlignedMemory(zeroed: (image.stride + row.taps) * 4, step: "resample")
        let filteredRow = filtered.base.assumingMemoryBound(to: Float.self)
        var scaled = try Image(unset: size, hasAlpha: image.hasAlpha)
        try image.withPlanes { (source) throws(MediaError) in
            try scaled.withMutablePlanes { (result) throws(MediaError) in
                for y in 0..<result.height {
                    if y % 32 == 0 { try task.check() }
                    for plane in 0..<source.count {
                        // Rows past the last have zero weight.
                        let rows = (0..<columns.taps).map { tap in
                            let y = min(Int(columns.first[y]) + tap, source.height - 1)
                            return UnsafePointer(source.row(y, plane: plane)) as UnsafePointer<Float>?
                        }
                        columns.weights.withUnsafeBufferPointer { weights in
                            wr_resample_columns_f(
                                rows, weights.baseAddress! + y * columns.taps, columns.taps, filteredRow, source.width)
                        }
                        wr_resample_row_f(
                            filteredRow, row.first, row.weights, row.taps, result.width, result.row(y, plane: plane))
                    }
                }
            }
        }
        return scaled
    }
}
