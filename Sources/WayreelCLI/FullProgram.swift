internal import Glibc
internal import WayreelMedia

/// The program `wayreel-full`, which has all commands: `wayreel` is small and starts fast, and becomes this one for what it has not.
package enum FullProgram {
    /// Where it is, seen from `wayreel`: as they are built, and as they are installed.
    private static let places = ["wayreel-full", "../libexec/wayreel/wayreel-full"]

    /// Runs it in place of this program, with the same arguments.
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
        exit(Outcome.failed.status)
    }
}
