/// Videos for tests: real ones, and some made by the ffmpeg program.
package enum SampleVideo {
    /// Returns a path in Media/scrapbook.
    package static func path(_ name: String) -> String { "\(Fixture.root)/Media/scrapbook/\(name)" }

    /// Runs `ffmpeg` with `arguments`, without prompts and with errors only. Returns its outcome.
    @discardableResult
    package static func ffmpeg(_ arguments: [String]) throws -> Command.Outcome {
        try run("ffmpeg", ["-nostdin", "-v", "error", "-y"] + arguments)
    }

    @discardableResult
    package static func run(_ program: String, _ arguments: [String]) throws -> Command.Outcome {
        let outcome = try Command("/usr/bin/\(program)", arguments).run()
        guard outcome.ending == .exited(0) else { throw Failure(description: "\(program): \(outcome.errors)") }
        return outcome
    }

    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }
}
