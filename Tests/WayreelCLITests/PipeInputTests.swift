internal import TestSupport
internal import Testing

/// Images from pipes that can be read only once.
@Suite struct PipeInputTests {
    private let bench = Workbench()

    /// The writer waits before the command starts, and must not be ended by a second opening of the pipe.
    @Test(arguments: ["capture pipe -o out.jpg", "probe pipe"]) func aWaitingWriter(_ arguments: String) throws {
        let outcome = try shell(
            "mkfifo pipe; (cat '\(Fixture.media("overlays/badge.png"))' > pipe; echo writer $?) & sleep 0.3; "
                + "$wayreel \(arguments) --max-seconds 20; echo status $?; wait")
        #expect(outcome.text.contains("writer 0") && outcome.text.contains("status 0"), "\(outcome)")
    }

    /// `<(…)` is a descriptor of the command, which its worker processes do not inherit.
    @Test(arguments: [
        "capture <(cat '%') -o out.jpg", "probe <(cat '%')", "capture /dev/stdin -o out.jpg < <(cat '%')",
    ])
    func processSubstitution(_ arguments: String) throws {
        let image = Fixture.media("captures/still-photo.heic")
        let outcome = try shell("$wayreel \(arguments.replacing("%", with: image)); echo status $?")
        #expect(outcome.text.contains("status 0"), "\(outcome)")
    }

    /// Errors name the path that was given.
    @Test func errorsNameTheDescriptor() throws {
        let outcome = try shell("$wayreel capture <(head -c 100 '\(Fixture.media("overlays/badge.png"))') -o out.jpg")
        #expect(outcome.errors.hasPrefix("error: /dev/fd/"), "\(outcome.errors)")
    }

    private func shell(_ script: String) throws -> Command.Outcome {
        var command = bench.command([])
        command.arguments = ["-c", script.replacing("$wayreel", with: "'\(command.executable)'")]
        command.executable = "/bin/bash"
        command.maxSeconds = 60
        return try command.run()
    }
}
