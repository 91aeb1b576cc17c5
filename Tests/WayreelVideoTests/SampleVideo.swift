internal import TestSupport

/// Videos for tests: real ones, and some that the ffmpeg program makes.
enum SampleVideo {
    /// A path in Media/scrapbook.
    static func path(_ name: String) -> String { "\(Fixture.root)/Media/scrapbook/\(name)" }

    /// Runs `ffmpeg` with `arguments`, without asking and with errors only. Returns what it printed.
    @discardableResult
    static func ffmpeg(_ arguments: [String]) throws -> Command.Outcome {
        try run("ffmpeg", ["-nostdin", "-v", "error", "-y"] + arguments)
    }

    @discardableResult
    static func run(_ program: String, _ arguments: [String]) throws -> Command.Outcome {
        let outcome = try Command("/usr/bin/\(program)", arguments).run()
        guard outcome.ending == .exited(0) else { throw Failure(description: "\(program): \(outcome.errors)") }
        return outcome
    }

    struct Failure: Error, CustomStringConvertible {
        let description: String
    }
}
