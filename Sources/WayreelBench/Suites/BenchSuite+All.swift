extension BenchSuite {
    /// All suites in report order.
    package static let all = captures + audio + videos + probes + batches + stories
}
