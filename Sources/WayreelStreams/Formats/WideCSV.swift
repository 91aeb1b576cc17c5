internal import WayreelCore

/// The columns of a table that has a time and the values of all channels in each row.
struct WideLayout {
    var separator = UInt8(ascii: ",")
    var timeColumn = 0
    var timeUnit = CSVTime.Unit.unknown
    /// The channel of each column; nil for the time, and for columns that are passed over.
    var columns: [Int?] = []
    var channels: [SensorChannel] = []
    /// The column with the texts of marks, of a table that has no values.
    var markColumn: Int?
    /// Whether a cell that is no number is no damage, and a number below zero no value for these columns.
    var hasTexts = false
    var unsigned: Set<Int> = []
    /// Whether numbers are times since 1970.
    var isDated = false
}

/// A table that has a time and the values of all channels in each row. An empty cell and NaN are no sample.
final class WideRecording: RecordingSource {
    private let lines: RecordingLines
    private let channels: [SensorChannel]
    private var rows: WideRows

    init(_ lines: RecordingLines, _ layout: WideLayout) {
        (self.lines, channels, rows) = (lines, layout.channels, WideRows(layout))
    }

    var head: RecordingHead {
        var head = rows.head
        head.channels = channels
        head.skipped = lines.skipped
        return head
    }

    var hasNext: Bool { lines.hasNext }

    func read(into sink: inout some SampleSink) throws(MediaError) -> Bool {
        rows.removeAll()
        var hasRead = false
        repeat {
            let isRow = try lines.read { (line) throws(LineDamage) -> Bool in try rows.read(line) }
            guard isRow != nil else { break }
            hasRead = true
        } while !rows.isFull && lines.hasNext
        for channel in channels.indices { rows.pass(channel, to: &sink) }
        return hasRead
    }
}

/// The rows of a piece.
private struct WideRows {
    private(set) var head = RecordingHead()
    private let layout: WideLayout
    /// The channel of each column; -1 for none.
    private let columns: [Int]
    private var cells: CSVCells
    private var time: CSVTime
    private let decimals: Decimals

    /// The times, and the values, which follow each other by channel. NaN is no sample.
    private var times: [Int64] = []
    private var values: [Double]
    private var hasGaps: [Bool]
    private let batch: Int

    init(_ layout: WideLayout) {
        self.layout = layout
        columns = layout.columns.map { $0 ?? -1 }
        cells = CSVCells(separator: layout.separator)
        let comma: UInt8 = layout.separator == UInt8(ascii: ",") ? 0 : UInt8(ascii: ",")
        decimals = Decimals(comma: comma)
        time = CSVTime(layout.timeUnit, readsLocal: true, comma: comma)
        // At most 16 MiB.
        batch = max(1, min(4096, (1 << 21) / max(1, layout.channels.count)))
        values = Array(repeating: 0, count: batch * layout.channels.count)
        hasGaps = Array(repeating: false, count: layout.channels.count)
    }

    var isFull: Bool { times.count >= batch }

    mutating func removeAll() {
        times.removeAll(keepingCapacity: true)
        for index in hasGaps.indices { hasGaps[index] = false }
    }

    func pass(_ channel: Int, to sink: inout some SampleSink) {
        let begin = channel * batch
        guard !times.isEmpty else { return }
        guard hasGaps[channel] else {
            return sink.add(
                channel, times: times.span, values: values.span.extracting(begin..<begin + times.count))
        }
        var (kept, numbers): ([Int64], [Double]) = ([], [])
        for (index, time) in times.enumerated() where !values[begin + index].isNaN {
            kept.append(time)
            numbers.append(values[begin + index])
        }
        if !kept.isEmpty { sink.add(channel, times: kept.span, values: numbers.span) }
    }

    /// Reads a row. Nothing of a damaged one stays.
    mutating func read(_ line: Span<UInt8>) throws(LineDamage) -> Bool {
        let row = times.count
        var (index, column) = (0, 0)
        let (end, separator, hasUnsigned) = (line.count, layout.separator, !layout.unsigned.isEmpty)
        var when: (SensorTime, SensorTime.Notation)?
        while true {
            let start = index
            var isPlain = false
            let channel = column < columns.count ? columns[column] : -1
            if channel >= 0, let scanned = decimals.scan(line, &index, end), index == end || line[index] == separator,
                let value = Decimals.value(scanned), value >= 0 || !hasUnsigned || !layout.unsigned.contains(channel)
            {
                values[channel * batch + row] = value
                isPlain = true
            }
            if !isPlain {
                index = start
                while index < end, line[index] != separator {
                    guard line[index] != UInt8(ascii: "\"") else { return try quotedRow(line) }
                    index += 1
                }
                if let time = try cell(line, start, index, column, row) { when = time }
            }
            column += 1
            guard index < end else { break }
            index += 1
        }
        return try finish(column, when)
    }

    /// Reads a row with quotation marks.
    private mutating func quotedRow(_ line: Span<UInt8>) throws(LineDamage) -> Bool {
        try cells.split(line)
        let (bytes, bounds, row) = (cells.unquoted, cells.bounds, times.count)
        var when: (SensorTime, SensorTime.Notation)?
        for (column, cell) in bounds.enumerated() {
            if let time = try self.cell(bytes.span, cell.lowerBound, cell.upperBound, column, row) { when = time }
        }
        return try finish(bounds.count, when)
    }

    private mutating func finish(_ count: Int, _ when: (SensorTime, SensorTime.Notation)?) throws(LineDamage) -> Bool {
        guard count == columns.count else {
            throw LineDamage("has \(count) cells; the header has \(columns.count)")
        }
        // The column of the time is one of them; a row without a time has no sample.
        guard let (moment, notation) = when else { return false }
        try head.agree(layout.isDated || time.isDated ? .date : notation)
        times.append(moment.microseconds)
        return true
    }

    /// Reads any cell, and returns the time if it is that.
    private mutating func cell(
        _ line: Span<UInt8>, _ start: Int, _ end: Int, _ column: Int, _ row: Int
    ) throws(LineDamage) -> (SensorTime, SensorTime.Notation)? {
        let cell = CSVCells.trimmed(line, start, end)
        let (start, end) = (cell.lowerBound, cell.upperBound)
        if column == layout.timeColumn {
            // phyphox fills columns that are shorter than others, also that of the time.
            let mayBeNaN = end - start == 3 && line[start] | 0x20 == UInt8(ascii: "n")
            if mayBeNaN, decimals.number(line, start, end)?.isNaN ?? false { return nil }
            return try time.read(line, start, end)
        }
        guard column < columns.count, columns[column] >= 0 else { return nil }
        let channel = columns[column]
        var value = start == end ? Double.nan : decimals.number(line, start, end)
        if layout.hasTexts, value?.isInfinite ?? true { value = .nan }
        let name = layout.channels[channel].name
        guard var value else {
            throw LineDamage("\(name) is '\(line.text(start, end))', which is not a number")
        }
        guard !value.isInfinite else { throw LineDamage("\(name) is not a finite number") }
        if layout.unsigned.contains(channel), value < 0 { value = .nan }
        if value.isNaN { hasGaps[channel] = true }
        values[channel * batch + row] = value
        return nil
    }
}

/// A table of marks: times and texts.
struct MarkRows: RowFormat {
    private var cells: CSVCells
    private var time: CSVTime
    private let layout: WideLayout
    private let markColumn: Int

    init(_ layout: WideLayout, _ markColumn: Int) {
        cells = CSVCells(separator: layout.separator)
        time = CSVTime(layout.timeUnit, readsLocal: true)
        (self.layout, self.markColumn) = (layout, markColumn)
    }

    mutating func read(
        _ line: Span<UInt8>, into row: inout SampleRow, _ table: inout ChannelTable, _ head: inout RecordingHead
    ) throws(LineDamage) -> Bool {
        try cells.split(line)
        guard cells.bounds.count == layout.columns.count else {
            throw LineDamage("has \(cells.bounds.count) cells; the header has \(layout.columns.count)")
        }
        let unquoted = cells.unquoted
        let bytes = cells.isQuoted ? unquoted.span : line
        let (when, text) = (cells.bounds[layout.timeColumn], cells.bounds[markColumn])
        let (moment, notation) = try time.read(bytes, when.lowerBound, when.upperBound)
        try head.agree(layout.isDated ? .date : notation)
        try head.add(SensorMark(moment, text: bytes.text(text.lowerBound, text.upperBound)))
        return false
    }
}
