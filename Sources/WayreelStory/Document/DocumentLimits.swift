/// The limits for story documents.
enum DocumentLimits {
    static let bytes = 64 << 20
    static let depth = 64
    static let elements = 2_000_000
    /// The maximum number of values in YAML. Keys count too: an element with its attributes has several.
    static let values = 6_000_000
    /// The maximum number of issues that are collected.
    static let issues = 1000
}
