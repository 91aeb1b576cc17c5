internal import WayreelDrawing

/// The charts of a report in page order.
struct ReportCharts: Sendable {
    /// The charts of one task.
    struct Task: Sendable {
        /// CPU use over time, stacked by step; nil if the steps are unknown.
        var cpu: ReportChart?
        /// nil for fewer than three samples.
        var memoryOverTime: ReportChart?
        /// Wall time, CPU time and peak memory of all candidates; empty for a single one.
        var peers: [ReportChart]

        var all: [ReportChart] { peers + [cpu, memoryOverTime].compactMap(\.self) }
    }

    /// Peak memory of all tasks.
    let memory: ReportChart?
    /// All tasks against the peers.
    let peers: [ReportChart]
    /// In the order of the results.
    let tasks: [Task]

    var all: [ReportChart] { [memory].compactMap(\.self) + peers + tasks.flatMap(\.all) }

    init(_ report: BenchReport) {
        var names = FileNames(["peers"])
        let results = report.results
        memory = Self.memory(results)
        peers = Self.peers(results)
        tasks = results.map { result in
            let name = names.name(for: result.suite)
            return Task(
                cpu: Self.cpu(result, name), memoryOverTime: Self.memoryOverTime(result, name),
                peers: Self.peers(of: result, name))
        }
    }
}

/// File names derived from task names.
private struct FileNames {
    private var taken: Set<String>

    init(_ taken: Set<String>) { self.taken = taken }

    private static let longest = 60
    private static let plain = Set("abcdefghijklmnopqrstuvwxyz0123456789")

    /// A unique name that is not a prefix of another: lower-case letters, digits and hyphens.
    mutating func name(for task: String) -> String {
        let words = task.lowercased().split { !Self.plain.contains($0) }
        let plain = String(words.joined(separator: "-").prefix(Self.longest))
        let base = plain.isEmpty ? "task" : plain
        var (name, number) = (base, 2)
        while taken.contains(name) || taken.contains("\(name)-peers") {
            name = "\(base)-\(number)"
            number += 1
        }
        taken.formUnion([name, "\(name)-peers"])
        return name
    }
}
