internal import WayreelCore

/// Lengths of time as they are written for the parts of a recording.
package enum RecordingTimeText {
    private static let units: [(name: String, seconds: Double)] = [
        ("ms", 0.001), ("µs", 1e-6), ("us", 1e-6), ("min", 60), ("s", 1), ("h", 3600), ("d", 86_400),
    ]

    /// Returns the seconds of `2`, `2s`, `500ms`, `1:30` or `1:02:03.5`, also negative, up to 1e12; nil for anything else.
    package static func seconds(_ text: String) -> Double? {
        if text.hasPrefix("-") { return magnitude(text.dropFirst()).map { -$0 } }
        return magnitude(text[...])
    }

    private static func magnitude(_ text: Substring) -> Double? {
        guard let first = text.first, first.isNumber || first == "." else { return nil }
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        if parts.count > 1 {
            let numbers = parts.map { DecimalNumber.value($0) ?? -1 }
            guard parts.count <= 3, numbers.allSatisfy({ $0 >= 0 && $0 <= 1e6 }),
                numbers.dropFirst().allSatisfy({ $0 < 60 })
            else { return nil }
            return numbers.reduce(0) { $0 * 60 + $1 }
        }
        let unit = units.first { text.hasSuffix($0.name) }
        return DecimalNumber.value(text.dropLast(unit?.name.count ?? 0)).map { $0 * (unit?.seconds ?? 1) }
            .flatMap { $0.magnitude <= 1e12 ? $0 : nil }
    }
}
