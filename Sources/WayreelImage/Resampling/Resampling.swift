package import WayreelCore
internal import WayreelKernels

/// Resamples an image while it is decoded, holding only the rows in the filter's support.
package enum Resampling {
    /// Decodes the part of the image that `plan` needs and resamples it.
    ///
    /// The planes are those of the reader's layout: red, green, blue, and premultiplied alpha if the layout has alpha;
    /// cyan, magenta, yellow and black for a CMYK image.
    package static func resample(
        _ reader: any RowReader, plan: ResamplingPlan, task: TaskContext
    ) throws(MediaError) -> Image {
        if !plan.decodesFully, let reduced = try reader.reduced(for: plan) {
            return try resample(
                rowsOf: reduced.reader, plan: plan.reduced(by: reduced.spacing, to: reduced.reader.header.size),
                task: task)
        }
        return try resample(rowsOf: reader, plan: plan, task: task)
    }

    private static func resample(
        rowsOf reader: any RowReader, plan: ResamplingPlan, task: TaskContext
    ) throws(MediaError) -> Image {
        let rows = plan.rows.support
        if rows.lowerBound > 0 { try reader.skipRows(rows.lowerBound) }
        if !plan.decodesFully { reader.prepare(reduction: plan.reduction) }
        if plan.reduction >= planarReduction, !plan.inLinearLight, !plan.decodesFully, let reader = reader.planar,
            let image = try resample(planesOf: reader, plan: plan, task: task)
        {
            return image
        }
        let resampler = try resampler(for: reader.header, plan: plan)
        for y in rows {
            if y % 32 == 0 { try task.check() }
            try reader.readRow(into: resampler.buffer(forRow: y))
            resampler.take(row: y)
        }
        return resampler.image
    }

    private static func resampler(
        for header: ImageHeader, plan: ResamplingPlan
    ) throws(MediaError) -> any RowResampler {
        let isPlainBytes = header.rowBits == 8 && header.layout != .rgba && !plan.inLinearLight
        return isPlainBytes
            ? try ByteResampler(layout: header.layout, plan: plan)
            : try FloatResampler(layout: header.layout, bits: header.rowBits, plan: plan)
    }
}

/// Consumes the rows of an image from the top and produces a scaled image.
protocol RowResampler: AnyObject {
    /// Buffer for source row `y`; the caller provides the rows with a weight in order.
    func buffer(forRow y: Int) -> UnsafeMutableRawPointer
    /// Consumes source row `y` from its buffer.
    func take(row y: Int)
    /// Complete after the last row with a weight.
    var image: Image { get }
}

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
        let filtered = try AlignedMemory(zeroed: (image.stride + row.taps) * 4, step: .resample)
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
