internal import WayreelCore

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
