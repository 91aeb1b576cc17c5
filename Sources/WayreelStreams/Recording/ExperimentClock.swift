internal import WayreelCore

/// When an experiment of phyphox ran: by its own clock, which stands still in pauses, and by that of the phone.
///
/// Its exports have them in `meta/time.csv`, with a row for each START and PAUSE and the columns `event`, `experiment
/// time` and `system time`, the latter in seconds since 1970 (github.com/phyphox: DataExport, ExperimentExport).
struct ExperimentClock {
    /// The times at which it began and went on, in microseconds, in order.
    private var starts: [(own: Int64, date: Int64)] = []

    private static let columns = ["event", "experiment time", "system time"]
    private static let limit = 10_000

    /// Returns nil if the experiment never began.
    ///
    /// Throws a `decoding` error that names the line if the table is damaged.
    init?(_ lines: LineReader) throws(MediaError) {
        guard let header = try Self.cells(lines, separator: nil) else { return nil }
        let names = header.texts.map { $0.lowercased() }
        let places = Self.columns.compactMap { names.firstIndex(of: $0) }
        guard places.count == Self.columns.count else {
            throw Self.fault(lines, "is no header of an experiment's times: \(Self.columns.joined(separator: ", "))")
        }
        while let row = try Self.cells(lines, separator: header.separator)?.texts {
            guard row.count == names.count else {
                throw Self.fault(lines, "has \(row.count) cells; the header has \(names.count)")
            }
            guard row[places[0]].uppercased() == "START" else { continue }
            let numbers = places.dropFirst().map { place in
                // Where other characters separate cells, a comma may be the decimal point.
                let isPoint = header.separator != UInt8(ascii: ",")
                return DecimalNumber.value(isPoint ? row[place].replacing(",", with: ".") : row[place])
                    .flatMap(SensorTime.init(seconds:))
            }
            guard let own = numbers[0]?.microseconds, let date = numbers[1], SensorTime.years.contains(date) else {
                let times = "'\(row[places[1]])' and '\(row[places[2]])'"
                throw Self.fault(lines, "has the times \(times), not seconds since the start and since 1970")
            }
            guard own >= starts.last?.own ?? .min, date.microseconds >= starts.last?.date ?? .min else {
                throw Self.fault(lines, "begins before the line before it")
            }
            guard starts.count < Self.limit else {
                throw Self.fault(lines, "is the first of more than \(Self.limit) starts")
            }
            starts.append((own, date.microseconds))
        }
        if starts.isEmpty { return nil }
    }

    private static func fault(_ lines: LineReader, _ reason: String) -> MediaError {
        lines.fault(reason, advice: "mend the line, or remove the file: times are seconds then")
    }

    /// The cells of the next line that is not blank; nil at the end.
    private static func cells(
        _ lines: LineReader, separator: UInt8?
    ) throws(MediaError) -> (texts: [String], separator: UInt8)? {
        while let line = try lines.next() {
            guard line.contains(where: { !CSVCells.isBlank($0) }) else { continue }
            let separator = separator ?? CSVCells.separator(of: line.span)
            do throws(LineDamage) {
                return (try CSVCells.texts(line.span, separator: separator), separator)
            } catch { throw fault(lines, error.reason) }
        }
        return nil
    }

    /// The date of a time by the experiment's clock, both in microseconds.
    func date(_ time: Int64) -> Int64 {
        // The first start after the time.
        var (low, high) = (0, starts.count)
        while low < high {
            let middle = (low + high) / 2
            if starts[middle].own > time { high = middle } else { low = middle + 1 }
        }
        let start = starts[max(0, low - 1)]
        return start.date &+ (time &- start.own)
    }
}

extension SensorTime {
    /// The times in the years 1 to 9999.
    fileprivate static let years =
        SensorTime(microseconds: -62_135_596_800_000_000)...SensorTime(microseconds: 253_402_300_799_999_999)
}
