internal import WayreelCore
internal import WayreelKernels

/// Resamples one 8-bit plane in integers, vertically and then horizontally.
///
/// The kernel that filters four rows of four components filters sixteen rows: a component of a pixel is a row here.
final class PlaneResampler {
    private let width: Int
    private let columns: ByteColumns
    private let rowBank: FilterBank

    private let interleaved: AlignedMemory
    private let interleavedSpan: Int
    private let sums: AlignedMemory
    /// Three rows of results that are not used.
    private let spare: AlignedMemory

    init(_ plan: ResamplingPlan) throws(MediaError) {
        width = plan.source.width
        columns = try ByteColumns(plan.rows, count: width, batch: 16)
        rowBank = .shared(for: plan.columns)
        interleavedSpan = (width + rowBank.taps + 2) * 4
        interleaved = try AlignedMemory(zeroed: interleavedSpan * 2 * 4, step: "resample")
        sums = try AlignedMemory(zeroed: plan.output.width * 4 * 4 * 4, step: "resample")
        spare = try AlignedMemory(zeroed: plan.output.width * 4 * 3, step: "resample")
    }

    /// Buffer for source row `y`; the caller provides the rows with a weight in order.
    func buffer(forRow y: Int) -> UnsafeMutableRawPointer { columns.buffer(forRow: y) }

    /// Rows of the result that have been written.
    var completeRows: Int { columns.completeOutputs }

    /// Consumes source row `y` from its buffer, and writes the rows that it completes into `plane` of `image`, 0…255 as
    /// 0…1.
    func take(row y: Int, into image: inout Image, plane: Int) {
        columns.take(row: y) { outputs in
            image.withMutablePlanes { weighRows(outputs, $0, plane) }
        }
    }

    private func weighRows(_ outputs: Range<Int>, _ planes: ImagePlanes, _ plane: Int) {
        let interleaved = interleaved.base.assumingMemoryBound(to: Int16.self)
        let sums = sums.base.assumingMemoryBound(to: Int32.self)
        let sumSpan = planes.width * 4
        for lane in 0..<4 {
            // Rows past the last one repeat it.
            let rows = (0..<4).map { columns.row(min(lane * 4 + $0, outputs.count - 1)) as UnsafePointer<Int16>? }
            wr_interleave_rows(rows, interleaved + lane * interleavedSpan, width)
        }
        let rows = (0..<4).map { UnsafePointer(interleaved + $0 * interleavedSpan) as UnsafePointer<Int16>? }
        let results = (0..<4).map { sums + $0 * sumSpan as UnsafeMutablePointer<Int32>? }
        wr_resample_rows(rows, rowBank.first, rowBank.pairedWeights, rowBank.taps, planes.width, results)
        let spare = spare.base.assumingMemoryBound(to: Float.self)
        func result(_ index: Int) -> UnsafeMutablePointer<Float> {
            index < outputs.count
                ? planes.row(outputs.lowerBound + index, plane: plane)
                : spare + (index - outputs.count) % 3 * planes.width
        }
        for lane in 0..<4 where lane * 4 < outputs.count {
            let first = lane * 4
            wr_sums_to_planes(
                sums + lane * sumSpan, planes.width, result(first), result(first + 1), result(first + 2),
                result(first + 3))
        }
    }
}
