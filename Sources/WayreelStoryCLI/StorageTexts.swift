internal import WayreelBench
internal import WayreelCLI
internal import WayreelCore
internal import WayreelGauge
internal import WayreelStorageBench

/// Formats the cost of storing images as text.
enum StorageTexts {
    static func page(_ report: StorageReport) -> String {
        let rounds = report.rows.first?.runs.count ?? 0
        return """
            \(TextColumns.aligned([header] + report.rows.map(row)))

            Medians of \(rounds) rounds; times with their \(confidence(report)) intervals.

            Seconds to load images over 3G, as a thesis measured them (C.-H. Shih, Augmented-Life Phone Organizer, table 1):

            \(TextColumns.aligned(thesis))

            \(conclusion)
            """
    }

    private static let header = [
        "images", "", "kept as", "store", "", "cold read", "", "warm read", "", "on disk", "memory to store", "to read",
    ]

    private static func row(_ row: StorageRow) -> [String] {
        ["\(row.images)", bytes(Double(row.bytes)), row.kind.name]
            + time(row, \.storeMilliseconds) + time(row, \.coldReadMilliseconds) + time(row, \.warmReadMilliseconds)
            + [
                memory(row) { Double($0.diskBytes) }, memory(row) { $0.storeMemoryBytes.map(Double.init) },
                memory(row) { $0.readMemoryBytes.map(Double.init) },
            ]
    }

    private static func time(_ row: StorageRow, _ figure: (StorageRow.Run) -> Double) -> [String] {
        guard let summary = row.summary({ figure($0) / 1000 }) else { return ["–", ""] }
        let text = BenchFigure.wall.text
        return [text(summary.median), summary.interval.map { "(\(text($0.lower)) to \(text($0.upper)))" } ?? ""]
    }

    private static func memory(_ row: StorageRow, _ figure: (StorageRow.Run) -> Double?) -> String {
        row.summary(figure).map { bytes($0.median) } ?? "–"
    }

    private static func bytes(_ value: Double) -> String { BenchFigure.memory.text(value) }

    private static func confidence(_ report: StorageReport) -> String {
        let interval = report.rows.first?.summary(\.storeMilliseconds)?.interval
        return interval.map { "\(($0.confidence * 100).formatted(0)) %" } ?? "missing"
    }

    private static var thesis: [[String]] {
        [["images"] + ThesisStorage.images.map(String.init)]
            + ThesisStorage.seconds.map { [$0.name] + $0.values.map { $0.formatted(2) } }
    }

    private static let conclusion = """
        A bundle keeps images as files, named by their content, and story.sqlite says where they are: a file is read without a second
        copy in memory, can be sent whole or in parts, is kept once however often it is used, and leaves the database small.
        """
}
