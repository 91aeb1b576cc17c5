internal import WayreelDrawing

/// The charts of a report.
package struct BenchCharts: Sendable {
    /// Of one task.
    package struct Task: Sendable {
        /// Processor use over time, stacked by step; nil where the steps are not known.
        package var cpu: BenchChart?
        /// nil of fewer than three samples.
        package var memoryOverTime: BenchChart?
        /// Wall time, CPU time and peak memory of all contenders; none where there is only one.
        package var peers: [BenchChart]

        package var all: [BenchChart] { peers + [cpu, memoryOverTime].compactMap(\.self) }
    }

    /// Of all tasks.
    package let overview: [BenchChart]
    /// In the order of the report's results.
    package let tasks: [Task]

    package var all: [BenchChart] { overview + tasks.flatMap(\.all) }

    package init(_ report: BenchReport) {
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

    /// One that no other has: lower-case letters, digits and hyphens.
    mutating func name(for task: String) -> String {
        let words = task.lowercased().utf8.split { byte in
            !(UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) && !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
        }
        let plain = String(words.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "-").prefix(Self.longest))
        let base = plain.isEmpty ? "task" : plain
        var (name, number) = (base, 2)
        while !taken.insert(name).inserted {
            name = "\(base)-\(number)"
            number += 1
        }
        return name
    }
}
