internal import WayreelDrawing

/// The charts of a report, as a page arranges them.
struct ReportCharts: Sendable {
    /// Of one task.
    struct Task: Sendable {
        /// Processor use over time, stacked by step; nil where the steps are not known.
        var cpu: BenchCharts.Named?
        /// nil of fewer than three samples.
        var memoryOverTime: BenchCharts.Named?
        /// Wall time, CPU time and peak memory of all contenders; none where there is only one.
        var peers: [BenchCharts.Named]

        var all: [BenchCharts.Named] { peers + [cpu, memoryOverTime].compactMap(\.self) }
    }

    /// Of all tasks.
    let overview: [BenchCharts.Named]
    /// In the order of the report's results.
    let tasks: [Task]

    var all: [BenchCharts.Named] { overview + tasks.flatMap(\.all) }

    init(_ report: BenchReport) {
        var names = FileNames(["peers", "memory"])
        let results = report.results
        overview = (Self.memory(results).map { [$0] } ?? []) + Self.peers(results)
        tasks = results.map { result in
            let name = names.name(for: result.suite)
            return Task(
                cpu: Self.cpu(result, name), memoryOverTime: Self.memoryOverTime(result, name),
                peers: Self.peers(of: result, name))
        }
    }
}

/// Names of files that are made from names of tasks.
private struct FileNames {
    private var taken: Set<String>

    init(_ taken: Set<String>) { self.taken = taken }

    private static let longest = 60
    private static let plain = Set("abcdefghijklmnopqrstuvwxyz0123456789")

    /// One that no other has: lower-case letters, digits and hyphens.
    mutating func name(for task: String) -> String {
        let words = task.lowercased().split { !Self.plain.contains($0) }
        let plain = String(words.joined(separator: "-").prefix(Self.longest))
        let base = plain.isEmpty ? "task" : plain
        var (name, number) = (base, 2)
        while !taken.insert(name).inserted {
            name = "\(base)-\(number)"
            number += 1
        }
        return name
    }
}
