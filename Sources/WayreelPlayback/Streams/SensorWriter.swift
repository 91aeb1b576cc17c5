internal import WayreelCore

/// The files that hold recordings of sensor streams.
public enum SensorFormat: String, Sendable, Codable, CaseIterable {
    /// `{"time":12.5,"stream":"heading","values":{"accuracy":10,"degrees":271.5}}`, one in each line.
    case ndjson
    /// A header `time,stream,…` with the names of all components; a component that a sample has not is an empty cell.
    case csv

    /// By the name's ending: `.ndjson`, `.jsonl`, `.csv`; NDJSON for `-`.
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

/// Makes the lines of a recording.
public struct SensorWriter: Sendable {
    private let components: [String]?

    /// `components`: those of all streams, which a table needs; not used for NDJSON.
    public init(_ format: SensorFormat, components: [String] = []) {
        self.components = format == .csv ? components : nil
    }

    /// The first line; nil for NDJSON, which has none.
    public var header: String? { components.map { (["time", "stream"] + $0).joined(separator: ",") } }

    /// The line of a sample, without its end.
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
