internal import FoundationEssentials
package import WayreelCore

/// An earlier report for comparison.
package struct Baseline: Sendable {
    package let report: BenchReport
    private let path: String

    private struct Head: Decodable {
        var kind: String?
        var version: Int?
    }

    /// Reads the file at `path`.
    ///
    /// Throws an `io` error if it cannot be read, and a `decoding` error if it is not a benchmark report of this
    /// version.
    package init(_ path: String) throws(MediaError) {
        self.path = path
        let bytes = try MediaBytes.read(path: path, limit: 1 << 28)
        let fault = ErrorSite(
            step: .compare, subject: path, advice: "create a new one with wayreel bench --save")
        let data = withExtendedLifetime(bytes) { Data($0.buffer) }
        guard let head = try? JSONDecoder().decode(Head.self, from: data), head.kind == BenchReport.kind else {
            throw fault("is not a wayreel benchmark")
        }
        guard head.version == BenchReport.version else {
            throw fault(
                "has version \(head.version.map(String.init) ?? "?"); expected version \(BenchReport.version)")
        }
        guard let report = try? JSONDecoder().decode(BenchReport.self, from: data),
            !report.results.contains(where: \.candidates.isEmpty)
        else {
            throw fault("is damaged")
        }
        self.report = report
    }

    /// Throws a `parameter` error if it is from another machine or has no common suites.
    package func check(for machine: Machine, _ suites: [BenchSuite]) throws(MediaError) {
        let old = report.machine
        guard old.processor == machine.processor, old.availableCores == machine.availableCores else {
            throw MediaError(
                .parameter, step: .compare, subject: path,
                reason: "is from another machine (\(old.processor), \(old.availableCores) cores)",
                advice: "create one on this machine with the version to compare with and --save")
        }
        let known = Set(report.results.map(\.suite))
        guard suites.contains(where: { known.contains($0.name) }) else {
            throw MediaError(
                .parameter, step: .compare, subject: path, reason: "contains none of these suites",
                advice: known.isEmpty ? "it is empty" : "it has \(known.sorted().joined(separator: ", "))")
        }
    }
}

/// Compares a report with a baseline.
package struct Regressions: Sendable {
    package struct Row: Hashable, Sendable {
        package var suite: String
        package var figure: BenchFigure
        /// nil if there is nothing to compare; ``note`` has the reason.
        package var comparison: Comparison?
        package var note: String

        package init(suite: String, figure: BenchFigure, comparison: Comparison?, note: String = "") {
            (self.suite, self.figure, self.comparison, self.note) = (suite, figure, comparison, note)
        }
    }

    package let rows: [Row]

    /// `tolerance`: relative change that counts as no difference.
    package init(_ report: BenchReport, against baseline: BenchReport, tolerance: Double) {
        rows = report.results.flatMap { result -> [Row] in
            guard let old = baseline.results.first(where: { $0.suite == result.suite }) else {
                return [Row(suite: result.suite, figure: .wall, comparison: nil, note: "not in the baseline")]
            }
            if let reason = Self.obstacle(result, old) {
                return [Row(suite: result.suite, figure: .wall, comparison: nil, note: reason)]
            }
            return BenchFigure.allCases.map { figure in
                Row(
                    suite: result.suite, figure: figure,
                    comparison: Comparison(
                        baseline: old.own.steadyValues(figure), candidate: result.own.steadyValues(figure),
                        tolerance: tolerance),
                    note: "")
            }
        }
    }

    private static func obstacle(_ new: BenchResult, _ old: BenchResult) -> String? {
        if let failure = new.own.failure { return "failed: \(failure)" }
        if let failure = old.own.failure { return "failed in the baseline: \(failure)" }
        if new.input.bytes != old.input.bytes {
            return "another input (\(old.input.name), \(old.input.bytes) bytes)"
        }
        return nil
    }

    /// Whether a figure is worse by more than the tolerance.
    package var hasWorse: Bool { rows.contains { $0.comparison?.verdict == .worse } }

    /// Whether nothing was compared.
    package var isEmpty: Bool { rows.allSatisfy { $0.comparison.map { $0.verdict == .tooFewRuns } ?? true } }
}
