internal import ArgumentParser
internal import Testing
internal import WayreelCLI
internal import WayreelStoryCLI

/// The table of commands and the commands that are linked say the same.
@Suite struct CommandTableTests {
    @Test func namesEachCommandOnce() {
        let others = WayreelCommand.others.map { $0.configuration.commandName ?? "" }
        #expect(others.sorted() == CommandTable.onlyFull.sorted())
        let all = CommandTable.all(with: WayreelCommand.others).map { $0.configuration.commandName ?? "" }
        #expect(all.count == CommandTable.fast.count + others.count)
        #expect(Set(all).count == all.count)
        #expect(all.first == "capture" && all.contains("prepare"))
    }

    @Test(arguments: [
        (["capture", "a.jpg"], true), (["--version"], true), (["measure", "--", "true"], true), ([], false),
        (["help"], false), (["--help"], false), (["prepare", "story.xml"], false), (["unknown"], false),
        (["capture", "--generate-completion-script", "bash"], false), (["levels", "--experimental-dump-help"], false),
    ])
    func saysWhichProgramRunsACommandLine(arguments: [String], isFast: Bool) {
        #expect(CommandTable.isFast(["wayreel"] + arguments) == isFast)
    }
}
