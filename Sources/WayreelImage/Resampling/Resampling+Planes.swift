internal import WayreelCore

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
