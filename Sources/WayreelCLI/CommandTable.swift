package import ArgumentParser
internal import WayreelAV
internal import WayreelCore
internal import WayreelMedia

/// The commands, in the order of the help: which program has each, and what of FFmpeg it loads at its start.
package enum CommandTable {
    private struct Row {
        var name: String
        /// The command, if the program `wayreel` has it: it needs neither a database nor a server. All commands are in
        /// `wayreel-full`.
        var fast: (any ParsableCommand.Type)?
        /// What it loads while its arguments are parsed, if one of its inputs has an extension of this kind.
        var loads: FFmpegPreload.Purpose?

        static func fast(_ command: any ParsableCommand.Type, loads: FFmpegPreload.Purpose? = nil) -> Row {
            Row(name: command.configuration.commandName ?? "", fast: command, loads: loads)
        }

        static func full(_ name: String) -> Row { Row(name: name) }
    }

    private static let rows: [Row] = [
        .fast(CaptureCommand.self, loads: .images),
        .fast(LevelsCommand.self, loads: .media),
        .full("tone"),
        .fast(TranscodeCommand.self, loads: .media),
        .fast(PosterCommand.self, loads: .media),
        .fast(ValidateCommand.self),
        .fast(StoryCommand.self),
        .full("prepare"),
        .full("verify"),
        .full("play"),
        .full("journal"),
        .full("walk"),
        .full("route"),
        .full("way"),
        .full("map"),
        .full("codes"),
        .full("tiles"),
        .full("places"),
        .full("goggles"),
        .full("streams"),
        .full("serve"),
        .full("player"),
        .full("url"),
        .full("token"),
        .full("bench"),
        .fast(FiltersCommand.self),
        .fast(RecipesCommand.self),
        .fast(MetersCommand.self),
        .fast(ScreensCommand.self),
        .fast(ProbeCommand.self),
        .fast(MeasureCommand.self),
        .fast(WorkerCommand.self),
        .full("full-worker"),
    ]

    private static let images: Set = ["avif", "heic", "heif", "hif"]
    private static let media: Set = [
        "aac", "aif", "aiff", "amr", "avi", "flac", "m4a", "m4v", "mkv", "mov", "mp3", "mp4", "mpg", "oga", "ogg",
        "opus", "ts", "webm", "wma",
    ]

    /// The commands of the program `wayreel`.
    package static var fast: [any ParsableCommand.Type] { rows.compactMap(\.fast) }

    /// The names of the commands that only `wayreel-full` has.
    package static var onlyFull: [String] { rows.filter { $0.fast == nil }.map(\.name) }

    /// The commands of `wayreel-full`: those of `wayreel`, and `others`.
    package static func all(with others: [any ParsableCommand.Type]) -> [any ParsableCommand.Type] {
        rows.compactMap { row in row.fast ?? others.first { $0.configuration.commandName == row.name } }
    }

    /// Returns whether the program `wayreel` handles these arguments; the first one is the program's name. Help,
    /// completions and unknown names are handled by `wayreel-full`, which knows all commands.
    package static func isFast(_ arguments: [String]) -> Bool {
        guard arguments.count > 1 else { return false }
        let isOfAll = { (argument: String) in
            argument == "--experimental-dump-help" || argument.hasPrefix("--generate-completion-script")
        }
        let isKnown = arguments[1] == "--version" || rows.contains { $0.name == arguments[1] && $0.fast != nil }
        return isKnown && !arguments.contains(where: isOfAll)
    }

    /// Returns what `measure -- program …` without options asks for; nil for anything else. The option parser takes longer
    /// than the rest of a measurement.
    static func plainMeasure(_ arguments: [String]) -> MeasureRun? {
        guard arguments.count > 3, arguments[1...2] == ["measure", "--"] else { return nil }
        return MeasureRun(command: Array(arguments[3...]))
    }

    /// Starts to load the libraries that a command line will need, while it is still being parsed, which takes 10 ms;
    /// `arguments` begins with the program's name. Whatever is not recognised is loaded on its first use.
    static func startLoading(for arguments: [String]) {
        guard arguments.count > 2, let loads = rows.first(where: { $0.name == arguments[1] })?.loads,
            !arguments.contains(where: { argument in elsewhere.contains { argument.hasPrefix($0) } })
        else { return }
        let extensions = loads == .images ? images : media
        let isNeeded = zip(arguments.dropFirst(), arguments.dropFirst(2)).contains { before, argument in
            !outputs.contains(before) && extensions.contains(argument.fileExtension?.lowercased() ?? "")
        }
        guard isNeeded else { return }
        // New threads wait while a library is loaded.
        _ = WorkPool.shared
        FFmpegPreload.start(for: loads)
    }

    /// Arguments that are followed by an output.
    private static let outputs: Set = ["-o", "--output"]
    /// The beginnings of arguments with which this process reads no media, because another one does or nothing is read.
    private static let elsewhere = [
        "--isolate", "--max-memory", "--heartbeat-timeout", "--max-seconds", "--help", "-h",
    ]
}

/// The command of the program `wayreel`.
package struct FastCommand: AsyncParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "wayreel", version: WayreelVersion.text, subcommands: CommandTable.fast)

    package init() {}
}
