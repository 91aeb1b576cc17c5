public import WayreelCore

extension Levels {
    /// Returns the same levels in buckets of equal or larger size.
    ///
    /// Each bucket is assigned as a whole to the larger one that contains its last sample, as in audiowaveform. The
    /// result is exact if the new edges coincide with existing ones; otherwise it is late by less than one existing
    /// bucket. Minimum, maximum, meter and hold are the extremes; the RMS is the root of the mean square.
    ///
    /// Throws a `parameter` error for smaller buckets and for too many of them.
    public func zoomed(to target: LevelGrid) throws(MediaError) -> Levels {
        if target == grid { return self }
        let sampleRate = format.sampleRate
        let size = target.meanBucketSize(sampleRate: sampleRate, sampleCount: sampleCount)
        let ownSize = grid.meanBucketSize(sampleRate: sampleRate, sampleCount: sampleCount)
        guard target.isCountable(sampleRate: sampleRate) else {
            throw MediaError(
                .parameter, step: .zoom, reason: "too many buckets",
                advice: "use one point or more, or a rate with smaller terms")
        }
        // Equal sizes may differ in the last index.
        guard size >= ownSize * (1 - 1e-9) else {
            throw MediaError(
                .parameter, step: .zoom,
                reason: "the file has \(ownSize.shortDescription) samples per bucket; "
                    + "\(size.shortDescription) would be finer",
                advice: "use the audio as input")
        }
        let log = LevelLog(columnCount: format.channels.count * fields.count)
        let columnFields = format.channels.flatMap { _ in fields }
        var bucket = GatheredBucket(columnFields)
        var (index, targetIndex, start) = (0, 0, 0)
        let ownEdge = { min(grid.edge($0, sampleRate: sampleRate, sampleCount: sampleCount), sampleCount) }
        let targetEdge = { min(target.edge($0, sampleRate: sampleRate, sampleCount: sampleCount), sampleCount) }
        var targetEnd = targetEdge(1)
        try forEachRun { (run) throws(MediaError) in
            let columns = columnFields.indices.map(run.column)
            for row in 0..<run.rowCount {
                index += 1
                let end = ownEdge(index)
                while targetEnd < end {
                    // A source bucket that covers the whole new one provides its levels.
                    if bucket.isEmpty { bucket.add(columns, row: row, sampleCount: end - start) }
                    try log.append(bucket.take())
                    targetIndex += 1
                    targetEnd = targetEdge(targetIndex + 1)
                }
                bucket.add(columns, row: row, sampleCount: end - start)
                start = end
            }
        }
        if !bucket.isEmpty { try log.append(bucket.take()) }
        return Levels(format: format, grid: target, sampleCount: sampleCount, fields: fields, log: log)
    }
}

/// Accumulates source buckets into a larger one.
private struct GatheredBucket {
    private let fields: [LevelField]
    private var values: [Float] = []
    /// Sum of squares per column, weighted by the number of samples.
    private var energies: [Double]
    private var sampleCount = 0

    /// `fields` are the fields of the columns, in order.
    init(_ fields: [LevelField]) {
        self.fields = fields
        energies = Array(repeating: 0, count: fields.count)
    }

    var isEmpty: Bool { values.isEmpty }

    mutating func add(_ columns: [UnsafeBufferPointer<Float>], row: Int, sampleCount count: Int) {
        if isEmpty { values = columns.map { $0[row] } }
        sampleCount += count
        for (index, column) in columns.enumerated() {
            let value = column[row]
            switch fields[index] {
            case .minimum: values[index] = min(values[index], value)
            case .maximum, .meter, .hold: values[index] = max(values[index], value)
            case .rms: energies[index] += Double(value) * Double(value) * Double(count)
            }
        }
    }

    /// Returns the accumulated levels and resets.
    mutating func take() -> [Float] {
        for (index, field) in fields.enumerated() where field == .rms && sampleCount > 0 {
            values[index] = Float((energies[index] / Double(sampleCount)).squareRoot())
        }
        defer {
            values.removeAll(keepingCapacity: true)
            for index in energies.indices { energies[index] = 0 }
            sampleCount = 0
        }
        return values
    }
}

extension LevelGrid {
    /// Returns whether the bucket edges fit into integers.
    fileprivate func isCountable(sampleRate: Int) -> Bool {
        switch self {
        case .samples: true
        case .rate(let rate): !sampleRate.multipliedReportingOverflow(by: rate.denominator).overflow
        case .points(let count): count > 0
        }
    }

    /// In samples.
    func meanBucketSize(sampleRate: Int, sampleCount: Int) -> Double {
        switch self {
        case .samples(let size): Double(size)
        case .rate(let rate): Double(sampleRate) * Double(rate.denominator) / Double(rate.numerator)
        case .points(let count): Double(sampleCount) / Double(count)
        }
    }
}
