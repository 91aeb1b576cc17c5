internal import WayreelCore
public import WayreelEngine
internal import WayreelStory

/// A measurement of a sensor at one moment: one or more named values.
///
///     SensorSample(time, stream: "heading", values: ["degrees": 271.5, "accuracy": 10])
public struct SensorSample: Hashable, Sendable {
    public var time: SensorTime
    /// The name of the stream: letters, digits, `-` and `_`.
    public var stream: String
    public var values: Values

    public init(_ time: SensorTime, stream: String, values: Values) {
        self.time = time
        self.stream = stream
        self.values = values
    }

    /// Finite numbers by component name, sorted by name.
    public struct Values: Hashable, Sendable, ExpressibleByDictionaryLiteral {
        public private(set) var names: [String] = []
        private var numbers: [Double] = []

        /// If two values have the same component, the last one is used.
        public init(_ values: some Sequence<(String, Double)>) {
            for (name, value) in values { self[name] = value }
        }

        public init(dictionaryLiteral values: (String, Double)...) { self.init(values) }

        public var isEmpty: Bool { names.isEmpty }
        var areFinite: Bool { numbers.allSatisfy(\.isFinite) }

        /// The value at an index of ``names``.
        subscript(index: Int) -> Double {
            get { numbers[index] }
            set { numbers[index] = newValue }
        }

        public subscript(name: String) -> Double? {
            get { names.firstIndex(of: name).map { numbers[$0] } }
            set {
                let index = names.firstIndex { $0 >= name } ?? names.count
                let isThere = index < names.count && names[index] == name
                switch newValue {
                case let value? where isThere: numbers[index] = value
                case let value?:
                    names.insert(name, at: index)
                    numbers.insert(value, at: index)
                case nil where isThere:
                    names.remove(at: index)
                    numbers.remove(at: index)
                case nil: break
                }
            }
        }
    }

    /// Whether the name is valid for a stream or a component.
    package static func isName(_ name: some StringProtocol) -> Bool {
        (1...64).contains(name.utf8.count)
            && name.utf8.allSatisfy { byte in
                switch UInt8(byte) {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
                    true
                default: false
                }
            }
    }
}

extension PlaybackInput {
    /// Converts a sample of the stream `position` (`latitude`, `longitude`, and if known `altitude`, `accuracy`,
    /// `speed`, `course`) to a fix, and a sample of the stream `heading` (`degrees`, and if known `accuracy`) to a
    /// heading. Returns nil for other samples.
    public init?(_ sample: SensorSample) {
        let values = sample.values
        switch sample.stream {
        case "position":
            guard let latitude = values["latitude"], let longitude = values["longitude"] else { return nil }
            let position = GeoPoint(latitude: latitude, longitude: longitude, altitude: values["altitude"])
            self = .fix(
                Fix(
                    position, accuracy: values["accuracy"], speed: values["speed"], course: values["course"],
                    timestamp: sample.time.timestamp))
        case "heading":
            guard let degrees = values["degrees"] else { return nil }
            self = .heading(
                Heading(
                    degrees: degrees.asCompassDegrees, accuracy: values["accuracy"], timestamp: sample.time.timestamp))
        default: return nil
        }
    }
}

/// A point in time of a sensor recording, in whole microseconds since 1970-01-01 in UTC or, if the recorder did not
/// know the date, since an arbitrary start.
public struct SensorTime: Hashable, Sendable, Comparable {
    /// The notation of times in a recording.
    public enum Notation: String, Sendable, Codable {
        /// RFC 3339, in UTC.
        case date
        /// A number of seconds.
        case seconds
    }

    public var microseconds: Int64

    public init(microseconds: Int64) { self.microseconds = microseconds }

    /// Rounds to the nearest microsecond. Returns nil for more than 10¹² seconds, or if the value is not a number.
    public init?(seconds: Double) {
        guard seconds.magnitude <= 1e12 else { return nil }
        microseconds = Int64((seconds * 1e6).rounded())
    }

    /// Whether a recording can have the time: up to 10¹² seconds, and as a date those of the years 1 to 9999.
    package func isOfRecordings(_ notation: Notation) -> Bool {
        switch notation {
        case .date: Timestamp.range.contains(timestamp)
        case .seconds: microseconds.magnitude <= 1_000_000_000_000_000_000
        }
    }

    /// The date, by a clock that never goes back.
    package static var now: SensorTime { SensorTime(microseconds: Int64(Clock.epochMilliseconds * 1000)) }

    public static func < (a: Self, b: Self) -> Bool { a.microseconds < b.microseconds }

    /// Returns the seconds from an earlier time to this one.
    public func seconds(since other: SensorTime) -> Double {
        let (difference, overflows) = microseconds.subtractingReportingOverflow(other.microseconds)
        return (overflows ? Double(microseconds) - Double(other.microseconds) : Double(difference)) / 1e6
    }

    /// Returns the microseconds from this time to another, at most those of `Int64`.
    func microseconds(until other: SensorTime) -> Int64 {
        let (difference, overflows) = other.microseconds.subtractingReportingOverflow(microseconds)
        return overflows ? (other > self ? .max : .min) : difference
    }

    /// Returns the time some seconds later, rounded to the microsecond, within the times that there are.
    func advanced(by seconds: Double) -> SensorTime {
        let offset = (seconds * 1e6).rounded()
        let sum = Double(microseconds) + offset
        guard offset.magnitude < 9e18, sum.magnitude < 9e18 else {
            return SensorTime(microseconds: sum < 0 ? .min / 2 : .max / 2)
        }
        return SensorTime(microseconds: microseconds + Int64(offset))
    }

    /// The time rounded down to milliseconds.
    public var timestamp: Timestamp {
        let (whole, rest) = microseconds.quotientAndRemainder(dividingBy: 1000)
        return Timestamp(milliseconds: rest < 0 ? whole - 1 : whole)
    }
}

extension SensorTime {
    /// Parses a date and time of RFC 3339, with up to six digits of the fraction.
    package init?(date text: some StringProtocol) {
        guard let timestamp = Timestamp(text) else { return nil }
        let fraction = text.utf8.drop { $0 != UInt8(ascii: ".") }.dropFirst().prefix { (0x30...0x39).contains($0) }
        let rest = fraction.dropFirst(3).prefix(3).map { Int64($0) - 0x30 }
        microseconds =
            timestamp.milliseconds * 1000 + zip(rest, [100, 10, 1]).reduce(0) { $0 + $1.0 * $1.1 }
    }

    /// Parses a cell of a table: a number of seconds or a date.
    package static func parse(_ text: some StringProtocol) -> (SensorTime, Notation)? {
        if let date = SensorTime(date: text) { return (date, .date) }
        return DecimalNumber.value(text).flatMap(SensorTime.init(seconds:)).map { ($0, .seconds) }
    }

    /// Returns the time as text: `2026-11-23T17:05:09.250125Z` or `12.000125`.
    public func text(_ notation: Notation) -> String {
        switch notation {
        case .date:
            let rest = microseconds - timestamp.milliseconds * 1000
            let text = timestamp.description
            guard rest != 0 else { return text }
            let milliseconds = text.contains(".") ? String(text.dropLast()) : "\(text.dropLast()).000"
            return milliseconds + String(rest, paddedTo: 3) + "Z"
        case .seconds:
            let (whole, rest) = microseconds.magnitude.quotientAndRemainder(dividingBy: 1_000_000)
            var fraction = String(rest, paddedTo: 6)[...]
            while fraction.last == "0" { fraction = fraction.dropLast() }
            return (microseconds < 0 ? "-" : "") + "\(whole)" + (fraction.isEmpty ? "" : ".\(fraction)")
        }
    }
}

/// The file formats of sensor recordings.
public enum SensorFormat: String, Sendable, Codable, CaseIterable {
    /// One object per line: `{"time":12.5,"stream":"heading","values":{"accuracy":10,"degrees":271.5}}`.
    case ndjson
    /// A header `time,stream,…` with the names of all components. A missing component is an empty cell.
    case csv

    /// Determines the format by the file extension: `.ndjson`, `.jsonl`, `.csv`; NDJSON for `-`.
    public init?(path: String) {
        let ending = path.split(separator: ".").last.map { $0.lowercased() }
        switch ending {
        case _ where path == "-": self = .ndjson
        case "ndjson", "jsonl": self = .ndjson
        case "csv": self = .csv
        default: return nil
        }
    }
}

/// Formats the lines of a recording.
public struct SensorWriter: Sendable {
    /// What the first line of NDJSON may say that it is.
    static let formatName = "wayreel-recording"

    private let components: [String]?

    /// `components`: the components of all streams, which CSV needs; not used for NDJSON.
    public init(_ format: SensorFormat, components: [String] = []) {
        self.components = format == .csv ? components : nil
    }

    /// The header line; nil for NDJSON, which has none.
    public var header: String? { components.map { (["time", "stream"] + $0).joined(separator: ",") } }

    /// Returns the line of a sample, without a line end.
    public func line(_ sample: SensorSample, _ notation: SensorTime.Notation) -> String {
        let time = sample.time.text(notation)
        if let components {
            let cells = components.map { sample.values[$0]?.shortDescription ?? "" }
            return ([time, sample.stream] + cells).joined(separator: ",")
        }
        let values = sample.values.names.map { "\"\($0)\":\((sample.values[$0] ?? 0).shortDescription)" }
        let quoted = notation == .date ? "\"\(time)\"" : time
        return "{\"time\":\(quoted),\"stream\":\"\(sample.stream)\",\"values\":{\(values.joined(separator: ","))}}"
    }
}
