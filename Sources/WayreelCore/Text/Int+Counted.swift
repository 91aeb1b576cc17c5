extension Int {
    /// The number with its noun: `1 point`, `2 points`.
    package func counted(_ one: String, _ many: String? = nil) -> String {
        "\(self) \(self == 1 ? one : many ?? one + "s")"
    }
}
