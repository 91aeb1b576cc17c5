internal import FoundationEssentials
internal import WayreelCore

/// Reads lines of NDJSON: samples, heads and marks.
///
///     {"format":"wayreel-recording","version":1,"units":{"ecg.ii":"mV"},"credit":"PTB Diagnostic ECG Database"}
///     {"time":12.5,"stream":"ecg","values":{"ii":0.25}}
///     {"time":12.5,"seconds":0.4,"mark":"ectopic beat","channel":"ecg.ii"}
///
/// Samples as recorders write them are scanned here. All other lines are read by `JSONDecoder`, whose verdict is the same
/// for both.
struct NDJSONRows: RowFormat {
    /// Without it, every line is read by `JSONDecoder`.
    var isFast = true
    private let decimals = Decimals()
    private var times = TimeScanner()
    private var lastStream = 0
    /// The number of the last row that had a value of each channel, also one that was null.
    private var rowOfChannel: [Int] = []
    private var number = 0

    static let (markLimit, markByteLimit) = (100_000, 64 << 20)

    init(isFast: Bool = true) { self.isFast = isFast }

    mutating func read(
        _ line: Span<UInt8>, into row: inout SampleRow, _ table: inout ChannelTable, _ head: inout RecordingHead
    ) throws(LineDamage) -> Bool {
        if isFast, try scan(line, into: &row, &table), !row.values.isEmpty { return true }
        row.removeValues()
        return try decode(line, into: &row, &table, &head)
    }

    // MARK: The usual shape

    /// Reads a sample in its usual shape. Returns false for all other lines.
    private mutating func scan(
        _ line: Span<UInt8>, into row: inout SampleRow, _ table: inout ChannelTable
    ) throws(LineDamage) -> Bool {
        var index = 0
        let end = line.count
        number += 1
        var (hasTime, hasStream) = (false, false)
        var values: Range<Int>?
        guard Self.take("{", line, &index) else { return false }
        repeat {
            guard let key = Self.quoted(line, &index), Self.take(":", line, &index) else { return false }
            Self.skipBlanks(line, &index)
            if line.matches(Self.timeKey, key.lowerBound, key.upperBound), !hasTime {
                guard scanTime(line, &index, end, &row) else { return false }
                hasTime = true
            } else if line.matches(Self.streamKey, key.lowerBound, key.upperBound), !hasStream {
                guard let name = Self.quoted(line, &index), !name.isEmpty else { return false }
                row.stream = try table.stream(line, name.lowerBound, name.upperBound, guess: lastStream)
                hasStream = true
            } else if line.matches(Self.valuesKey, key.lowerBound, key.upperBound), values == nil {
                // The stream may follow.
                let start = index
                while index < end, line[index] != UInt8(ascii: "}") { index += 1 }
                guard index < end else { return false }
                index += 1
                values = start..<index
            } else {
                return false
            }
        } while Self.take(",", line, &index)
        guard hasTime, hasStream, let values, Self.take("}", line, &index) else { return false }
        Self.skipBlanks(line, &index)
        guard index == end else { return false }
        lastStream = row.stream
        return try scanValues(line, values, into: &row, &table)
    }

    private mutating func scanTime(
        _ line: Span<UInt8>, _ index: inout Int, _ end: Int, _ row: inout SampleRow
    ) -> Bool {
        if index < end, line[index] == UInt8(ascii: "\"") {
            guard let text = Self.quoted(line, &index),
                let time = times.date(line, text.lowerBound, text.upperBound)
            else { return false }
            (row.time, row.notation) = (time, .date)
            return true
        }
        guard let number = decimals.scan(line, &index, end).flatMap(Decimals.value),
            let time = SensorTime(seconds: number)
        else { return false }
        (row.time, row.notation) = (time, .seconds)
        return true
    }

    private mutating func scanValues(
        _ line: Span<UInt8>, _ range: Range<Int>, into row: inout SampleRow, _ table: inout ChannelTable
    ) throws(LineDamage) -> Bool {
        var index = range.lowerBound
        var position = 0
        guard Self.take("{", line, &index) else { return false }
        repeat {
            guard let key = Self.quoted(line, &index), Self.take(":", line, &index) else { return false }
            Self.skipBlanks(line, &index)
            guard let value = decimals.scan(line, &index, range.upperBound).flatMap(Decimals.value) else {
                return false
            }
            let channel = try table.channel(row.stream, line, key.lowerBound, key.upperBound, guess: position)
            while rowOfChannel.count <= channel { rowOfChannel.append(0) }
            // Of two equal names, JSONDecoder decides.
            guard rowOfChannel[channel] != number else { return false }
            rowOfChannel[channel] = number
            row.channels.append(channel)
            row.values.append(value)
            position += 1
        } while Self.take(",", line, &index)
        return Self.take("}", line, &index) && index == range.upperBound
    }

    private static let (timeKey, streamKey, valuesKey) = (
        Array("time".utf8), Array("stream".utf8), Array("values".utf8)
    )

    @inline(__always)
    private static func skipBlanks(_ line: Span<UInt8>, _ index: inout Int) {
        while index < line.count, CSVCells.isBlank(line[index]) { index += 1 }
    }

    @inline(__always)
    private static func take(_ character: Unicode.Scalar, _ line: Span<UInt8>, _ index: inout Int) -> Bool {
        skipBlanks(line, &index)
        guard index < line.count, line[index] == UInt8(ascii: character) else { return false }
        index += 1
        return true
    }

    /// Reads a string of ASCII without escapes.
    @inline(__always)
    private static func quoted(_ line: Span<UInt8>, _ index: inout Int) -> Range<Int>? {
        guard take("\"", line, &index) else { return nil }
        let start = index
        while index < line.count, case let byte = line[index], byte != UInt8(ascii: "\"") {
            guard byte >= 0x20, byte < 0x7F, byte != UInt8(ascii: "\\") else { return nil }
            index += 1
        }
        guard index < line.count else { return nil }
        index += 1
        return start..<index - 1
    }

    // MARK: All others

    private struct Object: Decodable {
        var time: Time?
        var stream: String?
        var values: [String: Double?]?
        var format: String?
        var version: Int?
        var units: [String: String]?
        var title: String?
        var credit: String?
        var mark: String?
        var seconds: Double?
        var channel: String?

        enum Time: Decodable {
            case date(String)
            case seconds(Double)

            init(from decoder: any Decoder) throws {
                let container = try decoder.singleValueContainer()
                if let text = try? container.decode(String.self) {
                    self = .date(text)
                } else {
                    self = .seconds(try container.decode(Double.self))
                }
            }
        }

        private enum Key: String, CodingKey {
            case time, stream, values, format, version, units, title, credit, mark, seconds, channel
        }

        /// Other members than those of the line's kind are ignored, whatever they are.
        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Key.self)
            if container.contains(.mark), !container.contains(.values) {
                mark = try container.decode(String.self, forKey: .mark)
                time = try container.decode(Time.self, forKey: .time)
                seconds = try container.decodeIfPresent(Double.self, forKey: .seconds)
                channel = try container.decodeIfPresent(String.self, forKey: .channel)
            } else if container.contains(.format), !container.contains(.values) {
                format = try container.decode(String.self, forKey: .format)
                version = try container.decodeIfPresent(Int.self, forKey: .version)
                units = try container.decodeIfPresent([String: String].self, forKey: .units)
                title = try container.decodeIfPresent(String.self, forKey: .title)
                credit = try container.decodeIfPresent(String.self, forKey: .credit)
            } else {
                time = try container.decode(Time.self, forKey: .time)
                stream = try container.decode(String.self, forKey: .stream)
                values = try container.decode([String: Double?].self, forKey: .values)
            }
        }
    }

    private mutating func decode(
        _ line: Span<UInt8>, into row: inout SampleRow, _ table: inout ChannelTable, _ head: inout RecordingHead
    ) throws(LineDamage) -> Bool {
        let object: Object
        do { object = try line.withUnsafeBufferPointer { try JSONDecoder().decode(Object.self, from: Data($0)) } } catch
        {
            throw LineDamage(Self.reason(error))
        }
        if let format = object.format {
            try Self.read(object, format, &table, &head)
            return false
        }
        let time: (SensorTime, SensorTime.Notation)? =
            switch object.time {
            case .date(let text): SensorTime(date: text).map { ($0, .date) }
            case .seconds(let seconds): SensorTime(seconds: seconds).map { ($0, .seconds) }
            case nil: nil
            }
        guard let time else {
            throw LineDamage("the time is neither a date of RFC 3339 nor a number of seconds up to 10¹²")
        }
        (row.time, row.notation) = time
        if let text = object.mark {
            try head.agree(row.notation)
            try head.add(
                SensorMark(row.time, seconds: object.seconds ?? 0, text: text, channel: object.channel))
            return false
        }
        let stream = Array((object.stream ?? "").utf8)
        row.stream = try table.stream(stream.span, 0, stream.count, guess: 0)
        for (name, value) in (object.values ?? [:]).sorted(by: { $0.key < $1.key }) {
            guard SensorSample.isName(name) else {
                throw LineDamage("the component's name '\(name)' is not of letters, digits, - and _")
            }
            guard let value else { continue }
            guard value.isFinite else { throw LineDamage("\(name) is not a finite number") }
            row.channels.append(try table.channel(row.stream, name))
            row.values.append(value)
        }
        guard !row.values.isEmpty else { throw LineDamage("has no values") }
        return true
    }

    private static func read(
        _ object: Object, _ format: String, _ table: inout ChannelTable, _ head: inout RecordingHead
    ) throws(LineDamage) {
        guard format == SensorWriter.formatName else {
            throw LineDamage("is of the format '\(format)', which is not '\(SensorWriter.formatName)'")
        }
        guard (object.version ?? 1) == 1 else {
            throw LineDamage("is of version \(object.version ?? 1), which is not 1")
        }
        try table.set(object.units ?? [:])
        head.units.merge(object.units ?? [:]) { $1 }
        head.title = object.title ?? head.title
        head.credit = object.credit ?? head.credit
    }

    private static func reason(_ error: any Error) -> String {
        let shape = "{\"time\": …, \"stream\": \"…\", \"values\": {…}}"
        return switch error as? DecodingError {
        case .keyNotFound(let key, _): "has no \"\(key.stringValue)\""
        case .typeMismatch(_, let context), .valueNotFound(_, let context):
            if let key = context.codingPath.last {
                "\"\(key.stringValue)\" is of the wrong type"
            } else {
                "is not an object \(shape)"
            }
        default: "is not a JSON object \(shape)"
        }
    }
}

extension RecordingHead {
    /// Adds a mark, which has to last 0 to 10⁹ seconds.
    mutating func add(_ mark: SensorMark) throws(LineDamage) {
        guard (0...1e9).contains(mark.seconds) else { throw LineDamage("a mark lasts \(mark.seconds) seconds") }
        guard marks.count < NDJSONRows.markLimit else {
            throw LineDamage("is the first of more than \(NDJSONRows.markLimit) marks")
        }
        guard mark.textBytes <= NDJSONRows.markByteLimit - markBytes else {
            throw LineDamage("is the first mark after \(NDJSONRows.markByteLimit) bytes of their texts")
        }
        markBytes += mark.textBytes
        marks.append(mark)
    }
}
