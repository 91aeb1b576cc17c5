package import ArgumentParser
internal import Glibc
internal import WayreelCore
internal import WayreelMedia

/// The running program.
package enum Program {
    /// The path of the program, without symbolic links.
    package static let path: String = {
        var path = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink("/proc/self/exe", &path, path.count)
        guard count > 0 else { return CommandLine.arguments.first ?? "" }
        return String(decoding: path.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }()

    /// Returns the first of these programs that exists; paths are relative to the folder of the running program. nil if
    /// none exists.
    package static func first(of programs: [String]) -> String? {
        let folder = path.lastIndex(of: "/").map { path[...$0] } ?? ""
        return programs.lazy.map { folder + $0 }.first { access($0, X_OK) == 0 }
    }

    /// Runs the command that the arguments select and ends the process with its exit status.
    package static func run<Command: ParsableCommand>(_: Command.Type) async -> Never {
        // Swift reads the arguments from /proc; without them the command would do nothing and succeed.
        guard CommandLine.argc > 0 else {
            Console.error("error: start: the arguments cannot be read; mount /proc")
            end(status: ExitReason.failed.status)
        }
        // SVT-AV1 logs to standard error, and only its environment variable disables that. No other thread reads the
        // environment yet.
        setenv("SVT_LOG", "0", 0)
        Interrupt.install()
        CommandTable.startLoading(for: CommandLine.arguments)
        do {
            if let measure = CommandTable.plainMeasure(CommandLine.arguments) {
                try measure.run()
            } else {
                try await run(Command.parseAsRoot())
            }
        } catch {
            leave(with: error, of: Command.self)
        }
        end(status: ExitReason.success.status)
    }

    private static func run(_ command: any ParsableCommand) async throws {
        var command = command
        if var asynchronous = command as? any AsyncParsableCommand {
            try await asynchronous.run()
        } else {
            try command.run()
        }
    }

    /// Ends the process: 0 for help and version, 1 for failed tasks, 2 for wrong usage, 130 after Ctrl-C.
    private static func leave<Command: ParsableCommand>(with error: any Error, of _: Command.Type) -> Never {
        CreatedFolders.removeEmpty()
        if Command.exitCode(for: error) == .validationFailure, let message = unknownCommand(of: Command.self) {
            let usage = Command.fullMessage(for: error).split(separator: "\n").dropFirst().joined(separator: "\n")
            Console.error("\(message)\n\(usage)")
            end(status: ExitReason.wrongUsage.status)
        }
        let reason = ExitReason(error, message: Command.fullMessage(for: error), code: Command.exitCode(for: error))
        if reason == .interrupted {
            Interrupt.endProcess()
        }
        end(status: reason.status)
    }

    /// Returns a message if the arguments name a subcommand that there is not; for ArgumentParser it is an unexpected
    /// argument.
    private static func unknownCommand(of root: any ParsableCommand.Type) -> String? {
        var command = root
        for argument in CommandLine.arguments.dropFirst() {
            let subcommands = command.configuration.subcommands
            guard !subcommands.isEmpty, command.configuration.defaultSubcommand == nil, !argument.hasPrefix("-"),
                argument != "help"
            else { return nil }
            let names = subcommands.filter { $0.configuration.shouldDisplay }.compactMap {
                $0.configuration.commandName
            }
            guard let next = subcommands.first(where: { $0.configuration.commandName == argument }) else {
                let near = nearestName(to: argument, in: names).map { ". Did you mean '\($0)'?" } ?? ""
                return "Error: Unknown command '\(argument)'\(near)"
            }
            command = next
        }
        return nil
    }

    /// Ends the process without destructors of libraries: FFmpeg's hundred take 2 ms, and would run while other threads
    /// may use them.
    private static func end(status: Int32) -> Never {
        fflush(nil)
        _exit(status)
    }
}

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
            .io, step: .start, subject: "wayreel-full", reason: reason,
            advice: "install wayreel again, with all of its files")
        Console.error("error: \(error)")
        exit(ExitReason.failed.status)
    }
}

/// Runs tasks for another `wayreel` process (see `IsolatedPipeline`).
struct WorkerCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "worker", abstract: "Runs tasks for another wayreel process.", shouldDisplay: false)

    func run() throws {
        try WorkServer.serve(cancellation: Interrupt.cancellation)
    }
}
