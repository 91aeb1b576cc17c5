package import ArgumentParser
internal import WayreelMedia

/// The command of the program `wayreel`: the subcommands that need neither a database nor a server, so that they start
/// fast. Their help, their completions and all other commands are provided by `wayreel-full`.
package struct LightCommand: AsyncParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "wayreel", version: WayreelVersion.text, subcommands: makers + others)

    package init() {}

    /// The subcommands that make or check outputs.
    package static var makers: [any ParsableCommand.Type] {
        [
            CaptureCommand.self, LevelsCommand.self, TranscodeCommand.self, PosterCommand.self, ValidateCommand.self,
            StoryCommand.self,
        ]
    }

    /// The subcommands that list and measure, and the worker.
    package static var others: [any ParsableCommand.Type] {
        [
            FiltersCommand.self, RecipesCommand.self, MetersCommand.self, ScreensCommand.self, ProbeCommand.self,
            MeasureCommand.self, WorkerCommand.self,
        ]
    }

    /// Returns whether the program `wayreel` handles these arguments; the first one is the program's name.
    package static func takes(_ arguments: [String]) -> Bool {
        guard arguments.count > 1 else { return false }
        let isOfAll = { (argument: String) in
            argument == "--experimental-dump-help" || argument.hasPrefix("--generate-completion-script")
        }
        let names = (makers + others).map { $0.configuration.commandName } + ["--version"]
        return names.contains(arguments[1]) && !arguments.contains(where: isOfAll)
    }
}
