internal import FoundationEssentials
public import WayreelCore

/// Reads a recording of sensor streams line by line, from a file or while a recorder writes it.
///
/// NDJSON has an object in each line. CSV has a header `time,stream,…` whose further columns are components. The
/// first line determines the format. Times are RFC 3339 dates or seconds, of one kind throughout. Samples are
/// returned in the order of the lines, even if time goes backwards. A reader must be used from a single thread.
public final class SensorReader {
    /// The notation of times in the recording; nil before the first sample.
    public private(set) var notation: SensorTime.Notation?
    /// The number of damaged lines that were skipped.
    public private(set) var skipped = 0

    private let lines: LineReader
    private let onDamage: ((MediaError) -> Void)?
    private var format: Format?

    private enum Format {
        case ndjson
        /// The names of all columns.
        case csv([String])
    }

    /// Opens the file at `path`, or standard input for `-`.
    ///
    /// - Parameter onDamage: Is called with the error of each damaged line, which is then skipped. nil: a damaged
    ///   line is an error.
    /// - Throws: An `io` error if the file cannot be read.
    public init(
        _ path: String, cancellation: Cancellation = Cancellation(), onDamage: ((MediaError) -> Void)? = nil
    ) throws(MediaError) {
        lines = try LineReader(path, cancellation: cancellation)
        self.onDamage = onDamage
    }

    /// Whether the next sample is buffered, so that ``next()`` does not block.
    public var hasNext: Bool { lines.hasNext }

    /// Makes a ``next()`` that waits on another thread throw a `cancelled` error.
    func stop() { lines.stop() }

    var cancellation: Cancellation { lines.cancellation }

    /// Returns the next sample, or nil at the end.
    ///
    /// Throws a `decoding` error that names the line if a line is damaged, an `io` error if the input cannot be read,
    /// and a `cancelled` error.
    public func next() throws(MediaError) -> SensorSample? {
        while let line = try lines.next() {
            guard !line.allSatisfy({ $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }) else { continue }
            guard let format else {
                format = line.first == UInt8(ascii: "{") ? .ndjson : .csv(try columns(line))
                if case .csv = format { continue }
                if let sample = try sample(line, .ndjson) { return sample }
                continue
            }
            if let sample = try sample(line, format) { return sample }
        }
        return nil
    }

    private func sample(_ line: ArraySlice<UInt8>, _ format: Format) throws(MediaError) -> SensorSample? {
        do throws(Damage) {
            let (sample, notation) =
                switch format {
                case .ndjson: try Self.decoded(line)
                case .csv(let columns): try Self.row(Self.cells(line), columns)
                }
            try Self.check(sample)
            if let known = self.notation, known != notation {
                throw Damage("has a time in \(notation.unit), others in \(known.unit)")
            }
            self.notation = notation
            return sample
        } catch {
            let fault = lines.fault(
                error.reason, advice: "mend the line, or skip what is damaged with \(OptionName.skipDamaged)")
            guard let onDamage else { throw fault }
            skipped += 1
            onDamage(fault)
            return nil
        }
    }

    private struct Damage: Error {
        var reason: String
        init(_ reason: String) { self.reason = reason }
    }

    private static func check(_ sample: SensorSample) throws(Damage) {
        guard SensorSample.isName(sample.stream) else {
            throw Damage("the stream's name '\(sample.stream)' is not of letters, digits, - and _")
        }
        for name in sample.values.names {
            guard SensorSample.isName(name) else {
                throw Damage("the component's name '\(name)' is not of letters, digits, - and _")
            }
            guard sample.values[name]?.isFinite == true else { throw Damage("\(name) is not a finite number") }
        }
        guard !sample.values.isEmpty else { throw Damage("has no values") }
    }

    // MARK: NDJSON

    private struct Object: Decodable {
        var time: Time
        var stream: String
        var values: [String: Double?]

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
    }

    private static func decoded(
        _ line: ArraySlice<UInt8>
    ) throws(Damage) -> (SensorSample, SensorTime.Notation) {
        let object: Object
        do { object = try JSONDecoder().decode(Object.self, from: Data(line)) } catch {
            throw Damage(reason(error))
        }
        let time: (SensorTime, SensorTime.Notation)? =
            switch object.time {
            case .date(let text): SensorTime(date: text).map { ($0, .date) }
            case .seconds(let seconds): SensorTime(seconds: seconds).map { ($0, .seconds) }
            }
        guard let time else { throw Damage("the time is neither a date of RFC 3339 nor a number of seconds") }
        let values = object.values.lazy.compactMap { name, value in value.map { (name, $0) } }
        return (SensorSample(time.0, stream: object.stream, values: .init(values)), time.1)
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

    // MARK: CSV

    private func columns(_ line: ArraySlice<UInt8>) throws(MediaError) -> [String] {
        let names: [String]
        do throws(Damage) { names = try Self.cells(line) } catch { throw lines.fault(error.reason) }
        guard names.prefix(2) == ["time", "stream"], names.count > 2 else {
            throw lines.fault(
                "is neither a JSON object nor a CSV header 'time,stream,…'",
                advice: "give a recording as NDJSON or CSV")
        }
        for (index, name) in names.enumerated() {
            guard SensorSample.isName(name) else {
                throw lines.fault("the column's name '\(name)' is not of letters, digits, - and _")
            }
            guard !names[..<index].contains(name) else { throw lines.fault("has two columns '\(name)'") }
        }
        return names
    }

    private static func row(
        _ cells: [String], _ columns: [String]
    ) throws(Damage) -> (SensorSample, SensorTime.Notation) {
        guard cells.count == columns.count else {
            throw Damage("has \(cells.count) cells; the header has \(columns.count)")
        }
        guard let (time, notation) = SensorTime.parse(cells[0]) else {
            throw Damage("the time '\(cells[0])' is neither a date of RFC 3339 nor a number of seconds")
        }
        var values = SensorSample.Values([])
        for (name, cell) in zip(columns, cells).dropFirst(2) where !cell.isEmpty {
            guard let value = Double(cell) else { throw Damage("\(name) is '\(cell)', which is not a number") }
            values[name] = value
        }
        return (SensorSample(time, stream: cells[1], values: values), notation)
    }

    /// Returns the cells of a line as in RFC 4180, without surrounding spaces. Within quotation marks, two of them are one.
    private static func cells(_ line: ArraySlice<UInt8>) throws(Damage) -> [String] {
        guard let text = String(validating: line, as: UTF8.self) else { throw Damage("is not UTF-8") }
        var cells = [String.UnicodeScalarView()]
        var isQuoted = false
        // Whether the character before is a quotation mark that ended a quotation.
        var hasJustEnded = false
        for character in text.unicodeScalars {
            switch character {
            case "\"":
                if hasJustEnded { cells[cells.count - 1].append(character) }
                isQuoted.toggle()
            case "," where !isQuoted: cells.append(.init())
            default: cells[cells.count - 1].append(character)
            }
            hasJustEnded = character == "\"" && !isQuoted
        }
        guard !isQuoted else { throw Damage("has a quotation mark without its partner") }
        return cells.map { cell in
            let blank: (Unicode.Scalar) -> Bool = { $0 == " " || $0 == "\t" }
            let start = cell.firstIndex { !blank($0) } ?? cell.endIndex
            return String(String.UnicodeScalarView(cell[start...].reversed().drop(while: blank).reversed()))
        }
    }
}

extension SensorTime.Notation {
    fileprivate var unit: String { self == .date ? "dates" : "seconds" }
}

extension MediaError.Step {
    public static let wait = MediaError.Step(rawValue: "wait")
}

extension OptionName {
    public static let skipDamaged = OptionName(rawValue: "SensorReader.onDamage")

    /// All of this module.
    package static let ofStreams: [OptionName] = [.skipDamaged]
}
