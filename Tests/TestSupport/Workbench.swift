internal import Glibc
package import Testing
internal import WayreelCore

/// A folder to run the command in, laid out like the repository's root, so that nothing is written into the repository
/// itself.
package final class Workbench {
    private let temporary = TemporaryFolder()
    package var folder: String { temporary.path }

    package init() {
        for name in ["Media", "Filters"] { symlink("\(Fixture.root)/\(name)", path(name)) }
        symlink(Self.smallPhoto, path("photo.jpg"))
    }

    /// 640×480, with a location in its EXIF.
    package static let smallPhoto = Fixture.media("captures/town-coolpix-gps.jpg")

    /// The command beside the tests' own executable.
    package static let binary = Fixture.target(of: "/proc/self/exe").folder + "wayreel"

    package func path(_ name: String) -> String { "\(folder)/\(name)" }

    /// Returns the command with its arguments, to be modified and run.
    package func command(_ arguments: [String]) -> Command {
        var command = Command(Self.binary, arguments)
        command.folder = folder
        return command
    }

    package func wayreel(_ arguments: String...) throws -> Command.Outcome { try command(arguments).run() }

    /// Runs a line in a shell in this folder.
    package func shell(_ line: String) throws -> Command.Outcome {
        var command = Command("/bin/sh", ["-c", line])
        command.folder = folder
        let binaryFolder = Self.binary.dropLast("/wayreel".count)
        command.environment["PATH"] = "\(binaryFolder):/usr/local/bin:/usr/bin:/bin"
        return try command.run()
    }

    package func write(_ bytes: [UInt8], to name: String) throws { try temporary.write(bytes, to: name) }

    package func write(_ text: String, to name: String) throws { try temporary.write(text, to: name) }

    package func bytes(_ name: String) throws -> [UInt8] { try Fixture.bytes(path(name)) }

    package func text(_ name: String) throws -> String { try Fixture.text(path(name)) }

    package func header(_ name: String) throws -> ImageFileHeader? { ImageFileHeader(try bytes(name)) }

    package func exists(_ name: String) -> Bool { access(path(name), F_OK) == 0 }

    /// Returns the files in a folder, including hidden ones, without the initial ones.
    package func listing(_ name: String = ".") -> [String] {
        Fixture.listing(path(name)).filter { name != "." || !["Media", "Filters", "photo.jpg"].contains($0) }
    }

    package func makeFolder(_ name: String) { mkdir(path(name), 0o755) }
}

/// Expects a run that did all of its work.
@discardableResult
package func expectDone(
    _ outcome: Command.Outcome, _ location: SourceLocation = #_sourceLocation
) -> Command.Outcome {
    #expect(outcome.ending == .exited(0), "\(outcome.errors)", sourceLocation: location)
    return outcome
}

/// Expects a failed run: the exit status, and one line that contains each of `words`.
package func expectRefused(
    _ outcome: Command.Outcome, _ status: Int32, _ words: String..., location: SourceLocation = #_sourceLocation
) {
    #expect(outcome.ending == .exited(status), "\(outcome.errors)", sourceLocation: location)
    #expect(outcome.lines.count == 1, "\(outcome.errors)", sourceLocation: location)
    #expect(outcome.errors.hasPrefix("error: "), "\(outcome.errors)", sourceLocation: location)
    for word in words { #expect(outcome.errors.contains(word), "\(outcome.errors)", sourceLocation: location) }
}
