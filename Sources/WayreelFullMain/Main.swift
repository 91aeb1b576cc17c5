internal import WayreelCLI
internal import WayreelStoryCLI

/// The program `wayreel-full`.
@main
struct Main {
    static func main() async {
        Console.occupyClosedStreams()
        await Program.run(WayreelCommand.self)
    }
}
