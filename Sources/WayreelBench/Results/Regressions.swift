package import WayreelGauge

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
