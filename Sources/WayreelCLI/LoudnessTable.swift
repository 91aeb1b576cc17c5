internal import WayreelMedia
internal import WayreelCore

/// Formats loudness as a table: one line per input, and one for all together.
struct LoudnessTable {
    private var rows: [[String]]

    init(_ reports: [TaskReport], ofAll all: Loudness?) {
        let measured = reports.compactMap { report in report.loudness.map { (report.input.path, $0) } }
        rows = measured.map { Self.row($0, $1) }
        if measured.count > 1, let all { rows.append(Self.row("all together", all)) }
        if !rows.isEmpty { rows.insert(Self.header, at: 0) }
    }

    func print(toError: Bool) throws {
        guard !rows.isEmpty else { return }
        let text = TextColumns.aligned(rows)
        if toError { Console.error(text) } else { try Console.output(text) }
    }

    private static let header = [
        "", "integrated", "range", "momentary max", "short-term max", "true peak", "sample peak",
    ]

    private static func row(_ name: String, _ loudness: Loudness) -> [String] {
        [
            name.onOneLine, cell(loudness.integrated, "LUFS"), cell(loudness.range, "LU"),
            cell(loudness.momentaryMaximum, "LUFS"), cell(loudness.shortTermMaximum, "LUFS"),
            cell(loudness.truePeak, "dBTP"), cell(loudness.samplePeak, "dBFS"),
        ]
    }

    private static func cell(_ value: Double?, _ unit: String) -> String {
        value.map { "\($0.formatted(1)) \(unit)" } ?? "none"
    }
}
