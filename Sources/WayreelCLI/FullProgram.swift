internal import Glibc
internal import WayreelMedia

/// The program `wayreel-full`, which has all commands. `wayreel` is small and starts fast, and replaces itself by
/// `wayreel-full` for the commands that it lacks.
package enum FullProgram {
    /// Its paths relative to `wayreel`: in the build folder, and as installed.
    private static let places = ["wayreel-full", "../libexec/wayreel/wayreel-full"]

    /// Replaces this program by `wayreel-full`, with the same arguments.
    package static func replaceThis() -> Never {
        var reason = "is not installed"
        if let path = Program.first(of: places) {
            execv(path, CommandLine.unsafeArgv)
            reason = systemReason(errno)
        }
        let error = MediaError(
            .io, step: "start", subject: "wayreel-full", reason: reason,
            advice: "install wayreel again, with all of its files")
        Console.error("error: \(error)")
        exit(ExitReason.failed.status)
    }
}
