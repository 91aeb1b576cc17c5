package import ArgumentParser
internal import WayreelMedia

/// The command of the program `wayreel`: the subcommands that need neither a database nor a server, so that they start fast.
/// Help on all of them, their completions and everything else are those of `wayreel-full`.
package struct LightCommand: AsyncParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "wayreel", version: WayreelVersion.text, subcommands: makers + others)

    package init() {}

    /// Those that make outputs or check them.
    package static var makers: [any ParsableCommand.Type] {
        [
            CaptureCommand.self, LevelsCommand.self, TranscodeCommand.self, PosterCommand.self, ValidateCommand.self,
            StoryCommand.self,
        ]
    }

    /// Those that list and measure, and the worker.
    package static var others: [any ParsableCommand.Type] {
        [
            FiltersCommand.self, MetersCommand.self, ScreensCommand.self, ProbeCommand.self, MeasureCommand.self,
            WorkerCommand.self,
        ]
    }

    /// Whether the program `wayreel` does what these arguments say; the first is the program's name.
    package static func takes(_ arguments: [String]) -> Bool {
        guard arguments.count > 1 else { return false }
        let isOfAll = { (argument: String) in
            argument == "--experimental-dump-help" || argument.hasPrefix("--generate-completion-script")
        }
        let names = (makers + others).map { $0.configuration.commandName } + ["--version"]
        return names.contains(arguments[1]) && !arguments.contains(where: isOfAll)
    }
}
