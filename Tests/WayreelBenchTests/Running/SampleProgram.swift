import Testing
import WayreelGauge

/// Programs for tests.
enum SampleProgram {
    /// Makes one of `text` at `path`: by another process, since a file that this one has open for writing, other tests' programs
    /// would inherit.
    static func write(_ text: String, to path: String) throws {
        let making = ["sh", "-ec", "printf %s \"$1\" > \"$2\"; chmod +x \"$2\"", "sh"]
        let made = try Gauge.run(making + [text, path])
        #expect(made.outcome?.isSuccess == true)
    }
}
