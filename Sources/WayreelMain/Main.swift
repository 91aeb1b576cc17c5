internal import WayreelCLI

/// The program `wayreel`. It becomes `wayreel-full` for what it does not do itself.
@main
struct Main {
    static func main() async {
        Console.occupyClosedStreams()
        guard CommandTable.isFast(CommandLine.arguments) else { FullProgram.replaceThis() }
        await Program.run(FastCommand.self)
    }
}
