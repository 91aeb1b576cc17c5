internal import WayreelCore
internal import WayreelKernels

/// The fast path: resamples 8-bit images without alpha in integers, vertically and then horizontally.
final class ByteResampler: RowResampler {
    private(set) var image: Image
    private let components: Int
    private let width: Int
    private let columns: ByteColumns
    private let rowBank: FilterBank

    private let paired: AlignedMemory
    private let pairedSpan: Int
    private let sums: AlignedMemory

    init(layout: ImageHeader.RowLayout, plan: ResamplingPlan) throws(MediaError) {
        image = try Image(unset: plan.output, hasAlpha: layout.components == 4)
        components = layout.components
        width = plan.source.width
        columns = try ByteColumns(plan.rows, count: width * components, batch: 8)
        rowBank = .shared(for: plan.columns)
        pairedSpan = (width + rowBank.taps + 2) * 4
        paired = try AlignedMemory(zeroed: pairedSpan * 2 * 4, step: "resample")
        sums = try AlignedMemory(zeroed: plan.output.width * 4 * 4 * 4, step: "resample")
    }

    func buffer(forRow y: Int) -> UnsafeMutableRawPointer { columns.buffer(forRow: y) }

    func take(row y: Int) {
        columns.take(row: y) { weighRows($0) }
    }

    private func weighRows(_ outputs: Range<Int>) {
        let paired = paired.base.assumingMemoryBound(to: Int16.self)
        let sums = sums.base.assumingMemoryBound(to: Int32.self)
        image.withMutablePlanes { planes in
            let sumSpan = planes.width * 4
            for start in stride(from: 0, to: outputs.count, by: 4) {
                for lane in 0..<4 {
                    // Lanes past the last row repeat it.
                    let row = min(start + lane, outputs.count - 1)
                    wr_pair_pixels(columns.row(row), paired + lane * pairedSpan, width, components)
                }
                let rows = (0..<4).map { UnsafePointer(paired + $0 * pairedSpan) as UnsafePointer<Int16>? }
                let results = (0..<4).map { sums + $0 * sumSpan as UnsafeMutablePointer<Int32>? }
                wr_resample_rows(
                    rows, rowBank.first, rowBank.pairedWeights, rowBank.taps, planes.width, results)
                for lane in 0..<min(4, outputs.count - start) {
                    let y = outputs.lowerBound + start + lane
                    wr_sums_to_planes(
                        sums + lane * sumSpan, planes.width, planes.row(y, plane: 0), planes.row(y, plane: 1),
                        planes.row(y, plane: 2), planes.count == 4 ? planes.row(y, plane: 3) : nil)
                }
            }
        }
    }
}
