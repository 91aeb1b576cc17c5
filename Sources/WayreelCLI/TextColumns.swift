/// Formats text tables.
package enum TextColumns {
    /// One line per row; cells are padded to the widest of their column, two spaces apart.
    package static func aligned(_ rows: [[String]]) -> String {
        let count = rows.map(\.count).max() ?? 0
        let widths = (0..<count).map { column in rows.map { column < $0.count ? $0[column].count : 0 }.max() ?? 0 }
        var text = ""
        for (index, row) in rows.enumerated() {
            if index > 0 { text += "\n" }
            for (column, cell) in row.enumerated() {
                text += cell
                guard column < row.count - 1 else { continue }
                for _ in 0..<widths[column] - cell.count + 2 { text += " " }
            }
        }
        return text
    }
}
