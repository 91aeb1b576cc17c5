internal import Glibc
internal import WayreelCore

/// Measures what no process shows from outside, in this process, and prints it as Markdown. `Benchmarks/inside` runs it,
/// one part at a time.
@main enum InsideBench {
    private static let usage = """
        usage: InsideBench captures PHOTO OVERLAY
               InsideBench levels
               InsideBench places
               InsideBench playback PORT-OF-REDIS
               InsideBench roads FOLDER
               InsideBench storage IMAGE...
               InsideBench stories FOLDER
        """

    static func main() async throws {
        let inputs = Array(CommandLine.arguments.dropFirst(2))
        switch (CommandLine.arguments.dropFirst().first, inputs.count) {
        case ("captures", 2): print(try await CaptureCost.report(photo: inputs[0], overlay: inputs[1]))
        case ("levels", 0): print(try await LevelsCost.report())
        case ("places", 0): print(PlaceCost.report())
        case ("playback", 1): print(try PlaybackCost.report(redis: UInt16(inputs[0])))
        case ("roads", 1): print(try RoadsCost.report(folder: inputs[0]))
        case ("storage", 1...): print(try StorageCost.report(images: inputs))
        case ("stories", 1): print(try await StoryCost.report(folder: inputs[0]))
        default:
            print(usage)
            exit(2)
        }
    }
}

/// Returns what `clock` counts during `work`, in seconds: the time of this thread, which other processes hardly affect,
/// or that on the wall.
func seconds(by clock: @autoclosure () -> Double = Clock.thread, _ work: () throws -> Void) rethrows -> Double {
    let start = clock()
    try work()
    return clock() - start
}

/// Returns a percentile by the nearest rank; 0 for no values.
func percentile(_ percent: Int, of values: [Double]) -> Double {
    let sorted = values.sorted()
    return sorted.isEmpty ? 0 : sorted[max(1, (sorted.count * percent + 99) / 100) - 1]
}

func median(_ values: [Double]) -> Double { percentile(50, of: values) }

/// Returns the median time of several rounds on the wall in milliseconds.
func milliseconds(rounds: Int, _ work: (Int) throws -> Void) rethrows -> Double {
    Clock.milliseconds(median(try (0..<rounds).map { round in try seconds(by: Clock.wall) { try work(round) } }))
}

/// Returns a table in Markdown with columns of the same width; the first row is the header.
func table(_ rows: [[String]]) -> String {
    let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
    var lines = rows.map { row in
        "| " + zip(row, widths).map { $0 + String(repeating: " ", count: $1 - $0.count) }.joined(separator: " | ")
            + " |"
    }
    lines.insert("|" + widths.map { String(repeating: "-", count: $0 + 2) }.joined(separator: "|") + "|", at: 1)
    return lines.joined(separator: "\n")
}

extension Int {
    /// `1,964,606`.
    var grouped: String { self < 1000 ? "\(self)" : (self / 1000).grouped + "," + String(self % 1000, paddedTo: 3) }
}
