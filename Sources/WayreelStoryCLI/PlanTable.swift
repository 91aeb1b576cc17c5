internal import Wayreel
internal import WayreelCLI
internal import WayreelCore

/// Formats the plan of a preparation as a table.
enum PlanTable {
    static func text(_ plan: PreparePlan, jobs: Int) -> String {
        var rows = [["what", "from", "for", "predicted size", "time"]]
        for task in plan.tasks {
            let screens = task.uses.compactMap(\.screen)
            var names: [String] = []
            for screen in screens where !names.contains(screen) { names.append(screen) }
            rows.append([
                task.kind.rawValue, task.uses.first?.source ?? "",
                names.isEmpty ? "all" : names.joined(separator: ", "),
                task.predicted.bytes.asSize,
                task.isReused ? "there already" : "\(task.predicted.seconds.formatted(2)) s",
            ])
        }
        let pending = plan.pending
        let seconds = plan.predictedSeconds / Double(jobs)
        return TextColumns.aligned(rows) + "\n"
            + plan.failures.map { "cannot be prepared: \($0.error.withPrepareFlags)\n" }.joined()
            + (plan.budget.map { BudgetTable.text($0, isPredicted: true) + "\n" } ?? "")
            + plan.warnings.map { "warning: \($0)\n" }.joined()
            + "\(plan.tasks.count) tasks, \(pending.count) to do in about \(seconds.formatted(1)) s by \(jobs) at once; "
            + "\(plan.predictedBytes.asSize) of media from \(plan.inputs.reduce(0) { $0 + $1.bytes }.asSize)"
    }
}
