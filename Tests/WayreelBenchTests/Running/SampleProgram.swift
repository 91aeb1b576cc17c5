import Testing
import WayreelBench

/// Programs for tests.
enum SampleProgram {
    /// Makes a program of `text` at `path`. Another process writes it, since programs of other tests would inherit a
    /// file that this process has open for writing.
    static func write(_ text: String, to path: String) throws {
        let making = ["sh", "-ec", "printf %s \"$1\" > \"$2\"; chmod +x \"$2\"", "sh"]
        let made = try Gauge.run(making + [text, path])
        #expect(made.outcome?.isSuccess == true)
    }
}
