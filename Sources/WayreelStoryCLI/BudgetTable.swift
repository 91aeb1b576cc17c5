internal import Wayreel
internal import WayreelCLI
internal import WayreelCore

/// Formats the quality reductions for a maximum size as a table.
enum BudgetTable {
    /// The number of rows with the largest savings that are shown; the report has all.
    private static let maxRows = 20

    static func text(_ budget: BudgetReport, isPredicted: Bool = false) -> String {
        var rows = [["given up", "from", "for", "setting", "size", "similarity"]]
        let saved = budget.items.enumerated().sorted { one, other in
            let savings = (one.element.bytesSaved, other.element.bytesSaved)
            return (savings.0, other.offset) > (savings.1, one.offset)
        }.map(\.element)
        for item in saved.prefix(maxRows) {
            rows.append([
                item.kind.rawValue, item.source, item.screen ?? "all", "\(item.from) → \(item.to)",
                "\(item.bytesBefore.asSize) → \(item.bytesAfter.asSize)",
                similarity(item.similarityBefore, item.similarityAfter) ?? "not measured",
            ])
        }
        let further = saved.count > maxRows ? "and \(saved.count - maxRows) more\n" : ""
        let mean = similarity(budget.similarityBefore, budget.similarityAfter).map { ", mean similarity \($0)" } ?? ""
        return (saved.isEmpty ? "" : TextColumns.aligned(rows) + "\n") + further
            + "\(budget.bytesBefore.asSize) → \(budget.bytesAfter.asSize) of media\(isPredicted ? " expected" : ""), "
            + "at most \(budget.limitBytes.asSize); \(saved.count) reduced\(mean)"
    }

    private static func similarity(_ before: Double?, _ after: Double?) -> String? {
        guard let before, let after else { return nil }
        return "\(before.formatted(4)) → \(after.formatted(4))"
    }
}

extension BudgetReport.Item {
    fileprivate var bytesSaved: Int { bytesBefore - bytesAfter }
}
