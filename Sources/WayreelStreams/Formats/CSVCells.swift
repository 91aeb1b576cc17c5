internal import WayreelCore

/// The cells of a line as in RFC 4180, without surrounding blanks. Within quotation marks, two of them are one.
struct CSVCells {
    let separator: UInt8
    /// The bounds of the cells in the line or, if it has quotation marks, in ``unquoted``.
    private(set) var bounds: [Range<Int>] = []
    private(set) var unquoted: [UInt8] = []
    private(set) var isQuoted = false

    init(separator: UInt8) { self.separator = separator }

    /// The separator of a header: a tab or a semicolon if it has one outside of quotation marks, else a comma.
    static func separator(of header: Span<UInt8>) -> UInt8 {
        var (isQuoted, hasSemicolon) = (false, false)
        for index in header.indices {
            switch header[index] {
            case UInt8(ascii: "\""): isQuoted.toggle()
            case UInt8(ascii: "\t") where !isQuoted: return UInt8(ascii: "\t")
            case UInt8(ascii: ";") where !isQuoted: hasSemicolon = true
            default: break
            }
        }
        return UInt8(ascii: hasSemicolon ? ";" : ",")
    }

    mutating func split(_ line: Span<UInt8>) throws(LineDamage) {
        bounds.removeAll(keepingCapacity: true)
        isQuoted = false
        var start = 0
        for index in line.indices {
            let byte = line[index]
            if byte == separator {
                bounds.append(Self.trimmed(line, start, index))
                start = index + 1
            } else if byte == UInt8(ascii: "\"") {
                return try splitQuoted(line)
            }
        }
        bounds.append(Self.trimmed(line, start, line.count))
    }

    private mutating func splitQuoted(_ line: Span<UInt8>) throws(LineDamage) {
        bounds.removeAll(keepingCapacity: true)
        unquoted.removeAll(keepingCapacity: true)
        isQuoted = true
        var (isInside, hasJustEnded, start) = (false, false, 0)
        for index in line.indices {
            let byte = line[index]
            switch byte {
            case UInt8(ascii: "\""):
                if hasJustEnded { unquoted.append(byte) }
                isInside.toggle()
            case separator where !isInside:
                bounds.append(Self.trimmed(unquoted.span, start, unquoted.count))
                start = unquoted.count
            default: unquoted.append(byte)
            }
            hasJustEnded = byte == UInt8(ascii: "\"") && !isInside
        }
        guard !isInside else { throw LineDamage("has a quotation mark without its partner") }
        bounds.append(Self.trimmed(unquoted.span, start, unquoted.count))
    }

    static func trimmed(_ bytes: Span<UInt8>, _ start: Int, _ end: Int) -> Range<Int> {
        var (start, end) = (start, end)
        while start < end, isBlank(bytes[start]) { start += 1 }
        while start < end, isBlank(bytes[end - 1]) { end -= 1 }
        return start..<end
    }

    @inline(__always)
    static func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }

    /// The texts of the cells of a line.
    static func texts(_ line: Span<UInt8>, separator: UInt8) throws(LineDamage) -> [String] {
        guard line.withUnsafeBufferPointer({ String(validating: $0, as: UTF8.self) }) != nil else {
            throw LineDamage("is not UTF-8")
        }
        var cells = CSVCells(separator: separator)
        try cells.split(line)
        let unquoted = cells.unquoted
        let bytes = cells.isQuoted ? unquoted.span : line
        var texts: [String] = []
        for cell in cells.bounds { texts.append(bytes.text(cell.lowerBound, cell.upperBound)) }
        return texts
    }
}

/// Reads the time of a row.
struct CSVTime {
    /// The unit of times that are numbers.
    enum Unit {
        case seconds, milliseconds, microseconds, nanoseconds
        /// Seconds, or a smaller unit if the first number would else be after the year 5000.
        case unknown

        var perSecond: Double {
            switch self {
            case .seconds, .unknown: 1
            case .milliseconds: 1e3
            case .microseconds: 1e6
            case .nanoseconds: 1e9
            }
        }
    }

    var unit: Unit
    /// Whether a date without a zone is one, in UTC.
    var readsLocal = false
    var decimals = Decimals()
    /// Whether the numbers are times since 1970, by their size.
    private(set) var isDated = false
    private var scanner = TimeScanner()

    init(_ unit: Unit, readsLocal: Bool = false, comma: UInt8 = 0) {
        (self.unit, self.readsLocal, decimals.comma) = (unit, readsLocal, comma)
    }

    /// Reads the time from `start` to `end`. Throws if there is none.
    @inline(__always)
    mutating func read(
        _ bytes: Span<UInt8>, _ start: Int, _ end: Int
    ) throws(LineDamage) -> (SensorTime, SensorTime.Notation) {
        var index = start
        if let scanned = decimals.scan(bytes, &index, end), index == end, let time = number(scanned) {
            return (time, .seconds)
        }
        return try other(bytes, start, end)
    }

    @inline(__always)
    private mutating func number(_ scanned: Decimals.Scanned) -> SensorTime? {
        guard let value = Decimals.value(scanned) else { return nil }
        if unit == .seconds { return SensorTime(seconds: value) }
        return scaled(scanned, value)
    }

    private mutating func scaled(_ scanned: Decimals.Scanned, _ value: Double) -> SensorTime? {
        if unit == .unknown {
            unit =
                switch value.magnitude {
                case 1e17...: .nanoseconds
                case 1e14...: .microseconds
                case 1e11...: .milliseconds
                default: .seconds
                }
            isDated = unit != .seconds
        }
        // Nanoseconds since 1970 have more digits than a double.
        if unit == .nanoseconds, scanned.exponent == 0, scanned.digits < 1 << 62 {
            let whole = Int64((scanned.digits + 500) / 1000)
            return SensorTime(microseconds: scanned.isNegative ? -whole : whole)
        }
        // Years that dates have.
        let seconds = value / unit.perSecond
        guard unit == .seconds || (-62_135_596_800..<253_402_300_800).contains(seconds) else { return nil }
        return SensorTime(seconds: seconds)
    }

    private mutating func other(
        _ bytes: Span<UInt8>, _ start: Int, _ end: Int
    ) throws(LineDamage) -> (SensorTime, SensorTime.Notation) {
        if let time = scanner.date(bytes, start, end, isUTC: readsLocal) { return (time, .date) }
        if let value = decimals.number(bytes, start, end), let time = SensorTime(seconds: value),
            unit == .seconds || unit == .unknown
        {
            return (time, .seconds)
        }
        throw LineDamage(
            "the time '\(bytes.text(start, end))' is neither a date of RFC 3339 nor a number of seconds up to 10¹²")
    }
}

/// Reads the rows of a table that has the name of a stream in each: a header `time,stream,…`, whose other columns are
/// components. An empty cell is a component that the sample has not.
struct TidyRows: RowFormat {
    private var cells: CSVCells
    private var time: CSVTime
    private let timeColumn: Int
    private let streamColumn: Int
    /// The names of the columns that are components.
    private let names: [String?]
    /// Sensor Logger's table of all sensors, whose cells may be texts, and whose times are dates.
    private let isLogged: Bool
    /// The channels by stream and column; -1 for those that have not occurred.
    private var channels: [[Int]] = []
    private var lastStream = 0

    init(_ names: [String]) {
        cells = CSVCells(separator: UInt8(ascii: ","))
        time = CSVTime(.seconds)
        (timeColumn, streamColumn, isLogged) = (0, 1, false)
        self.names = [nil, nil] + names.dropFirst(2).map(Optional.init)
    }

    /// The table in which Sensor Logger writes all sensors.
    init(logged names: [String]) {
        cells = CSVCells(separator: UInt8(ascii: ","))
        time = CSVTime(.nanoseconds)
        streamColumn = 0
        timeColumn = names.firstIndex(of: "time") ?? 1
        isLogged = true
        self.names = names.enumerated().map { index, name in
            index == 0 || ["time", "seconds_elapsed"].contains(name) ? nil : SensorLogger.component(name)
        }
    }

    mutating func read(
        _ line: Span<UInt8>, into row: inout SampleRow, _ table: inout ChannelTable, _ head: inout RecordingHead
    ) throws(LineDamage) -> Bool {
        try cells.split(line)
        guard cells.bounds.count == names.count else {
            throw LineDamage("has \(cells.bounds.count) cells; the header has \(names.count)")
        }
        let unquoted = cells.unquoted
        return try read(cells.isQuoted ? unquoted.span : line, cells.bounds, into: &row, &table, &head)
    }

    private mutating func read(
        _ bytes: Span<UInt8>, _ bounds: [Range<Int>], into row: inout SampleRow, _ table: inout ChannelTable,
        _ head: inout RecordingHead
    ) throws(LineDamage) -> Bool {
        let when = bounds[timeColumn]
        (row.time, row.notation) = try time.read(bytes, when.lowerBound, when.upperBound)
        let name = bounds[streamColumn]
        if isLogged {
            row.notation = .date
            let sensor = bytes.text(name.lowerBound, name.upperBound)
            if sensor == "Annotation" { return try mark(bytes, bounds, row, &head) }
            let stream = Array(SensorLogger.stream(sensor).utf8)
            row.stream = try table.stream(stream.span, 0, stream.count, guess: lastStream)
        } else {
            row.stream = try table.stream(bytes, name.lowerBound, name.upperBound, guess: lastStream)
        }
        lastStream = row.stream
        while channels.count <= row.stream { channels.append(Array(repeating: -1, count: names.count)) }
        for (column, cell) in bounds.enumerated() where !cell.isEmpty {
            guard let component = names[column] else { continue }
            guard let value = time.decimals.number(bytes, cell.lowerBound, cell.upperBound) else {
                if isLogged { continue }
                let text = bytes.text(cell.lowerBound, cell.upperBound)
                throw LineDamage("\(component) is '\(text)', which is not a number")
            }
            guard value.isFinite else {
                if isLogged { continue }
                throw LineDamage("\(component) is not a finite number")
            }
            var channel = channels[row.stream][column]
            if channel < 0 {
                channel = try table.channel(row.stream, component)
                channels[row.stream][column] = channel
            }
            row.channels.append(channel)
            row.values.append(value)
        }
        guard !row.values.isEmpty else {
            if isLogged { return false }
            throw LineDamage("has no values")
        }
        return true
    }

    private func mark(
        _ bytes: Span<UInt8>, _ bounds: [Range<Int>], _ row: SampleRow, _ head: inout RecordingHead
    ) throws(LineDamage) -> Bool {
        guard let column = names.firstIndex(of: "text") else { return false }
        try head.agree(.date)
        try head.add(SensorMark(row.time, text: bytes.text(bounds[column].lowerBound, bounds[column].upperBound)))
        return false
    }
}
