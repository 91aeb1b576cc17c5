internal import WayreelGauge

/// The figures of a report that its tables and comparisons use, without samples, timelines and calibration: small
/// enough to be kept with the code. It cannot be used as a baseline for `--against`.
package struct BenchSummary: Encodable, Sendable {
    package struct Result: Encodable, Sendable {
        var suite: String
        var about: String
        var input: BenchInput
        var programs: [Program]
        var absent: [String]
        var steps: [StepCosts.Step]?
    }

    /// A program with the figures of its runs, in their order.
    package struct Program: Encodable, Sendable {
        var name: String
        var command: [String]
        var failure: String?
        var outputBytes: Int?
        var wallMilliseconds: [Double]
        var cpuMilliseconds: [Double]
        var peakMemoryBytes: [Int]
    }

    var kind = "wayreel-bench-summary"
    var version = 1
    var wayreel: String
    var date: String
    var machine: Machine
    var programs: [String: String]?
    package var results: [Result]

    package init(_ report: BenchReport) {
        (wayreel, date, machine, programs) = (report.wayreel, report.date, report.machine, report.programs)
        results = report.results.map { result in
            Result(
                suite: result.suite, about: result.about, input: result.input,
                programs: result.candidates.map(Program.init), absent: result.absent, steps: result.steps?.steps)
        }
    }
}

extension BenchSummary.Program {
    fileprivate init(_ candidate: BenchCandidate) {
        (name, command, failure) = (candidate.name, candidate.command, candidate.failure)
        outputBytes = candidate.outputBytes
        wallMilliseconds = candidate.runs.map(\.wallMilliseconds)
        cpuMilliseconds = candidate.runs.map { Self.microseconds($0.userMilliseconds + $0.systemMilliseconds) }
        peakMemoryBytes = candidate.runs.compactMap(\.peakMemoryBytes)
    }

    /// Rounds to the kernel's resolution, so that sums of decimal fractions stay short.
    private static func microseconds(_ milliseconds: Double) -> Double { (milliseconds * 1000).rounded() / 1000 }
}
