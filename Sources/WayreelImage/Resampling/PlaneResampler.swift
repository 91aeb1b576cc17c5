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
        interleaved = try AlignedMemory(zeroed: interleavedSpan * 2 * 4, step: .resample)
        sums = try AlignedMemory(zeroed: plan.output.width * 4 * 4 * 4, step: .resample)
        spare = try AlignedMemory(zeroed: plan.output.width * 4 * 3, step: .resample)
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

/// Resampling of Y′CbCr images by their planes: chroma is filtered at its own size, and only the result is converted to
/// R′G′B′.
extension Resampling {
    /// The reduction from which on chroma of half the size is not enlarged.
    static let planarReduction = 2.0

    /// Returns nil if the rows of `reader` can only be read as R′G′B′.
    static func resample(
        planesOf reader: any PlanarRowReader, plan: ResamplingPlan, task: TaskContext
    ) throws(MediaError) -> Image? {
        // Made first: the first row may wait for libraries that another thread loads.
        let luma = try PlaneResampler(plan)
        guard let sampling = try reader.chromaSampling() else { return nil }
        let rows = plan.rows.support
        let chroma = plan.chroma(sampling, ofRows: rows)
        let planes = [luma, try PlaneResampler(chroma), try PlaneResampler(chroma)]
        var image = try Image(unset: plan.output, hasAlpha: false)
        var converted = 0
        func take(row y: Int, ofPlane plane: Int) throws(MediaError) {
            try reader.readRow(y, ofPlane: plane, into: planes[plane].buffer(forRow: y))
            planes[plane].take(row: y, into: &image, plane: plane)
        }
        for y in rows {
            if y % 32 == 0 { try task.check() }
            try take(row: y, ofPlane: 0)
            // Filter banks begin at an even sample, the first of two that share a row of chroma.
            if sampling.rows == .full || y % 2 == 0 {
                let row = sampling.rows == .full ? y : y / 2
                try take(row: row, ofPlane: 1)
                try take(row: row, ofPlane: 2)
            }
            let complete = min(planes[0].completeRows, planes[1].completeRows, planes[2].completeRows)
            if complete > converted { reader.convertToRGB(&image, rows: converted..<complete) }
            converted = complete
        }
        return image
    }
}

extension ResamplingPlan {
    /// Returns the plan for chroma that belongs to `rows` of luma.
    fileprivate func chroma(_ sampling: ChromaSampling, ofRows rows: Range<Int>) -> ResamplingPlan {
        var plan = self
        var used = PixelRectangle(columns: columns.samples, rows: rows)
        if sampling.columns != .full {
            plan.source.width = (source.width + 1) / 2
            plan.region.x = sampling.columns.position(of: region.x)
            plan.region.width /= 2
            used.columns = used.columns.halved
        }
        if sampling.rows != .full {
            plan.source.height = (source.height + 1) / 2
            plan.region.y = sampling.rows.position(of: region.y)
            plan.region.height /= 2
            used.rows = used.rows.halved
        }
        plan.window = used
        return plan
    }
}

extension ChromaSampling.Axis {
    /// Returns a position in luma as one in chroma, both from the edge of the first sample.
    fileprivate func position(of luma: Double) -> Double {
        switch self {
        case .full: luma
        case .centered: luma / 2
        // The centre of a sample is at ½ in both; that of luma would be at ¼ if chroma were centred.
        case .cosited: luma / 2 + 0.25
        }
    }
}

extension Range<Int> {
    fileprivate var halved: Range<Int> { lowerBound / 2..<(upperBound + 1) / 2 }
}
