package import WayreelCore

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
