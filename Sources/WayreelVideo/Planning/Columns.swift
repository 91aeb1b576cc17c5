internal import WayreelCore

/// Lines of `key: value` with the values aligned. A line without a key continues the one above.
struct Columns {
    private let lines: [(key: String, value: String)]

    init(_ lines: [(String, String)]) { self.lines = lines }

    /// The text without a final newline and without control characters from a file.
    var text: String {
        let width = (lines.map(\.key.count).max() ?? 0) + 2
        return lines.map { key, value in
            let label = key.isEmpty ? "" : "\(key):"
            return label + String(repeating: " ", count: width - label.count) + value.onOneLine
        }.joined(separator: "\n")
    }
}
