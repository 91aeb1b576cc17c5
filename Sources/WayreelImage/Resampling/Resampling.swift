package import WayreelCore

/// Resamples a picture while it is being decoded, holding only the few rows that the filter reaches over.
package enum Resampling {
    /// Decodes what `plan` needs of the picture and resamples it.
    ///
    /// The result's planes are those of the reader's layout: red, green, blue; with premultiplied alpha as the fourth where
    /// the layout has alpha; cyan, magenta, yellow and black for a CMYK picture.
    package static func resample(
        _ reader: any RowReader, plan: ResamplingPlan, watch: TaskWatch
    ) throws(MediaError) -> Picture {
        let resampler = try resampler(for: reader.header, plan: plan)
        let rows = resampler.rows
        if rows.lowerBound > 0 { try reader.skipRows(rows.lowerBound) }
        for y in rows {
            if y % 32 == 0 { try watch.check() }
            try reader.readRow(into: resampler.buffer(forRow: y))
            resampler.take(row: y)
        }
        return resampler.picture
    }

    private static func resampler(
        for header: PictureHeader, plan: ResamplingPlan
    ) throws(MediaError) -> any RowResampler {
        let isPlainBytes = header.rowBits == 8 && header.layout != .rgba && !plan.inLinearLight
        return isPlainBytes
            ? try ByteResampler(layout: header.layout, plan: plan)
            : try FloatResampler(layout: header.layout, bits: header.rowBits, plan: plan)
    }
}

/// Takes the rows of a picture from the top and makes the rows of a smaller or larger one.
protocol RowResampler: AnyObject {
    /// The source rows that are needed. The caller hands them over in order.
    var rows: Range<Int> { get }
    /// Where the caller puts source row `y`.
    func buffer(forRow y: Int) -> UnsafeMutableRawPointer
    /// Says that source row `y` is in its buffer.
    func take(row y: Int)
    /// Complete once the last of `rows` was taken.
    var picture: Picture { get }
}
