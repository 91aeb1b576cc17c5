public import WayreelCore

extension Levels {
    /// The same levels in buckets that are as long or longer.
    ///
    /// A bucket goes whole to the one in which its last sample lies, as with audiowaveform: exact where the buckets' edges are
    /// edges of the present ones too, and otherwise late by less than one of the present ones. The new lowest level is the
    /// lowest of all, the highest, the meter's and the held one the highest, the RMS the root of the mean of the squares.
    ///
    /// Throws a `parameter` error where buckets would be shorter, or cannot be counted.
    public func zoomed(to target: LevelGrid) throws(MediaError) -> Levels {
        if target == grid { return self }
        let sampleRate = format.sampleRate
        let size = target.meanBucketSize(sampleRate: sampleRate, sampleCount: sampleCount)
        let ownSize = grid.meanBucketSize(sampleRate: sampleRate, sampleCount: sampleCount)
        guard target.isCountable(sampleRate: sampleRate) else {
            throw MediaError(
                .parameter, step: "zoom", reason: "buckets that cannot be counted",
                advice: "ask for one point or more, or for a rate with smaller terms")
        }
        // Two ways to say the same may differ in the last place.
        guard size >= ownSize * (1 - 1e-9) else {
            throw MediaError(
                .parameter, step: "zoom",
                reason: "the file has \(ownSize.shortDescription) samples a bucket; "
                    + "\(size.shortDescription) would be finer",
                advice: "start from the sound")
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
                    // One that lies within this bucket has its levels.
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

/// What has been gathered of the buckets that make a larger one.
private struct GatheredBucket {
    private let fields: [LevelField]
    private var values: [Float] = []
    /// Of each column: the sum of the squares, each as often as there are samples.
    private var energies: [Double]
    private var sampleCount = 0

    /// `fields` are those of the columns, in order.
    init(_ fields: [LevelField]) {
        self.fields = fields
        energies = Array(repeating: 0, count: fields.count)
    }

    var isEmpty: Bool { values.isEmpty }

    mutating func add(_ columns: [UnsafeBufferPointer<Float>], row: Int, sampleCount count: Int) {
        if isEmpty { values = columns.map { $0[row] } }
        sampleCount += count
        for (place, column) in columns.enumerated() {
            let value = column[row]
            switch fields[place] {
            case .minimum: values[place] = min(values[place], value)
            case .maximum, .meter, .hold: values[place] = max(values[place], value)
            case .rms: energies[place] += Double(value) * Double(value) * Double(count)
            }
        }
    }

    /// The levels of what was gathered, with which it is empty again.
    mutating func take() -> [Float] {
        for (place, field) in fields.enumerated() where field == .rms && sampleCount > 0 {
            values[place] = Float((energies[place] / Double(sampleCount)).squareRoot())
        }
        defer {
            values.removeAll(keepingCapacity: true)
            for place in energies.indices { energies[place] = 0 }
            sampleCount = 0
        }
        return values
    }
}

extension LevelGrid {
    /// Whether the edges of its buckets fit into whole numbers.
    fileprivate func isCountable(sampleRate: Int) -> Bool {
        switch self {
        case .samples: true
        case .rate(let rate): !sampleRate.multipliedReportingOverflow(by: rate.denominator).overflow
        case .points(let count): count > 0
        }
    }

    /// Samples.
    func meanBucketSize(sampleRate: Int, sampleCount: Int) -> Double {
        switch self {
        case .samples(let size): Double(size)
        case .rate(let rate): Double(sampleRate) * Double(rate.denominator) / Double(rate.numerator)
        case .points(let count): Double(sampleCount) / Double(count)
        }
    }
}
