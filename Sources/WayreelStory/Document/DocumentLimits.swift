/// What a story document may cost.
enum DocumentLimits {
    static let bytes = 64 << 20
    static let depth = 64
    static let elements = 2_000_000
    /// Of YAML, keys among them: of an element with its attributes several.
    static let values = 6_000_000
    /// Issues after which no more are collected.
    static let issues = 1000
}
