internal import WayreelCore
internal import WayreelDrawing

/// Reduces readings to the columns of an image, each with the extremes of its readings.
struct LevelColumns {
    /// The drawn values.
    enum Content {
        case extremes, extremesAndRMS, meter
    }

    struct Channel {
        /// Lowest and highest sample, or 0 and the meter state; 0 for a column without readings.
        fileprivate(set) var lows: [Float]
        fileprivate(set) var highs: [Float]
        /// Root mean square; empty if it is not drawn or not measured.
        fileprivate(set) var rms: [Float]
        /// Magnitude of the last reading.
        fileprivate(set) var newest: Float = 0
        private let source: Source
        /// State of the column being filled: whether it has a reading, and the sum of mean squares.
        private var isOpen = false
        private var sum = 0.0

        func magnitude(_ column: Int) -> Float { max(highs[column], -lows[column]) }
    }

    private(set) var channels: [Channel]
    /// Columns with readings: all, or the last ones of a partially filled strip.
    let filled: Range<Int>

    /// Reads the last `window` buckets of `levels` into `count` columns. A larger window leaves columns on the left
    /// empty; with fewer buckets than columns, each fills several.
    ///
    /// Throws a `parameter` error if the levels lack the drawn fields.
    init(_ levels: Levels, _ content: Content, count: Int, window: Int) throws(MediaError) {
        var channels: [Channel] = []
        for channel in levels.format.channels.indices {
            channels.append(Channel(try Source(levels, content, channel: channel), count: count))
        }
        // Offset from a bucket's index in the log to its index in the window.
        let shift = window - levels.bucketCount
        let grid = Grid(readings: window, columns: count)
        filled = grid.firstColumn(of: max(0, shift))..<count
        var (row, column) = (0, filled.lowerBound)
        try levels.forEachRun { (run) throws(MediaError) in
            let rows = row..<row + run.rowCount
            while column < count {
                let wanted = grid.readings(in: column)
                let (first, end) = (max(wanted.lowerBound - shift, rows.lowerBound), wanted.upperBound - shift)
                if first < min(end, rows.upperBound) {
                    let part = first - row..<min(end, rows.upperBound) - row
                    for index in channels.indices { channels[index].add(run, part, to: column) }
                }
                guard end <= rows.upperBound else { break }
                for index in channels.indices { channels[index].close(column, readingCount: wanted.count) }
                column += 1
            }
            row = rows.upperBound
            if row == levels.bucketCount, run.rowCount > 0 {
                for index in channels.indices { channels[index].takeNewest(of: run) }
            }
        }
        self.channels = channels
    }

    /// Maps readings to columns: each reading to one column, and each column to at least one reading.
    struct Grid {
        let readings: Int
        let columns: Int

        func readings(in column: Int) -> Range<Int> {
            let first = column * readings / columns
            return first..<max(first + 1, (column + 1) * readings / columns)
        }

        func firstColumn(of reading: Int) -> Int {
            readings >= columns
                ? ((reading + 1) * columns - 1) / readings : (reading * columns + readings - 1) / readings
        }
    }
}

extension LevelColumns.Channel {
    fileprivate init(_ source: Source, count: Int) {
        let zeros = [Float](repeating: 0, count: count)
        (lows, highs, rms) = (zeros, zeros, source.rms == nil ? [] : zeros)
        self.source = source
    }

    fileprivate mutating func add(_ run: LevelLog.Run, _ rows: Range<Int>, to column: Int) {
        let (low, high) = source.extremes(run, rows)
        lows[column] = isOpen ? min(lows[column], low) : low
        highs[column] = isOpen ? max(highs[column], high) : high
        isOpen = true
        guard let rms = source.rms else { return }
        for value in run.column(rms)[rows] { sum += Double(value) * Double(value) }
    }

    fileprivate mutating func close(_ column: Int, readingCount: Int) {
        if !rms.isEmpty { rms[column] = Float((sum / Double(readingCount)).squareRoot()) }
        (isOpen, sum) = (false, 0)
    }

    fileprivate mutating func takeNewest(of run: LevelLog.Run) {
        let (low, high) = source.extremes(run, run.rowCount - 1..<run.rowCount)
        newest = max(high, -low)
    }
}

/// The columns of a log for one drawn channel.
private struct Source {
    /// Column of the lowest samples; nil for a meter.
    let low: Int?
    let high: Int
    let rms: Int?

    init(_ levels: Levels, _ content: LevelColumns.Content, channel: Int) throws(MediaError) {
        func column(_ field: LevelField) throws(MediaError) -> Int {
            guard let column = levels.column(field, channel: channel) else {
                throw MediaError(
                    .parameter, step: .plot, reason: "the levels contain no '\(field.rawValue)'",
                    advice: "use the audio as input")
            }
            return column
        }
        low = content == .meter ? nil : try column(.minimum)
        high = try column(content == .meter ? .meter : .maximum)
        rms = content == .extremesAndRMS ? levels.column(.rms, channel: channel) : nil
    }

    /// Lowest and highest value of a non-empty range of rows.
    func extremes(_ run: LevelLog.Run, _ rows: Range<Int>) -> (low: Float, high: Float) {
        var highest = -Float.infinity
        for value in run.column(high)[rows] { highest = max(highest, value) }
        guard let low else { return (0, highest) }
        var lowest = Float.infinity
        for value in run.column(low)[rows] { lowest = min(lowest, value) }
        return (lowest, highest)
    }
}
